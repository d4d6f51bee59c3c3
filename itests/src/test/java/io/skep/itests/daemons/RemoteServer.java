package io.skep.itests.daemons;

import io.skep.itests.server.ServerProcess;
import io.skep.itests.server.StartedDaemon;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A server and two daemons, each in its own process. */
final class RemoteServer implements AutoCloseable {
    private static final int DAEMONS = 2;

    private final Path folder;
    private final List<StartedDaemon> daemons = new ArrayList<>();
    private final ServerProcess server;

    private RemoteServer(Path folder) throws IOException {
        this.folder = folder;
        try {
            for (int number = 0; number < DAEMONS; number++) {
                daemons.add(StartedDaemon.start(
                        folder.resolve("daemon" + number), Map.of("hive.llap.daemon.num.executors", "2")));
            }
            String endpoints = daemons.stream().map(StartedDaemon::endpoint).collect(Collectors.joining(","));
            this.server = ServerProcess.start(
                    Files.createDirectories(folder.resolve("data")),
                    Map.of("skep.llap.daemons", endpoints, "skep.script.enabled", "true"));
        } catch (IOException e) {
            daemons.forEach(daemon -> daemon.process().destroyForcibly());
            throw e;
        }
    }

    static RemoteServer start() {
        try {
            return new RemoteServer(Files.createTempDirectory("skep-daemons"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String url() {
        return server.url();
    }

    /** Returns what the daemons still hold of queries. Waits for a bounded time until they hold nothing. */
    List<String> leftovers() {
        List<String> left = new ArrayList<>();
        try {
            for (StartedDaemon daemon : daemons) {
                left.addAll(daemon.leftovers());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return left;
    }

    /** Returns the number of chunks in the daemons' caches, which shows what they have read. */
    long cachedChunks() throws IOException {
        long chunks = 0;
        for (StartedDaemon daemon : daemons) {
            chunks += daemon.metric("Cache", "chunks");
        }
        return chunks;
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (StartedDaemon daemon : daemons) {
            daemon.close();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
