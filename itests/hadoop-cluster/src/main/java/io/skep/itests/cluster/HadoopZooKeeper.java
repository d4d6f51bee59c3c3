package io.skep.itests.cluster;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

/**
 * A ZooKeeper in a process of its own, on the loopback and a free port. System properties say whether clients log in by
 * Kerberos. Says {@code ready} and its address in one line and ends with its input.
 */
public final class HadoopZooKeeper {
    private static final int TICK_MILLIS = 500;

    private HadoopZooKeeper() {}

    /**
     * Runs it until the input ends.
     *
     * @param arguments an empty folder
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        System.setOut(System.err);
        File data = new File(arguments[0]);
        ZooKeeperServer server = new ZooKeeperServer(data, data, TICK_MILLIS);
        ServerCnxnFactory port =
                ServerCnxnFactory.createFactory(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        port.startup(server);
        answers.println("ready 127.0.0.1:" + port.getLocalPort());
        while (System.in.read() >= 0) {
            // Whatever is said to it.
        }
        port.shutdown();
        System.exit(0);
    }
}
