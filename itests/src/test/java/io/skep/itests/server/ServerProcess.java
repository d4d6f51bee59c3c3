package io.skep.itests.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A server in a process of its own, for tests that kill it or want other settings than the server that tests share. */
public record ServerProcess(Process process, String url, String uiUrl) {
    private static final long PAUSE_NANOS = 5_000_000;

    /**
     * Starts a server, without the queries that it asks itself, and waits until it is ready.
     *
     * @param data its data folder; the log and the settings' folder go beside it
     * @param site settings as of hive-site.xml
     */
    public static ServerProcess start(Path data, Map<String, String> site) throws IOException {
        Path properties = data.resolve("server.properties");
        Files.deleteIfExists(properties);
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + Path.of(System.getProperty("skep.home"), "bin", "jvm.flags"),
                "-Xmx1g",
                "-Duser.timezone=UTC",
                "-cp",
                System.getProperty("java.class.path"),
                "io.skep.service.ServerMain",
                "--port",
                "0",
                "--ui-port",
                "0",
                "--data",
                data.toString(),
                "--conf",
                conf(data.resolveSibling(data.getFileName() + ".conf"), site).toString());
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(data.resolveSibling(data.getFileName() + ".log").toFile())
                .start();
        await(() -> Files.exists(properties) || !process.isAlive());
        Properties ready = new Properties();
        try (var in = Files.newInputStream(properties)) {
            ready.load(in);
        }
        return new ServerProcess(process, ready.getProperty("jdbc.url"), ready.getProperty("ui.url"));
    }

    static Path conf(Path folder, Map<String, String> site) throws IOException {
        Map<String, String> settings = new TreeMap<>(site);
        settings.putIfAbsent("skep.server.training-queries", "0");
        StringBuilder xml = new StringBuilder("<configuration>");
        settings.forEach((name, value) -> xml.append("<property><name>")
                .append(name)
                .append("</name><value>")
                .append(value)
                .append("</value></property>"));
        Files.writeString(Files.createDirectories(folder).resolve("hive-site.xml"), xml + "</configuration>");
        return folder;
    }

    public static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
