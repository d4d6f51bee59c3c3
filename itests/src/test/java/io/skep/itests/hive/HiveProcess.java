package io.skep.itests.hive;

import io.skep.common.testing.Polling;
import io.skep.itests.server.ServerProcess;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** HiveServer2 with its metastore and Tez in one process, over the data folder of a stopped Skep server. */
record HiveProcess(Process process, String url) implements AutoCloseable {
    private static final Duration PROBE = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofMinutes(20);

    /** The packages that Hive and Hadoop access by reflection on Java 17. */
    private static final List<String> OPENED = List.of(
            "java.lang",
            "java.lang.invoke",
            "java.lang.reflect",
            "java.io",
            "java.net",
            "java.nio",
            "java.util",
            "java.util.concurrent",
            "java.util.concurrent.atomic",
            "java.util.regex",
            "java.time",
            "java.math",
            "sun.nio.ch",
            "sun.nio.cs",
            "sun.security.action",
            "sun.util.calendar");

    /** Settings whose values do not depend on a folder. */
    private static final Map<String, String> SITE = Map.ofEntries(
            Map.entry("fs.defaultFS", "file:///"),
            Map.entry("javax.jdo.option.ConnectionDriverName", "org.apache.derby.jdbc.EmbeddedDriver"),
            Map.entry("hive.metastore.uris", ""),
            Map.entry("hive.metastore.schema.verification", "false"),
            Map.entry("hive.metastore.event.db.notification.api.auth", "false"),
            // The default would turn managed tables into external ones.
            Map.entry("metastore.metadata.transformer.class", " "),
            Map.entry("metastore.housekeeping.threads.on", "false"),
            Map.entry("hive.compactor.initiator.on", "false"),
            Map.entry("hive.notification.event.poll.interval", "0"),
            Map.entry("hive.scheduled.queries.executor.enabled", "false"),
            Map.entry("hive.server2.thrift.bind.host", "127.0.0.1"),
            Map.entry("hive.server2.authentication", "NONE"),
            Map.entry("hive.server2.enable.doAs", "false"),
            Map.entry("hive.server2.webui.port", "0"),
            Map.entry("hive.server2.logging.operation.enabled", "false"),
            Map.entry("hive.server2.materializedviews.registry.impl", "DEFAULT"),
            Map.entry("hive.execution.engine", "tez"),
            Map.entry("hive.execution.mode", "container"),
            Map.entry("tez.local.mode", "true"),
            Map.entry("tez.ignore.lib.uris", "true"),
            Map.entry("tez.use.cluster.hadoop-libs", "true"),
            Map.entry("tez.runtime.optimize.local.fetch", "true"),
            // In Hive, tasks that run in one process share state.
            Map.entry("tez.am.inline.task.execution.max-tasks", "1"),
            Map.entry("tez.task.am.heartbeat.interval-ms.max", "10"),
            Map.entry("tez.task.get-task.sleep.interval-ms.max", "5"),
            Map.entry("tez.session.am.dag.submit.timeout.secs", "86400"),
            Map.entry("tez.dag.recovery.enabled", "false"),
            Map.entry("tez.runtime.io.sort.mb", "24"),
            Map.entry("tez.runtime.unordered.output.buffer.size-mb", "10"),
            Map.entry("hive.tez.container.size", "512"),
            Map.entry("hive.tez.exec.inplace.progress", "false"),
            Map.entry("mapreduce.framework.name", "local"),
            Map.entry("hive.support.concurrency", "false"),
            Map.entry("hive.query.results.cache.enabled", "false"),
            // Without this setting Hive lets Derby merge the bounds of decimals across partitions, which truncates
            // their fractions.
            Map.entry("hive.stats.fetch.bitvector", "true"),
            Map.entry("hive.exec.dynamic.partition.mode", "nonstrict"));

    /** Settings whose values are folders. */
    private static final List<String> FOLDERS = List.of(
            "hadoop.tmp.dir",
            "tez.staging-dir",
            "hive.exec.scratchdir",
            "hive.exec.local.scratchdir",
            "hive.downloaded.resources.dir",
            "hive.querylog.location",
            "hive.user.install.directory",
            "hive.jar.directory",
            "mapreduce.jobtracker.staging.root.dir",
            "mapreduce.cluster.local.dir");

