package io.skep.itests.external;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.client.ReleasedJars;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.hadoop.mapred.JobConf;

/**
 * Runs {@link MapredProgram} with skep-llap-client.jar, Hadoop and the released JDBC driver on its class path, and
 * without flags for the JVM.
 */
final class MapredProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;
    private final Path log;
    private final List<String> seen = new ArrayList<>();

    private MapredProcess(Process process, Path log) {
        this.process = process;
        this.output = process.inputReader(StandardCharsets.UTF_8);
        this.log = log;
    }

    /** What a program has printed about a job. */
    record Answer(List<String> lines) {
        /** Returns the values of the rows. */
        List<List<String>> rows() {
            assertThat(error()).isEmpty();
            return lines.stream()
                    .filter(line -> line.startsWith("row "))
                    .map(line -> List.of(line.substring("row ".length()).split("\t", -1)))
                    .toList();
        }

        /** Returns the text of the exception with which the job has ended; empty when there was none. */
        String error() {
            return lines.stream()
                    .dropWhile(line -> !line.startsWith("IOException: "))
                    .collect(Collectors.joining("\n"));
        }
    }

    /**
     * @param folder for the program and its log
     * @param withDriver whether the JDBC driver is there
     */
    static MapredProcess start(Path folder, boolean withDriver) throws IOException {
        Path log = Files.createTempFile(folder, "mapred", ".log");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:TieredStopAtLevel=1",
                        "-Duser.timezone=UTC",
                        "-cp",
                        classPath(folder, withDriver),
                        MapredProgram.class.getName())
                .redirectError(log.toFile())
                .start();
        return new MapredProcess(process, log);
    }

    /** Runs a job to its end. */
    Answer run(String format, int splits, Map<String, String> job) throws IOException {
        send(format, splits, -1, job);
        return finish();
    }

    /** Starts a job, which waits after some rows. */
    void runUntil(long rows, String format, int splits, Map<String, String> job) throws IOException {
        send(format, splits, rows, job);
        seen.addAll(linesUntil("paused"));
    }

    private void send(String format, int splits, long pause, Map<String, String> job) throws IOException {
        List<String> fields = new ArrayList<>(List.of(format, Integer.toString(splits), Long.toString(pause)));
        job.forEach((name, value) -> fields.add(name + "=" + value));
        writeLine(String.join("\t", fields));
    }

    private static String classPath(Path folder, boolean withDriver) throws IOException {
        List<Path> path = new ArrayList<>();
        path.add(program(folder));
        path.add(ClientJars.find("skep-llap-client.jar", List.of("reader", "memory", "mapred")));
        path.add(jarOf(JobConf.class));
        path.addAll(ReleasedJars.list().stream()
                .filter(jar -> withDriver || !jar.getFileName().toString().startsWith("hive-"))
                .toList());
        return path.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    /** Copies the program alone, so that no other class of the tests is there. */
    private static Path program(Path folder) throws IOException {
        String name = MapredProgram.class.getName().replace('.', '/') + ".class";
        Path copy = folder.resolve("program").resolve(name);
        if (!Files.exists(copy)) {
            Files.createDirectories(copy.getParent());
            try (var in =
                    Objects.requireNonNull(MapredProgram.class.getClassLoader().getResourceAsStream(name))) {
                Files.copy(in, copy);
            }
        }
        return folder.resolve("program");
    }

    private static Path jarOf(Class<?> type) throws IOException {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }

    private List<String> linesUntil(String last) throws IOException {
        List<String> lines = new ArrayList<>(seen);
        seen.clear();
        for (String line = output.readLine(); !last.equals(line); line = output.readLine()) {
            if (line == null) {
                throw new IOException("the program has ended: " + lines + Files.readString(log));
            }
            lines.add(line);
        }
        return lines;
    }

    /** Lets a job that waits go on, and returns all its rows. */
    Answer resume() throws IOException {
        writeLine("");
        return finish();
    }

    private void writeLine(String line) throws IOException {
        process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    private Answer finish() throws IOException {
        return new Answer(linesUntil("end"));
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
