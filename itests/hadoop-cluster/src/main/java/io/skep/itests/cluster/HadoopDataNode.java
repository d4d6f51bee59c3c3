package io.skep.itests.cluster;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/**
 * A DataNode in a process of its own, to be stopped and killed by signals; on the loopback and free ports. Says
 * {@code ready} in one line and ends with its input.
 */
public final class HadoopDataNode {
    private HadoopDataNode() {}

    /**
     * Runs it until the input ends.
     *
     * @param arguments an empty folder and the NameNode's URI
     */
    public static void main(String[] arguments) throws IOException {
        PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        System.setOut(System.err);
        Configuration configuration = new HdfsConfiguration();
        configuration.set("dfs.datanode.data.dir", arguments[0]);
        configuration.set("fs.defaultFS", arguments[1]);
        for (String server : new String[] {"address", "ipc.address", "http.address"}) {
            configuration.set("dfs.datanode." + server, "127.0.0.1:0");
        }
        configuration.setInt("dfs.heartbeat.interval", 1);
        DataNode node = DataNode.createDataNode(new String[0], configuration);
        answers.println("ready");
        while (System.in.read() >= 0) {
            // Whatever is said to it.
        }
        node.shutdown();
        System.exit(0);
    }
}
