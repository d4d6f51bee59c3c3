package io.skep.itests.server;

import io.skep.common.testing.Polling;
import io.skep.itests.client.ReleasedJars;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Hive's metastore service in a process of its own, on the class path of {@code bin/skep metastore}.
 *
 * @param uri the address for clients
 */
public record MetastoreProcess(Process process, String uri, Path log) implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /**
     * Starts the service on a free port and waits until it serves.
     *
     * @param data data folder of the server; the log and the settings' folder are created next to it
     * @throws IOException with its log if it ends instead, or does not serve in time
     */
    static MetastoreProcess start(Path data, Map<String, String> site) throws IOException {
        return start(data, site, List.of());
    }

    /** @param within a command that runs the command after it */
    public static MetastoreProcess start(Path data, Map<String, String> site, List<String> within) throws IOException {
        Path log = data.resolveSibling(data.getFileName() + ".metastore.log");
        Process process = launch(data, site, log, within, List.of("--port", "0"));
        boolean inTime = Polling.comesTrue(PATIENCE, () -> ready(log).isPresent() || !process.isAlive());
        Optional<String> uri = ready(log);
        if (!inTime || uri.isEmpty()) {
            process.destroyForcibly();
            throw new IOException("the metastore service does not serve; its log:\n" + Files.readString(log));
        }
        return new MetastoreProcess(process, uri.get(), log);
    }

    /**
     * Launches a service that may refuse to start.
     *
     * @param more options besides the folders
     */
    static Process launch(Path data, Map<String, String> site, Path log, List<String> more) throws IOException {
        return launch(data, site, log, List.of(), more);
    }

    private static Process launch(Path data, Map<String, String> site, Path log, List<String> within, List<String> more)
            throws IOException {
        Path conf = data.resolveSibling(data.getFileName() + ".metastore.conf");
        ServerProcess.writeSite(conf, site);
        List<String> arguments = new ArrayList<>(List.of("--data", data.toString(), "--conf", conf.toString()));
        arguments.addAll(more);
        List<String> command = new ArrayList<>(within);
        command.addAll(
                SkepCommand.of(classPath(), List.of("-Xmx512m"), "io.skep.metastore.service.MetastoreMain", arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    /** As in bin/lib.sh: the service's own Jetty in the place of the server's. */
    private static List<String> classPath() throws IOException {
        List<String> classPath = new ArrayList<>(SkepCommand.classPath());
        classPath.removeIf(path -> Path.of(path).getFileName().toString().startsWith("jetty-"));
        try (Stream<Path> own = Files.list(ReleasedJars.home().resolve("dist/metastore-lib"))) {
            own.map(Path::toString).sorted().forEach(jar -> classPath.add(0, jar));
        }
        return classPath;
    }

    private static Optional<String> ready(Path log) {
        try (Stream<String> lines = Files.lines(log)) {
            return lines.filter(line -> line.startsWith("ready: "))
                    .map(line -> line.split(" ")[1])
                    .findFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Terminates the process normally, and kills it if it does not exit. */
    @Override
    public void close() {
        process.destroy();
        ServerProcess.awaitEnd(process);
    }
}
