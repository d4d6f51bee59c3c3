package io.skep.bench.process;

import io.skep.llap.server.process.DaemonMain;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;

/** A daemon in a separate JVM. */
public final class DaemonFork implements AutoCloseable {
    private static final Pattern READY = Pattern.compile("ready: llap://(\\S+) .*");

    private final Process process;
    private final String endpoint;

    private DaemonFork(Process process, String endpoint) {
        this.process = process;
        this.endpoint = endpoint;
    }

    /**
     * Starts a daemon on a free port and waits until it is ready.
     *
     * @param data its data folder
     */
    public static DaemonFork start(Path data, long heapBytes, Map<String, String> site) throws IOException {
        Configuration settings = new Configuration(false);
        site.forEach(settings::set);
        Files.createDirectories(data);
        try (Writer writer = Files.newBufferedWriter(data.resolve("skep-site.xml"))) {
            settings.writeXml(writer);
        }
        Process process = new ForkedJvm(List.of("-Xmx" + heapBytes))
                .start(
                        DaemonMain.class,
                        List.of("--port", "0", "--ui-port", "0", "--data", data.toString(), "--conf", data.toString()));
        // The reader stays open. The daemon prints nothing more to it.
        BufferedReader output = process.inputReader();
        String line = output.readLine();
        Matcher ready = READY.matcher(line == null ? "" : line);
        if (!ready.matches()) {
            process.destroyForcibly();
            throw new IOException("the daemon did not start; it said: " + line);
        }
        return new DaemonFork(process, ready.group(1));
    }

    /** Returns the address as host:port. */
    public String endpoint() {
        return endpoint;
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
