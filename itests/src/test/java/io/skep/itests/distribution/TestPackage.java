package io.skep.itests.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.distribution.Distribution.Result;
import io.skep.itests.server.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** Unpacks a distribution and uses it as someone does who has a JDK and nothing else. Builds nothing. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestPackage {
    private static final int NOTICE_LINES = 6;
    private static final int TERMINATED = 143;

    private Distribution made;

    @BeforeAll
    void make(@TempDir Path folder) throws IOException, InterruptedException {
        made = Distribution.make(folder);
    }

    @Test
    void itsServerAnswersItsBeeline(@TempDir Path folder) throws IOException, InterruptedException {
        Path data = folder.resolve("data");
        String place = data.toString();
        Process server = made.start("server", "--port", "0", "--ui-port", "0", "--data", place);
        try {
            ServerProcess.await(() -> Files.exists(data.resolve("server.properties")) || !server.isAlive());
            ServerProcess.await(() -> lines("out").size() >= NOTICE_LINES || !server.isAlive());
            assertThat(server.isAlive()).as(String.join("\n", lines("err"))).isTrue();
            assertNotice(lines("out"), place);
            // Log lines have a time in front; the JVM's warnings and java.util.logging's lines have not.
            assertThat(lines("err")).allMatch(line -> line.matches("20\\d\\d-.* (INFO |WARN ) .*"));
            Result asked =
                    made.skep("beeline", "--data", place, "--outputformat=csv2", "-e", "SELECT 6 * 7 AS answer;");
            assertThat(asked.output()).as(asked.errors()).contains("answer\n42\n");
            assertThat(asked.output() + asked.errors()).doesNotContain("[warning]");
            Result stopped = made.skep("stop", "--data", place);
            assertThat(stopped.output()).as(stopped.errors()).isEqualTo("stopped\n");
            assertThat(server.isAlive()).isFalse();
        } finally {
            ServerProcess.awaitEnd(server);
        }
    }

    @Test
    void itsMetastoreServiceServes(@TempDir Path folder) throws IOException {
        String place = folder.resolve("data").toString();
        Process service = made.start("metastore", "--port", "0", "--data", place);
        try {
            ServerProcess.await(() -> !lines("out").isEmpty() || !service.isAlive());
            assertThat(lines("out"))
                    .as(String.join("\n", lines("err")))
                    .singleElement()
                    .asString()
                    .matches("ready: thrift://127\\.0\\.0\\.1:\\d+ \\(\\d+ ms\\)");
        } finally {
            service.destroy();
            ServerProcess.awaitEnd(service);
        }
        assertThat(service.exitValue()).isEqualTo(TERMINATED);
    }

    private static void assertNotice(List<String> lines, String data) {
        assertThat(lines).hasSize(NOTICE_LINES);
        assertThat(lines.get(0)).matches("ready: jdbc:hive2://127\\.0\\.0\\.1:\\d+/default http://\\S+ \\(\\d+ ms\\)");
        assertThat(lines.get(3)).endsWith(data);
        assertThat(lines.get(5)).contains("bin/skep beeline --data " + data);
    }

    private List<String> lines(String file) {
        try {
            return Files.readAllLines(made.home().resolveSibling(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void wrongUsageEndsWithStatusTwoAndTheUsage() throws IOException, InterruptedException {
        Result help = made.skep("help");
        assertThat(help.status()).isZero();
        assertThat(help.output()).startsWith("usage: bin/skep");
        Result command = made.skep("docter");
        assertThat(command.status()).isEqualTo(2);
        assertThat(command.errors()).contains("did you mean doctor?", "Usage: bin/skep");
        Result option = made.skep("stop", "--dta", "x");
        assertThat(option.status()).isEqualTo(2);
        assertThat(option.errors()).contains("did you mean --data?", "Usage: bin/skep stop");
        Result value = made.skep("server", "--port", "many");
        assertThat(value.status()).isEqualTo(2);
        assertThat(value.errors()).contains("'many'", "Usage: bin/skep server");
    }

    @Test
    void entriesAreSortedWithFixedOwnersAndTimes() throws IOException, InterruptedException {
        Process tar = new ProcessBuilder(
                        "tar",
                        "--utc",
                        "--full-time",
                        "--numeric-owner",
                        "-tvzf",
                        made.tarball().toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<String> names = new ArrayList<>();
        try (var output = tar.inputReader()) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                assertThat(line).matches("-rw[x-]r-[x-]r-[x-] 0/0 +\\d+ 2026-01-01 00:00:00 \\S+");
                names.add(line.substring(line.lastIndexOf(' ') + 1));
            }
        }
        assertThat(tar.waitFor()).isZero();
        List<String> packed = names.stream()
                .filter(name -> name.matches("[^/]+/(bin|conf|dist)/.*"))
                .toList();
        assertThat(packed).isSorted();
        String top = made.home().getFileName() + "/";
        assertThat(names)
                .allMatch(name -> name.startsWith(top))
                .contains(
                        top + "LICENSE",
                        top + "NOTICE",
                        top + "VERSION",
                        top + "bin/skep",
                        top + "conf/server-settings.md")
                .noneMatch(name -> name.contains("-lib/skep-bench") || name.endsWith(".java"));
    }

    @Test
    void theImageCopiesWhatThereIs() throws IOException {
        List<String> copied = new ArrayList<>();
        for (String line : Files.readAllLines(made.home().resolve("conf/docker/Dockerfile"))) {
            if (line.startsWith("COPY ")) {
                String[] words = line.split(" ");
                copied.addAll(List.of(words).subList(1, words.length - 1));
            }
        }
        assertThat(copied).contains("bin", "dist/lib");
        assertThat(copied)
                .allSatisfy(name -> assertThat(made.home().resolve(name)).exists());
    }

    @Test
    void theComposeFileNamesWhatThereIs() throws IOException {
        Path docker = made.home().resolve("conf/docker");
        Map<String, Object> compose = new Yaml().load(Files.readString(docker.resolve("compose.yaml")));
        Map<String, Object> services = map(compose.get("services"));
        assertThat(services).containsOnlyKeys("zookeeper", "postgres", "secret", "server", "daemon1", "daemon2");
        Map<String, Object> volumes = map(compose.get("volumes"));
        services.forEach((name, value) -> {
            Map<String, Object> service = map(value);
            if (service.get("build") != null) {
                Map<String, Object> build = map(service.get("build"));
                assertThat(docker.resolve(text(build, "context")).normalize()).isEqualTo(made.home());
                assertThat(made.home().resolve(text(build, "dockerfile"))).exists();
            }
            if (service.get("depends_on") != null) {
                assertThat(services)
                        .containsKeys(map(service.get("depends_on")).keySet().toArray(String[]::new));
            }
            for (Object mount : (List<?>) Objects.requireNonNullElse(service.get("volumes"), List.of())) {
                assertThat(volumes).containsKey(mount.toString().split(":")[0]);
            }
            assertConf((List<?>) Objects.requireNonNullElse(service.get("command"), List.of()));
        });
    }

    /** The folder after {@code --conf}, which is under /opt/skep in the image. */
    private void assertConf(List<?> command) {
        int at = command.indexOf("--conf");
        if (at >= 0) {
            Path conf =
                    Path.of("/opt/skep").relativize(Path.of(command.get(at + 1).toString()));
            assertThat(made.home().resolve(conf)).isDirectory();
        }
    }

    @Test
    void theUnitsStartCommandsThatThereAre() throws IOException {
        try (Stream<Path> files = Files.list(made.home().resolve("conf"))) {
            List<String> starts = files.filter(file -> file.toString().endsWith(".service"))
                    .flatMap(TestPackage::starts)
                    .sorted()
                    .toList();
            assertThat(starts)
                    .satisfiesExactly(
                            llap -> assertThat(llap).startsWith("/opt/skep/bin/skep llap start --standalone "),
                            server -> assertThat(server).startsWith("/opt/skep/bin/skep server "));
        }
    }

    private static Stream<String> starts(Path unit) {
        try {
            return Files.readAllLines(unit).stream()
                    .filter(line -> line.startsWith("ExecStart="))
                    .map(line -> line.substring("ExecStart=".length()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Map<String, Object> yaml, String key) {
        return Objects.requireNonNull(yaml.get(key), key).toString();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(@Nullable Object yaml) {
        return (Map<String, Object>) Objects.requireNonNull(yaml);
    }
}
