package io.skep.itests.faults;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skep.itests.server.ServerProcess;
import java.io.IOException;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A small network of this machine and some hosts. Each host is a network namespace with a cable to one switch, which is
 * also a namespace. A namespace lives as long as the process that was started in it. That process ends with this one,
 * so nothing is left behind.
 */
final class NetworkLab implements AutoCloseable {
    /** This machine, as a host that can be cut off. */
    static final String HERE = "here";

    private static final String SWITCH = "switch0";

    /** The number of subnets of 32 addresses in 198.18.0.0/15, the range that is reserved for network tests. */
    private static final int SUBNETS = 1 << 12;

    private final int subnet;
    private final Process hub;
    private final Map<String, Process> hosts = new LinkedHashMap<>();

    /** The switch's ends of the cables, by host. The first one belongs to this machine. */
    private final List<String> names = new ArrayList<>();

    private NetworkLab(int subnet, Process hub) {
        this.subnet = subnet;
        this.hub = hub;
    }

    /** Whether the system has the required tools and lets this process use them. */
    static boolean isAllowed() {
        return succeeds(List.of("unshare", "--net", "true"))
                && succeeds(List.of("ip", "-Version"))
                && succeeds(List.of("bridge", "-Version"));
    }

    /** Opens a network with these hosts. Skips the test where network namespaces are not allowed. */
    static NetworkLab open(String... hosts) throws IOException, InterruptedException {
        assumeTrue(isAllowed(), "may have network namespaces, and iproute2 is here");
        NetworkLab lab = new NetworkLab(freeSubnet(), holder());
        try {
            lab.connect(hosts);
        } catch (IOException e) {
            lab.close();
            throw e;
        }
        return lab;
    }

    private static int freeSubnet() throws IOException {
        int first = (int) (ProcessHandle.current().pid() % SUBNETS);
        for (int i = 0; i < SUBNETS; i++) {
            int subnet = (first + i) % SUBNETS;
            String start = address(subnet, 1);
            boolean taken = NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .anyMatch(address -> address.getHostAddress().equals(start));
            if (!taken) {
                return subnet;
            }
        }
        throw new IOException("all subnets are taken");
    }

    private static String address(int subnet, int host) {
        int low = subnet * 32 + host;
        return "198." + (18 + (low >> 16)) + "." + (low >> 8 & 0xff) + "." + (low & 0xff);
    }

    /** Starts a process in its own namespace. It exits when its input is closed. */
    private static Process holder() throws IOException {
        Process process =
                new ProcessBuilder("unshare", "--net", "sh", "-c", "echo there; exec cat > /dev/null").start();
        String line = process.inputReader().readLine();
        if (!"there".equals(line)) {
            throw new IOException("no namespace could be made");
        }
        return process;
    }

    private void connect(String... named) throws IOException {
        String here = "skep" + subnet;
        run(List.of("ip", "link", "add", here, "type", "veth", "peer", "name", port(0), "netns", pid(hub)));
        run(List.of("ip", "address", "add", address(HERE) + "/27", "dev", here));
        run(List.of("ip", "link", "set", here, "up"));
        names.add(HERE);
        onSwitch("ip", "link", "add", SWITCH, "type", "bridge");
        onSwitch("ip", "link", "set", SWITCH, "up");
        onSwitch("ip", "link", "set", port(0), "master", SWITCH, "up");
        for (String name : named) {
            Process host = holder();
            hosts.put(name, host);
            names.add(name);
            String port = port(names.size() - 1);
            onSwitch("ip", "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", pid(host));
            onSwitch("ip", "link", "set", port, "master", SWITCH, "up");
            run(inside(name, "ip", "address", "add", address(name) + "/27", "dev", "eth0"));
            run(inside(name, "ip", "link", "set", "eth0", "up"));
            run(inside(name, "ip", "link", "set", "lo", "up"));
        }
    }

    private static String pid(Process process) {
        return Long.toString(process.pid());
    }

    private static String port(int number) {
        return "port" + number;
    }

    private String portOf(String host) {
        return port(names.indexOf(host));
    }

    /** Returns the address of a host. */
    String address(String host) {
        return address(subnet, host.equals(HERE) ? 1 : names.indexOf(host) + 1);
    }

    /** Returns a command line that runs a command on a host. The resulting process is the command itself. */
    List<String> inside(String host, String... command) {
        Process process = hosts.get(host);
        if (process == null) {
            throw new IllegalArgumentException("there is no host " + host);
        }
        return inside(process, command);
    }

    private static List<String> inside(Process namespace, String... command) {
        List<String> all = new ArrayList<>(List.of("nsenter", "--net=/proc/" + namespace.pid() + "/ns/net"));
        all.addAll(List.of(command));
        return all;
    }

    /**
     * Drops all packets between two hosts, without any notification to them. Both still reach all other hosts. Only one
     * pair can be cut at a time.
     */
    void cut(String one, String other) throws IOException {
        isolate(one, true);
        isolate(other, true);
    }

    void heal() throws IOException {
        for (String name : names) {
            isolate(name, false);
        }
    }

    /** Isolates a host's port or ends its isolation. The switch forwards nothing between two isolated ports. */
    private void isolate(String host, boolean isolated) throws IOException {
        onSwitch("bridge", "link", "set", "dev", portOf(host), "isolated", isolated ? "on" : "off");
    }

    /** Limits the rate of a host's traffic in both directions. Packets that do not fit into the queue are lost. */
    void slowDown(String host, int megabits) throws IOException {
        String rate = megabits + "mbit";
        onSwitch(
                "tc",
                "qdisc",
                "replace",
                "dev",
                portOf(host),
                "root",
                "tbf",
                "rate",
                rate,
                "burst",
                "32k",
                "latency",
                "100ms");
        run(inside(
                host, "tc", "qdisc", "replace", "dev", "eth0", "root", "tbf", "rate", rate, "burst", "32k", "latency",
                "100ms"));
    }

    void speedUp(String host) throws IOException {
        onSwitch("tc", "qdisc", "delete", "dev", portOf(host), "root");
        run(inside(host, "tc", "qdisc", "delete", "dev", "eth0", "root"));
    }

    private void onSwitch(String... command) throws IOException {
        run(inside(hub, command));
    }

    private static void run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException(String.join(" ", command) + ": " + said);
            }
        } catch (InterruptedException e) {
            throw new IOException("interrupted in " + String.join(" ", command), e);
        }
    }

    private static boolean succeeds(List<String> command) {
        try {
            run(command);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Closes the network. Processes in the namespaces must have exited before. */
    @Override
    public void close() throws IOException {
        List<Process> all = new ArrayList<>(hosts.values());
        all.add(hub);
        for (Process process : all) {
            process.outputWriter().close();
            ServerProcess.awaitEnd(process);
        }
    }
}
