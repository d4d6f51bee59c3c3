package io.skep.itests.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.skep.common.testing.Polling;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** A daemon in its own process, for tests that run queries on it, stop it or kill it. */
public record StartedDaemon(Process process, String endpoint, String uiUrl, Path log) implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Starts a daemon on a free port and waits until it is ready. */
    public static StartedDaemon start(Path data, Map<String, String> site) throws IOException {
        return start(List.of(), data, 0, site);
    }

    /**
     * @param prefix the prefix of its command
     * @param data its folder; the log and the settings' folder are created next to it
     */
    public static StartedDaemon start(List<String> prefix, Path data, int port, Map<String, String> site)
            throws IOException {
        Path note = data.resolve("daemon.properties");
        Files.createDirectories(data);
        Files.deleteIfExists(note);
        Path log = data.resolveSibling(data.getFileName() + ".log");
        Process process = launch(prefix, data, port, site, log);
        ServerProcess.awaitReady("the daemon", process, note, log);
        Properties ready = new Properties();
        try (var in = Files.newInputStream(note)) {
            ready.load(in);
        }
        return new StartedDaemon(process, ready.getProperty("rpc"), ready.getProperty("ui.url"), log);
    }

    /** Launches a daemon that may refuse to start. */
    static Process launch(List<String> prefix, Path data, int port, Map<String, String> site, Path log)
            throws IOException {
        Map<String, String> settings = new TreeMap<>(site);
        settings.putIfAbsent("hive.llap.io.memory.size", "64mb");
        Path conf = ServerProcess.conf(data.resolveSibling(data.getFileName() + ".conf"), settings);
        List<String> command = new ArrayList<>(prefix);
        command.addAll(SkepCommand.of(
                List.of("-Xmx512m"),
                "io.skep.llap.server.process.DaemonMain",
                List.of(
                        "--port",
                        Integer.toString(port),
                        "--ui-port",
                        "0",
                        "--data",
                        data.toString(),
                        "--conf",
                        conf.toString())));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    int port() {
        return Integer.parseInt(endpoint.substring(endpoint.lastIndexOf(':') + 1));
    }

    /** Returns a metric from its pages. */
    public long metric(String group, String name) throws IOException {
        return metric(uiUrl, group, name);
    }

    /** Returns a metric from the pages at an address. */
    public static long metric(String pages, String group, String name) throws IOException {
        JsonNode stats;
        try (InputStream answer = URI.create(pages + "api/figures").toURL().openStream()) {
            stats = JSON.readTree(answer);
        }
        for (JsonNode metric : stats) {
            if (metric.get("group").asText().equals(group)
                    && metric.get("name").asText().equals(name)) {
                return metric.get("value").asLong();
            }
        }
        throw new AssertionError("there is no figure " + group + ": " + name);
    }

    /** Returns what the daemon still holds of queries. Waits for a bounded time until it holds nothing. */
    public List<String> leftovers() throws IOException {
        return leftovers(uiUrl);
    }

    /**
     * Returns what the daemon with pages at an address still holds of queries. Waits for a bounded time until it holds
     * nothing.
     */
    public static List<String> leftovers(String pages) throws IOException {
        return Polling.comesTrue(PATIENCE, () -> held(pages).isEmpty()) ? List.of() : held(pages);
    }

    private static List<String> held(String pages) throws IOException {
        List<String> held = new ArrayList<>();
        note(held, pages, "Connections", "queries");
        note(held, pages, "Executors", "tasks");
        note(held, pages, "Memory", "reserved by queries");
        note(held, pages, "Memory", "between tasks");
        note(held, pages, "Files", "read ahead");
        note(held, pages, "Files", "pending reads");
        note(held, pages, "Files", "spill files");
        return held;
    }

    private static void note(List<String> held, String pages, String group, String name) throws IOException {
        long value = metric(pages, group, name);
        if (value != 0) {
            held.add(value + " " + name);
        }
    }

    /** Sends the daemon a signal, such as STOP. */
    public void signal(String name) throws IOException, InterruptedException {
        ServerProcess.signal(process.toHandle(), name);
    }

    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Terminates the daemon normally, and kills it if it does not exit. */
    @Override
    public void close() {
        process.destroy();
        ServerProcess.awaitEnd(process);
    }
}
