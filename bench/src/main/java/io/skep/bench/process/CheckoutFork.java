package io.skep.bench.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** A server or a daemon of this or another checkout, started by the checkout's {@code bin/skep}. */
public final class CheckoutFork implements AutoCloseable {
    private static final String READY = "ready: ";

    private final Process process;
    private final String address;

    private CheckoutFork(Process process, String address) {
        this.process = process;
        this.address = address;
    }

    /**
     * Starts a server on free ports, without its cache of results, and waits until it is ready. Its address is a JDBC
     * URL.
     */
    public static CheckoutFork server(Path checkout, Path data, Map<String, String> site) throws IOException {
        Map<String, String> settings = new HashMap<>(site);
        settings.putIfAbsent("hive.query.results.cache.enabled", "false");
        return start(checkout, List.of("server"), data, settings);
    }

    /** Starts a daemon on free ports and waits until it is ready. Its address is {@code llap://host:port}. */
    public static CheckoutFork daemon(Path checkout, Path data, Map<String, String> site) throws IOException {
        return start(checkout, List.of("llap", "start", "--standalone"), data, site);
    }

    private static CheckoutFork start(Path checkout, List<String> command, Path data, Map<String, String> site)
            throws IOException {
        Configuration settings = new Configuration(false);
        site.forEach(settings::set);
        Files.createDirectories(data);
        try (Writer writer = Files.newBufferedWriter(data.resolve("skep-site.xml"))) {
            settings.writeXml(writer);
        }
        List<String> line = new ArrayList<>();
        line.add(checkout.resolve("bin/skep").toString());
        line.addAll(command);
        line.addAll(List.of("--port", "0", "--ui-port", "0", "--data", data.toString(), "--conf", data.toString()));
        Path log = data.resolve("process.log");
        Process process = new ProcessBuilder(line).redirectError(log.toFile()).start();
        // The reader stays open. The process prints nothing more to it.
        BufferedReader output = process.inputReader();
        for (String said = output.readLine(); said != null; said = output.readLine()) {
            if (said.startsWith(READY)) {
                return new CheckoutFork(process, said.substring(READY.length()).split(" ")[0]);
            }
        }
        process.destroyForcibly();
        throw new IOException(checkout + " did not start; see " + log);
    }

    public String address() {
        return address;
    }

    /** Returns the processor time so far. */
    public double cpuMillis() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e6;
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
