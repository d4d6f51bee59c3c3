package io.skep.service.discovery;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A server as its node in ZooKeeper shows it. The driver takes settings from the node's content; Hive's tools take
 * address and version from its name.
 *
 * @param host by which clients reach the server
 * @param version of Hive that it stands for
 * @param settings what a client must know to connect, besides host and port; empty to tell the address alone
 */
record ServerEntry(String host, int port, String version, Map<String, String> settings) {
    static final String HOST = "hive.server2.thrift.bind.host";
    static final String PORT = "hive.server2.thrift.port";

    ServerEntry {
        settings = Map.copyOf(settings);
    }

    /** How the names of this server's nodes begin, whatever its version. */
    String who() {
        return "serverUri=" + address() + ";";
    }

    /** The node's name; ZooKeeper's number comes after it. */
    String name() {
        return who() + "version=" + version + ";sequence=";
    }

    String content() {
        if (settings.isEmpty()) {
            return address();
        }
        Map<String, String> all = new TreeMap<>(settings);
        all.put(HOST, host);
        all.put(PORT, Integer.toString(port));
        return all.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(";"));
    }

    private String address() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    /**
     * The name that clients use for the host that a server listens on: the same, but for a server that listens
     * everywhere its machine's name.
     */
    static String clientHost(String bindHost) {
        try {
            if (!InetAddress.getByName(bindHost).isAnyLocalAddress()) {
                return bindHost;
            }
            return InetAddress.getLocalHost().getCanonicalHostName();
        } catch (UnknownHostException e) {
            return bindHost;
        }
    }
}
