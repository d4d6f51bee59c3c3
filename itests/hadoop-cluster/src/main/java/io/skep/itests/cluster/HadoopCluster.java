package io.skep.itests.cluster;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNodeRpcServer;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * A NameNode and DataNodes in one process, on the loopback and free ports; the NameNode keeps its port. Says
 * {@code ready} and the file system's URI in one line, and then answers each line of its input with one line:
 * {@code done}, with a number where one was asked for, or {@code failed} and why. It ends with its input.
 */
public final class HadoopCluster implements AutoCloseable {
    private final MiniDFSCluster dfs;
    private final List<String> dataNodes;
    private final Map<String, DataNodeProperties> stopped = new HashMap<>();

    private HadoopCluster(MiniDFSCluster dfs) {
        this.dfs = dfs;
        this.dataNodes =
                dfs.getDataNodes().stream().map(DataNode::getDatanodeUuid).toList();
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
        configuration.setInt("dfs.namenode.redundancy.interval.seconds", 1);
        for (int i = 2; i < arguments.length; i++) {
            String[] setting = arguments[i].split("=", 2);
            configuration.set(setting[0], setting[1]);
        }
        try (HadoopCluster cluster = start(new File(arguments[0]), Integer.parseInt(arguments[1]), configuration);
                BufferedReader commands =
                        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            answers.println("ready " + cluster.dfs.getURI());
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

    private String answer(String command) {
        try {
            return obey(command.split(" ", 2));
        } catch (IOException | RuntimeException e) {
            return "failed " + e.toString().lines().findFirst().orElse("");
        }
    }

    /** DataNodes are numbered from 0, also when they were stopped and started. */
    private String obey(String... words) throws IOException {
        switch (words[0]) {
            case "calls" -> {
                return "done " + calls(words[1]);
            }
            case "fsyncs" -> {
                return "done " + fsyncs();
            }
            case "stop-datanode" -> stopped.put(words[1], dfs.stopDataNode(position(words[1])));
            case "start-datanode" -> {
                dfs.restartDataNode(Objects.requireNonNull(stopped.remove(words[1]), words[1]), true);
                dfs.waitActive();
            }
            case "give" -> give(words[1].split(" ", 2));
            case "owner" -> {
                return "done "
                        + dfs.getFileSystem().getFileStatus(new Path(words[1])).getOwner();
            }
            case "stop-namenode" -> dfs.shutdownNameNode(0);
            case "start-namenode" -> dfs.restartNameNode(true);
            default -> throw new IllegalArgumentException("no such command: " + words[0]);
        }
        return "done";
    }

    /** Makes a folder that belongs to a user. */
    private void give(String... folderAndUser) throws IOException {
        Path folder = new Path(folderAndUser[0]);
        dfs.getFileSystem().mkdirs(folder);
        dfs.getFileSystem().setOwner(folder, folderAndUser[1], folderAndUser[1]);
    }

    /** How often the NameNode was called by a name of its protocol, as in {@code GetListing}. */
    private long calls(String name) {
        String source = ((NameNodeRpcServer) dfs.getNameNodeRpc())
                .getClientRpcServer()
                .getRpcDetailedMetrics()
                .name();
        return metric(source, name + "NumOps");
    }

    /** How often the DataNodes have forced something to their disks. */
    private long fsyncs() {
        return dfs.getDataNodes().stream()
                .mapToLong(dataNode -> metric(dataNode.getMetrics().name(), "FsyncCount"))
                .sum();
    }

    private static long metric(String source, String name) {
        MetricsCollectorImpl collector = new MetricsCollectorImpl();
        DefaultMetricsSystem.instance().getSource(source).getMetrics(collector, true);
        long sum = 0;
        for (MetricsRecord record : collector.getRecords()) {
            for (AbstractMetric metric : record.metrics()) {
                if (metric.name().equals(name)) {
                    sum += metric.value().longValue();
                }
            }
        }
        return sum;
    }

    /** Where a DataNode that runs is in the list of those that do. */
    private int position(String number) {
        String wanted = dataNodes.get(Integer.parseInt(number));
        List<DataNode> running = dfs.getDataNodes();
        for (int i = 0; i < running.size(); i++) {
            if (running.get(i).getDatanodeUuid().equals(wanted)) {
                return i;
            }
        }
        throw new IllegalArgumentException("it does not run: DataNode " + number);
    }

    @Override
    public void close() {
        dfs.shutdown(true);
    }
}
