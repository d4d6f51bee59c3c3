package io.skep.itests.hdfs;

import io.skep.itests.server.TestServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.security.UserGroupInformation;

/** A server whose warehouse is on HDFS, together with that HDFS. */
public final class HdfsServer implements AutoCloseable {
    /** Users for whom the server may act on HDFS. */
    static final String PROXIED = "alice,bob";

    private final HadoopProcess hadoop;
    private final TestServer server;

    private HdfsServer(HadoopProcess hadoop, TestServer server) {
        this.hadoop = hadoop;
        this.server = server;
    }

    /**
     * Starts a server with two DataNodes, each of which stores all blocks.
     *
     * @param site additional settings of the server
     */
    public static HdfsServer start(Map<String, String> site) {
        try {
            HadoopProcess hadoop = HadoopProcess.start(2, hadoopSettings());
            try {
                Map<String, String> settings = new HashMap<>(site);
                settings.putAll(settings(hadoop));
                settings.put("skep.script.enabled", "true");
                return new HdfsServer(hadoop, TestServer.start(settings));
            } catch (RuntimeException e) {
                hadoop.close();
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns those of the NameNode, which lets this process act for the users {@link #PROXIED}. */
    private static Map<String, String> hadoopSettings() throws IOException {
        String proxy = "hadoop.proxyuser." + UserGroupInformation.getLoginUser().getShortUserName();
        return Map.of("dfs.replication", "2", proxy + ".hosts", "*", proxy + ".users", PROXIED);
    }

    /** Returns the settings of a site whose tables are on HDFS. */
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
