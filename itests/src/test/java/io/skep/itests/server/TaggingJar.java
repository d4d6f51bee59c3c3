package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;

/** A jar with a function of a user, which prepends a text to its argument. */
public final class TaggingJar {
    /** The function's class. */
    public static final String CLASS = "Tagged";

    private TaggingJar() {}

    /**
     * @param folder an empty folder
     * @param text what the function prepends
     * @param paddingBytes the least length of the jar
     */
    public static Path make(Path folder, String text, int paddingBytes) throws IOException {
        Path source = Files.writeString(
                folder.resolve(CLASS + ".java"),
                "public class " + CLASS + " extends org.apache.hadoop.hive.ql.exec.UDF {"
                        + " public String evaluate(String word) { return \"" + text + "\" + word; } }");
        int failures = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-nowarn",
                        "-proc:none",
                        "-cp",
                        System.getProperty("java.class.path"),
                        source.toString());
        assertThat(failures).isZero();
        Path jar = folder.resolve("tagging.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.setLevel(0);
            out.putNextEntry(new JarEntry(CLASS + ".class"));
            out.write(Files.readAllBytes(folder.resolve(CLASS + ".class")));
            out.putNextEntry(new JarEntry("padding"));
            out.write(new byte[paddingBytes]);
        }
        return jar;
    }
}
