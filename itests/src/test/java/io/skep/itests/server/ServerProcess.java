package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.testing.Polling;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** A server in its own process, for tests that kill it or need settings other than those of the shared server. */
public record ServerProcess(Process process, String url, String uiUrl) implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final long END_SECONDS = 60;
    private static final int TAIL = 40;

    /**
     * Starts a server without its own training queries, and waits until it is ready.
     *
     * @param data its data folder; the log and the settings' folder are created next to it
     * @param site settings as in hive-site.xml
     * @throws IOException with the end of its log if it exits instead, or is not ready in time
     */
    public static ServerProcess start(Path data, Map<String, String> site) throws IOException {
        return start(data, site, List.of());
    }

    /**
     * Starts a server with the compilers of production, for tests at the limit of the heap. Without C2, a server of
     * {@link TestLongValues} ran out of memory in most runs.
     */
    static ServerProcess startWithC2(Path data, Map<String, String> site) throws IOException {
        return start(data, site, List.of(), SkepCommand.WITH_C2);
    }

    /** @param within a command that runs the command after it, such as one that sets limits */
    public static ServerProcess start(Path data, Map<String, String> site, List<String> within) throws IOException {
        return start(data, site, within, List.of());
    }

    private static ServerProcess start(Path data, Map<String, String> site, List<String> within, List<String> flags)
            throws IOException {
        Path properties = data.resolve("server.properties");
        Files.deleteIfExists(properties);
        Path log = data.resolveSibling(data.getFileName() + ".log");
        Process process = launch(data, site, log, within, flags);
        awaitReady("the server", process, properties, log);
        Properties ready = new Properties();
        try (var in = Files.newInputStream(properties)) {
            ready.load(in);
        }
        return new ServerProcess(process, ready.getProperty("jdbc.url"), ready.getProperty("ui.url"));
    }

    private static Process launch(
            Path data, Map<String, String> site, Path log, List<String> within, List<String> flags) throws IOException {
        Path conf = conf(data.resolveSibling(data.getFileName() + ".conf"), site);
        List<String> command = new ArrayList<>(within);
        List<String> all = new ArrayList<>(List.of("-Xmx1g", "-Dskep.home=" + System.getProperty("skep.home")));
        all.addAll(flags);
        command.addAll(SkepCommand.of(
                all,
                "io.skep.service.ServerMain",
                List.of("--port", "0", "--ui-port", "0", "--data", data.toString(), "--conf", conf.toString())));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    /**
     * Waits until a process has written the file that signals that it is ready.
     *
     * @throws IOException with the end of its log if it exits instead, or does not become ready in time; then it is
     *     killed
     */
    static void awaitReady(String what, Process process, Path note, Path log) throws IOException {
        boolean inTime = Polling.comesTrue(PATIENCE, () -> Files.exists(note) || !process.isAlive());
        if (Files.exists(note) && process.isAlive()) {
            return;
        }
        process.destroyForcibly();
        String end = inTime ? "has ended with " + process.exitValue() : "was not ready in time";
        List<String> lines = Files.readAllLines(log);
        throw new IOException(what + " " + end + "; the end of its log:\n"
                + String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL), lines.size())));
    }

    static Path conf(Path folder, Map<String, String> site) throws IOException {
        Map<String, String> settings = new TreeMap<>(site);
        settings.putIfAbsent("skep.server.warmup-queries", "0");
        // Queries that a test repeats have to run.
        settings.putIfAbsent("hive.query.results.cache.enabled", "false");
        writeSite(folder, settings);
        return folder;
    }

    /** Writes a hive-site.xml. */
    public static void writeSite(Path folder, Map<String, String> settings) throws IOException {
        StringBuilder xml = new StringBuilder("<configuration>");
        settings.forEach((name, value) -> xml.append("<property><name>")
                .append(name)
                .append("</name><value>")
                .append(value.replace("&", "&amp;").replace("<", "&lt;"))
                .append("</value></property>"));
        Files.writeString(Files.createDirectories(folder).resolve("hive-site.xml"), xml + "</configuration>");
    }

    /** Waits for a condition. Fails if it has not become true within some minutes. */
    public static void await(Callable<Boolean> condition) {
        Polling.await("a condition").atMost(PATIENCE).until(condition);
    }

    /** Returns one of its pages, or an answer of its API. */
    public String page(String path) {
        try (InputStream in = URI.create(uiUrl).resolve(path).toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends the process a signal, such as STOP. */
    public void signal(String name) throws IOException, InterruptedException {
        signal(process.toHandle(), name);
    }

    /** Sends a process a signal, such as STOP. */
    public static void signal(ProcessHandle process, String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start();
        assertThat(kill.waitFor()).isZero();
    }

    /** Terminates the process normally, and kills it if it does not exit. */
    @Override
    public void close() {
        process.destroy();
        awaitEnd(process);
    }

    /** Waits until a process that was asked to exit has exited, and kills it if it does not. */
    public static void awaitEnd(Process process) {
        process.onExit()
                .completeOnTimeout(process, END_SECONDS, TimeUnit.SECONDS)
                .join();
        process.destroyForcibly().onExit().join();
    }
}
