package io.skep.itests.cluster;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.jspecify.annotations.Nullable;

/**
 * A NameNode and DataNodes in one process, on the loopback and free ports that they keep when they are started again. Says where
 * they are in one line, {@code ready <file system> <NameNode's pages>}, and then answers each line of its input with one line:
 * {@code done}, or {@code failed} and why. It ends with its input.
 */
public final class HadoopCluster implements AutoCloseable {
    private final MiniDFSCluster dfs;
    private final Map<String, DataNodeProperties> stopped = new HashMap<>();

    private HadoopCluster(MiniDFSCluster dfs) {
        this.dfs = dfs;
    }

    /**
     * Runs a cluster until the input ends.
     *
     * @param arguments an empty folder, the number of DataNodes, and settings as {@code name=value}
     */
    public static void main(String[] arguments) throws IOException {
        // Only answers go to the output, whatever else is printed in this process.
        PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        System.setOut(System.err);
        Configuration configuration = new HdfsConfiguration();
        // The NameNode misses a DataNode after some seconds instead of ten minutes.
        configuration.setInt("dfs.heartbeat.interval", 1);
        configuration.setInt("dfs.namenode.heartbeat.recheck-interval", 1000);
        for (int i = 2; i < arguments.length; i++) {
            String[] setting = arguments[i].split("=", 2);
            configuration.set(setting[0], setting[1]);
        }
        try (HadoopCluster cluster = start(new File(arguments[0]), Integer.parseInt(arguments[1]), configuration);
                BufferedReader commands =
                        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            answers.println(cluster.addresses());
            for (String command = commands.readLine(); command != null; command = commands.readLine()) {
                answers.println(cluster.answer(command));
            }
        }
        // Threads of Hadoop outlive the cluster.
        System.exit(0);
    }

    private static HadoopCluster start(File folder, int dataNodes, Configuration configuration) throws IOException {
        MiniDFSCluster dfs = new MiniDFSCluster.Builder(configuration, folder)
                .numDataNodes(dataNodes)
                .build();
        dfs.waitActive();
        return new HadoopCluster(dfs);
    }

    private String addresses() {
        InetSocketAddress pages = dfs.getNameNode().getHttpAddress();
        return "ready " + dfs.getURI() + " http://" + pages.getHostString() + ":" + pages.getPort();
    }

    private String answer(String command) {
        try {
            obey(command.split(" ", 2));
            return "done";
        } catch (IOException | RuntimeException e) {
            return "failed " + e.toString().lines().findFirst().orElse("");
        }
    }

    /** DataNodes are named by address and port, as the NameNode names them in the places of a block. */
    private void obey(String... words) throws IOException {
        switch (words[0]) {
            case "stop-datanode" -> stopped.put(words[1], known(dfs.stopDataNode(words[1]), words[1]));
            case "start-datanode" -> {
                dfs.restartDataNode(known(stopped.remove(words[1]), words[1]), true);
                dfs.waitActive();
            }
            case "stop-namenode" -> dfs.shutdownNameNode(0);
            case "start-namenode" -> dfs.restartNameNode(true);
            default -> throw new IllegalArgumentException("no such command: " + words[0]);
        }
    }

    private static DataNodeProperties known(@Nullable DataNodeProperties node, String name) {
        if (node == null) {
            throw new IllegalArgumentException("no such DataNode: " + name);
        }
        return node;
    }

    @Override
    public void close() {
        dfs.shutdown(true);
    }
}
