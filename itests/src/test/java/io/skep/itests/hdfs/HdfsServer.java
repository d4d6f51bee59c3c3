package io.skep.itests.hdfs;

import io.skep.itests.server.TestServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;

/** A server with its warehouse on HDFS, and that HDFS. */
public final class HdfsServer implements AutoCloseable {
    private final HadoopProcess hadoop;
    private final TestServer server;

    private HdfsServer(HadoopProcess hadoop, TestServer server) {
        this.hadoop = hadoop;
        this.server = server;
    }

    /**
     * Two DataNodes, which both hold everything.
     *
     * @param site more settings of the server
     */
    public static HdfsServer start(Map<String, String> site) {
        try {
            HadoopProcess hadoop = HadoopProcess.start(2, Map.of("dfs.replication", "2"));
            try {
                Map<String, String> settings = new HashMap<>(site);
                settings.putAll(settings(hadoop));
                return new HdfsServer(hadoop, TestServer.start(settings));
            } catch (RuntimeException e) {
                hadoop.close();
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a site sets that has its tables on HDFS. */
    static Map<String, String> settings(HadoopProcess hadoop) {
        return Map.of(
                "fs.defaultFS",
                hadoop.uri(),
                "dfs.replication",
                "2",
                "hive.metastore.warehouse.dir",
                "/user/warehouse");
    }

    public HadoopProcess hadoop() {
        return hadoop;
    }

    public TestServer server() {
        return server;
    }

    @Override
    public void close() {
        try {
            server.close();
        } finally {
            hadoop.close();
        }
    }
}
