package io.skep.itests.external;

import static io.skep.itests.server.AuthorizedServer.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.client.ReleasedJars;
import io.skep.itests.server.AuditLines;
import io.skep.itests.server.AuthorizedServer;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the released Pig reads through skep-pig.jar, in its local mode. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
final class TestSkepLoader {
    private Path folder;
    private AuthorizedServer site;
    private Connection root;

    @BeforeAll
    void open(@TempDir Path temporary) throws Exception {
        folder = temporary;
        site = AuthorizedServer.start(folder, List.of("root", "ann"), "secret", Map.of("skep.flight.port", "0"));
        root = site.connect("root");
        run(root, "set role admin");
        ExternalTables.create(root);
        ExternalTables.createSecrets(root, "ann");
        run(root, "grant select on table many to user ann");
        run(root, "grant select on table kinds to user ann");
    }

    @AfterAll
    void close() throws Exception {
        root.close();
        site.close();
    }

    /** The exit status of a script and what Pig has said. */
    private record Answer(int status, String log) {}

    private Answer pig(String script) throws Exception {
        Path file = Files.createTempFile(folder, "script", ".pig");
        Files.writeString(file, "set llap.if.user 'ann';\nset llap.if.pwd 'secret';\n" + script);
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath(),
                        "org.apache.pig.Main",
                        "-x",
                        "local",
                        file.toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        try {
            String log = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Answer(process.waitFor(), log);
        } finally {
            process.destroyForcibly();
        }
    }

    /** Hadoop of its own release before what the JDBC driver was released with. */
    private static String classPath() throws IOException {
        List<Path> path = new ArrayList<>();
        path.add(ClientJars.find("skep-pig.jar", List.of("reader", "memory", "mapred", "pig")));
        path.addAll(jars("pig-lib"));
        path.addAll(jars("hadoop-cluster-lib"));
        path.addAll(ReleasedJars.list().stream()
                .filter(jar -> !jar.getFileName().toString().matches("(hadoop|log4j|slf4j|guava|jline|jersey)-.*"))
                .toList());
        return path.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    private static List<Path> jars(String name) throws IOException {
        try (Stream<Path> files = Files.list(ReleasedJars.home().resolve("dist").resolve(name))) {
            return files.sorted().toList();
        }
    }

    private List<String> stored(String name) throws IOException {
        List<String> lines = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder.resolve(name))) {
            for (Path part : files.filter(file -> file.getFileName().toString().startsWith("part"))
                    .sorted()
                    .toList()) {
                lines.addAll(Files.readAllLines(part));
            }
        }
        return lines;
    }

    @Test
    void rowsOfQueriesAndTheirTypes() throws Exception {
        Answer answer = pig("""
                set llap.if.hs2.connection '%s';
                kinds = LOAD 'default' USING io.skep.pig.SkepLoader('select b, t, s, i, l, d, x, v, dt, ts, p, a, st,
                    map("k", i) as m from kinds where i = 3');
                DESCRIBE kinds;
                STORE kinds INTO 'kinds';
                patients = LOAD 'sales' USING io.skep.pig.SkepLoader('select id, name from secrets');
                STORE patients INTO 'patients';
                many = LOAD 'default' USING io.skep.pig.SkepLoader('%s', 'select * from many');
                some = FILTER many BY part == 3;
                words = FOREACH some GENERATE w;
                STORE words INTO 'words';
                """.formatted(
                site.server().jdbcUrl(), site.server().flight().orElseThrow().location()));
        assertThat(answer.status()).as(answer.log()).isZero();
        assertThat(answer.log())
                .contains("kinds: {b: boolean,t: int,s: int,i: int,l: long,d: double,x: chararray,v: chararray,"
                        + "dt: datetime,ts: datetime,p: bigdecimal,a: {element: (item: int)},"
                        + "st: (k: int,w: chararray),m: map[value: int]}");
        assertThat(stored("kinds"))
                .containsExactly("true\t1\t2\t3\t4\t1.5\ttext\tvar\t2020-02-29T00:00:00.000Z"
                        + "\t1999-12-31T23:59:59.123Z\t12.34\t{(1),(2)}\t(7,seven)\t[k#3]");
        assertThat(stored("patients")).containsExactlyInAnyOrder("1\t*1", "3\t*3");
        List<String> words = new ArrayList<>();
        for (int n = 3; n < 30_000; n += 7) {
            words.add("w" + n);
        }
        assertThat(stored("words")).containsExactlyInAnyOrderElementsOf(words);
        assertThat(AuditLines.of(folder.resolve("data").resolve("audit")))
                .anySatisfy(line -> assertThat(line.path("objects").toString())
                        .contains("\"name\":\"default.many\",\"columns\":[\"part\",\"w\"]"));
    }

    @Test
    void aColumnThatTheUserMayNotReadIsAnError() throws Exception {
        Answer answer = pig("""
                wards = LOAD 'default' USING io.skep.pig.SkepLoader('%s', 'select ward from sales.secrets');
                STORE wards INTO 'wards';
                """.formatted(site.server().flight().orElseThrow().location()));
        assertThat(answer.status()).isNotZero();
        assertThat(answer.log()).contains("Permission denied").contains("sales.secrets");
        assertThat(folder.resolve("wards")).doesNotExist();
    }
}