    /**
     * Starts Hive and waits until it accepts connections.
     *
     * @param home a folder whose {@code lib} holds the jars of Hive, Hadoop and Tez
     * @param java the command of a Java that this Hive runs on
     * @param data the data folder of a Skep server
     * @param folder the folder for files of its own
     */
    static HiveProcess start(Path home, String java, Path data, Path folder) throws IOException {
        return start(home, java, data, folder, Map.of());
    }

    /** @param more settings that replace the others */
    static HiveProcess start(Path home, String java, Path data, Path folder, Map<String, String> more)
            throws IOException {
        int port = freePort();
        Path log = folder.resolve("hive.log");
        conf(data, folder, port, more);
        List<String> command = new ArrayList<>(List.of(java, "-Xmx2g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        for (String opened : OPENED) {
            command.addAll(List.of("--add-opens", "java.base/" + opened + "=ALL-UNNAMED"));
        }
        command.addAll(List.of(
                "--add-opens",
                "java.sql/java.sql=ALL-UNNAMED",
                "-Duser.timezone=UTC",
                "-Dproc_hiveserver2",
                "-Dderby.stream.error.file=" + folder.resolve("derby.log"),
                "-cp",
                classPath(folder.resolve("conf"), home),
                "org.apache.hive.service.server.HiveServer2"));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        try {
            awaitAnswer(process, port, log);
        } catch (IOException | RuntimeException e) {
            process.destroyForcibly();
            throw e;
        }
        return new HiveProcess(process, "jdbc:hive2://127.0.0.1:" + port + "/default");
    }

    private static void awaitAnswer(Process process, int port, Path log) throws IOException {
        Polling.await("Hive answers; see " + log)
                .pollInterval(PROBE)
                .atMost(PATIENCE)
                .until(() -> answers(port) || !process.isAlive());
        if (!process.isAlive()) {
            throw new IOException("Hive has ended with " + process.exitValue() + "; see " + log);
        }
    }

    private static void conf(Path data, Path folder, int port, Map<String, String> more) throws IOException {
        Map<String, String> site = new TreeMap<>(SITE);
        site.put("javax.jdo.option.ConnectionURL", "jdbc:derby:;databaseName=" + data.resolve("metastore"));
        site.put("hive.metastore.warehouse.dir", "file:" + data.resolve("warehouse"));
        site.put("hive.metastore.warehouse.external.dir", "file:" + data.resolve("warehouse"));
        site.put("hive.server2.thrift.port", Integer.toString(port));
        for (String setting : FOLDERS) {
            Path own = Files.createDirectories(folder.resolve(setting));
            own.toFile().setWritable(true, false);
            site.put(setting, own.toString());
        }
        site.putAll(more);
        Path conf = folder.resolve("conf");
        ServerProcess.writeSite(conf, site);
        Files.writeString(conf.resolve("tez-site.xml"), "<configuration/>");
        Files.writeString(conf.resolve("hive-log4j2.properties"), """
                status = ERROR
                name = hive
                appender.out.type = Console
                appender.out.name = out
                appender.out.layout.type = PatternLayout
                appender.out.layout.pattern = %d{HH:mm:ss,SSS} %-5p [%t] %c{2}: %m%n
                rootLogger.level = WARN
                rootLogger.appenderRef.out.ref = out
                """);
    }

    private static String classPath(Path conf, Path home) throws IOException {
        List<String> path = new ArrayList<>(List.of(conf.toString()));
        try (Stream<Path> jars = Files.list(home.resolve("lib"))) {
            jars.map(Path::toString)
                    .filter(jar -> jar.endsWith(".jar"))
                    .sorted()
                    .forEach(path::add);
        }
        return String.join(File.pathSeparator, path);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static boolean answers(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), (int) PROBE.toMillis());
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        process.destroy();
        ServerProcess.awaitEnd(process);
    }
}
