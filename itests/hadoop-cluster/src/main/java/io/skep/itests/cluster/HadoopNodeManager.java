package io.skep.itests.cluster;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;

/**
 * A node manager in a process of its own, to be killed: its containers live on. Listens on the loopback and free ports.
 * Says {@code ready} and its node's name in one line and ends with its input.
 */
public final class HadoopNodeManager {
    private HadoopNodeManager() {}

    /**
     * Runs it until the input ends.
     *
     * @param arguments an empty folder, and the folder of the cluster's settings
     */
    public static void main(String[] arguments) throws IOException {
        PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        System.setOut(System.err);
        YarnConfiguration configuration = new YarnConfiguration();
        configuration.addResource(new Path(new File(arguments[1], "core-site.xml").toURI()));
        configuration.set("yarn.nodemanager.local-dirs", new File(arguments[0], "local").toString());
        configuration.set("yarn.nodemanager.log-dirs", new File(arguments[0], "logs").toString());
        for (String server : new String[] {"address", "localizer.address", "webapp.address"}) {
            configuration.set("yarn.nodemanager." + server, "localhost:0");
        }
        configuration.setInt("yarn.nodemanager.resource.memory-mb", 4096);
        NodeManager manager = new NodeManager();
        manager.init(configuration);
        manager.start();
        answers.println("ready " + manager.getNMContext().getNodeId());
        while (System.in.read() >= 0) {
            // Whatever is said to it.
        }
        manager.stop();
        // Threads of Hadoop outlive it.
        System.exit(0);
    }
}
