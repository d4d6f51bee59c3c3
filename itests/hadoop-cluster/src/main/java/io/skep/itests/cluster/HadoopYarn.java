package io.skep.itests.cluster;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.MiniYARNCluster;
import org.jspecify.annotations.Nullable;

/**
 * A resource manager, node managers and an HDFS for them in one process, on the loopback and free ports. Without the
 * HDFS if the settings name another file system. Writes the settings of its clients into a folder, says {@code ready}
 * in one line and ends with its input.
 */
public final class HadoopYarn {
    private static final int CONNECT_MILLIS = 60_000;

    private HadoopYarn() {}

    /**
     * Runs the servers until the input ends.
     *
     * @param arguments an empty folder, the number of node managers, and settings as {@code name=value}
     */
    public static void main(String[] arguments) throws IOException, InterruptedException, YarnException {
        // Only answers go to the output, whatever else is printed in this process.
        PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        System.setOut(System.err);
        Path folder = Path.of(arguments[0]);
        Configuration configuration = settings();
        for (String setting : List.of(arguments).subList(2, arguments.length)) {
            String[] parts = setting.split("=", 2);
            configuration.set(parts[0], parts[1]);
        }
        UserGroupInformation.setConfiguration(configuration);
        if (UserGroupInformation.isSecurityEnabled()) {
            // The servers of a mini cluster do not log in themselves.
            SecurityUtil.login(configuration, "yarn.resourcemanager.keytab", "yarn.resourcemanager.principal");
        }
        // Hadoop's mini cluster takes its folder from here.
        System.setProperty("test.build.data", folder.resolve("yarn").toString());
        File dfsFolder = folder.resolve("dfs").toFile();
        try (MiniDFSCluster dfs = files(configuration, dfsFolder);
                MiniYARNCluster yarn = new MiniYARNCluster("cluster", Integer.parseInt(arguments[1]), 1, 1);
                BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            if (dfs != null) {
                dfs.waitActive();
                configuration.set("fs.defaultFS", dfs.getURI().toString());
            }
            yarn.init(configuration);
            yarn.start();
            if (!yarn.waitForNodeManagersToConnect(CONNECT_MILLIS)) {
                throw new IOException("the node managers did not come up");
            }
            writeSettings(yarn.getConfig(), folder.resolve("conf"));
            answers.println("ready");
            while (input.readLine() != null) {
                answers.println("failed no commands are known");
            }
        }
        // Threads of Hadoop outlive the cluster.
        System.exit(0);
    }

    private static @Nullable MiniDFSCluster files(Configuration configuration, File folder) throws IOException {
        return configuration.get("fs.defaultFS", "file:///").startsWith("file:")
                ? new MiniDFSCluster.Builder(configuration, folder)
                        .numDataNodes(1)
                        .build()
                : null;
    }

    private static Configuration settings() {
        Configuration configuration = new YarnConfiguration();
        configuration.setInt("dfs.replication", 1);
        configuration.set(
                "yarn.resourcemanager.scheduler.class",
                "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler");
        configuration.setInt("yarn.scheduler.minimum-allocation-mb", 128);
        // All node managers are on one host; the scheduler is to tell them apart.
        configuration.setBoolean("yarn.scheduler.include-port-in-node-name", true);
        configuration.setInt("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", 250);
        configuration.setFloat("yarn.scheduler.capacity.maximum-am-resource-percent", 1);
        configuration.set("yarn.nodemanager.env-whitelist", "JAVA_HOME");
        configuration.setBoolean("yarn.nodemanager.disk-health-checker.enable", false);
        configuration.setBoolean("yarn.nodemanager.pmem-check-enabled", true);
        configuration.setBoolean("yarn.nodemanager.vmem-check-enabled", true);
        configuration.setInt("yarn.nodemanager.resource-monitor.interval-ms", 1000);
        return configuration;
    }

    /** What a client needs to find the servers, and one more node manager to be like the others. */
    private static void writeSettings(Configuration configuration, Path folder) throws IOException {
        Map<String, String> wanted = new TreeMap<>();
        for (String name : List.of(
                "fs.defaultFS",
                "dfs.replication",
                "yarn.resourcemanager.address",
                "yarn.resourcemanager.scheduler.address",
                "yarn.resourcemanager.resource-tracker.address",
                "yarn.scheduler.include-port-in-node-name",
                "yarn.nodemanager.env-whitelist",
                "yarn.nodemanager.disk-health-checker.enable",
                "yarn.nodemanager.pmem-check-enabled",
                "yarn.nodemanager.vmem-check-enabled",
                "yarn.nodemanager.resource-monitor.interval-ms",
                "hadoop.security.auth_to_local",
                "hadoop.security.authentication",
                "hadoop.security.authorization",
                "hadoop.rpc.protection",
                "dfs.namenode.kerberos.principal",
                "dfs.data.transfer.protection",
                "yarn.resourcemanager.principal",
                "yarn.nodemanager.principal")) {
            String value = configuration.get(name);
            if (value != null) {
                wanted.put(name, value);
            }
        }
        Files.createDirectories(folder);
        Configuration site = new Configuration(false);
        wanted.forEach(site::set);
        try (Writer writer = Files.newBufferedWriter(folder.resolve("core-site.xml"))) {
            site.writeXml(writer);
        }
    }
}
