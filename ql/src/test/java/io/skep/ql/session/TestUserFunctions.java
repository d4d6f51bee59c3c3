package io.skep.ql.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.config.KnownSettings;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.engine.function.FunctionCatalog;
import io.skep.metastore.Function;
import io.skep.metastore.testing.TestingMetastore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Checks that a session's functions are created once, and again when their dependencies change. */
class TestUserFunctions {
    private static final String CLASS = "org.apache.hadoop.hive.ql.udf.generic.GenericUDFUpper";

    private final TestingMetastore metastore = TestingMetastore.open();
    private final Session session = new Session(
            "test",
            metastore.catalog(),
            new SessionSettings(KnownSettings.NONE, Map.of("hive.local.time.zone", "UTC")));
    private final UserFunctions functions = session.userFunctions();

    @AfterEach
    void close() {
        session.close();
        metastore.close();
    }

    @Test
    void keepsThemWhileNothingChanges() {
        FunctionCatalog first = functions.catalog();
        session.settings().setVariable("x", "1");
        assertThat(functions.catalog()).isSameAs(first);
        assertThat(functions.registry()).isSameAs(functions.registry());
    }

    @Test
    void takesInFunctionsOfTheSession() {
        assertThat(functions.catalog().kind("louder")).isEmpty();
        functions.addTemporary("louder", CLASS);
        assertThat(functions.catalog().kind("louder")).contains(FunctionCatalog.Kind.SCALAR);
        assertThat(functions.dropTemporary("louder")).isTrue();
        assertThat(functions.catalog().kind("louder")).isEmpty();
        assertThat(functions.dropTemporary("louder")).isFalse();
    }

    @Test
    void takesInPermanentFunctions() {
        assertThat(functions.catalog().kind("shout")).isEmpty();
        metastore.catalog().createFunction(new Function("default", "shout", CLASS, "test", 0, List.of()));
        assertThat(functions.catalog().kind("shout")).contains(FunctionCatalog.Kind.SCALAR);
        metastore.catalog().dropFunction("default", "shout");
        assertThat(functions.catalog().kind("shout")).isEmpty();
    }

    @Test
    void loadsTheJarsOfPermanentFunctions() throws IOException {
        Path folder = metastore.folder().resolve("classes");
        Files.createDirectories(folder);
        Path source = Files.writeString(
                folder.resolve("Whisper.java"),
                "public class Whisper extends org.apache.hadoop.hive.ql.exec.UDF {"
                        + " public String evaluate(String text) { return text; } }");
        int failures = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-nowarn", "-proc:none", "-cp", classPath(), source.toString());
        assertThat(failures).isZero();
        Path jar = folder.resolve("whisper.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new JarEntry("Whisper.class"));
            out.write(Files.readAllBytes(folder.resolve("Whisper.class")));
        }
        List<String> resources = List.of(jar.toString(), "hdfs://elsewhere/x.jar", "file:not a uri");
        metastore.catalog().createFunction(new Function("default", "whisper", "Whisper", "test", 0, resources));
        assertThat(functions.resources()).containsExactly(jar.toUri().toString());
        assertThat(functions.jars()).isEmpty();
        assertThat(functions.catalog().kind("whisper")).contains(FunctionCatalog.Kind.SCALAR);
        metastore.catalog().dropFunction("default", "whisper");
        assertThat(functions.resources()).isEmpty();
    }

    /** Returns the location of the class that the test's function extends. */
    private static String classPath() {
        return GenericUDF.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
    }

    @Test
    void theJarsOfASessionHaveALimitTogether() throws IOException {
        Path folder = Files.createDirectories(metastore.folder().resolve("jars"));
        Path small = Files.write(folder.resolve("small.jar"), new byte[600]);
        Path large = Files.write(folder.resolve("large.jar"), new byte[401]);
        try (Session bound = new Session(
                "test",
                metastore.catalog(),
                new SessionSettings(KnownSettings.NONE, Map.of("skep.session.max-jars-size", "1000")))) {
            UserFunctions limited = bound.userFunctions();
            limited.addJar(small);
            limited.addJar(small);
            limited.addJar(folder);
            assertThatThrownBy(() -> limited.addJar(large)).isInstanceOfSatisfying(SkepException.class, e -> {
                assertThat(e.code()).isEqualTo(StandardErrorCode.DISK_FULL);
                assertThat(e.fullMessage()).contains("large.jar", "1001 bytes", "skep.session.max-jars-size");
            });
            assertThat(limited.jars())
                    .containsExactly(small.toUri().toString(), folder.toUri().toString());
            limited.removeJar(small.toString());
            limited.addJar(large);
        }
    }

    @Test
    void takesInSettings() {
        FunctionCatalog first = functions.catalog();
        Object registry = functions.registry();
        session.settings().set("hive.local.time.zone", "Asia/Tokyo");
        assertThat(functions.catalog()).isNotSameAs(first);
        assertThat(functions.registry()).isNotSameAs(registry);
    }
}
