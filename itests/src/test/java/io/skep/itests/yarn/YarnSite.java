package io.skep.itests.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.server.ServerProcess;
import io.skep.itests.server.StartedDaemon;
import io.skep.llap.server.yarn.ContainerMain;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.curator.test.TestingServer;

/**
 * Two daemons in containers of a YARN, found through ZooKeeper, and a server. The server's tables are on that cluster's
 * HDFS, and its Tez masters run in the cluster's containers. All of them are separate processes.
 */
final class YarnSite implements AutoCloseable {
    private final Path folder;
    private final TestingServer zooKeeper;
    private final YarnProcess yarn;
    private final LlapShell llap;
    private final List<RunningDaemon> daemons;
    private final ServerProcess server;

    private YarnSite(Path folder, TestingServer zooKeeper, YarnProcess yarn) throws IOException {
        this.folder = folder;
        this.zooKeeper = zooKeeper;
        this.yarn = yarn;
        Map<String, String> site = Map.of(
                "hive.llap.daemon.service.hosts", "@suites",
                "hive.zookeeper.quorum", zooKeeper.getConnectString(),
                "skep.llap.bind-host", "127.0.0.1");
        this.llap = new LlapShell(yarn, "suites", ContainerMain.class.getName(), site);
        llap.run("start", "--instances", "2", "--memory", "1gb", "--cores", "1");
        this.daemons = llap.daemons();
        Map<String, String> settings = new TreeMap<>(yarn.settings());
        settings.putAll(site);
        settings.put("hive.metastore.warehouse.dir", "/user/warehouse");
        settings.put("skep.script.enabled", "true");
        settings.put("tez.local.mode", "false");
        settings.put("tez.am.resource.memory.mb", "512");
        this.server = ServerProcess.start(Files.createDirectories(folder.resolve("data")), settings);
    }

    static YarnSite start() {
        try {
            Path folder = Files.createTempDirectory("skep-yarn");
            TestingServer zooKeeper = zooKeeper(folder.resolve("zookeeper"));
            YarnProcess yarn = YarnProcess.start(Files.createDirectories(folder.resolve("cluster")), 2);
            try {
                return new YarnSite(folder, zooKeeper, yarn);
            } catch (IOException | RuntimeException e) {
                yarn.close();
                zooKeeper.close();
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static TestingServer zooKeeper(Path folder) throws IOException {
        try {
            return new TestingServer(-1, folder.toFile());
        } catch (Exception e) {
            throw new IOException("ZooKeeper did not start", e);
        }
    }

    String url() {
        return server.url();
    }

    /** Returns the URI of the cluster's HDFS. */
    String files() {
        return yarn.settings().getOrDefault("fs.defaultFS", "");
    }

    /** Returns the processes of Tez's masters in containers. */
    List<ProcessHandle> masters() {
        return yarn.processes("org.apache.tez.dag.app.DAGAppMaster");
    }

    /** Checks that the daemons that were started hold nothing of queries. */
    void assertNothingLeft() {
        try {
            for (RunningDaemon daemon : daemons) {
                assertThat(StartedDaemon.leftovers(daemon.pages()))
                        .as(daemon.endpoint())
                        .isEmpty();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the number of chunks in the daemons' caches, which shows what they have read. */
    long cachedChunks() throws IOException {
        long chunks = 0;
        for (RunningDaemon daemon : daemons) {
            chunks += StartedDaemon.metric(daemon.pages(), "Cache", "chunks");
        }
        return chunks;
    }

    @Override
    public void close() throws IOException {
        server.close();
        llap.run("stop");
        yarn.close();
        zooKeeper.close();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
