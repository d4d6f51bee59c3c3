package io.skep.service.discovery;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A server's node in ZooKeeper. The driver reads settings from the node's content. Hive's tools read address and
 * version from its name.
 *
 * @param host the host by which clients reach the server
 * @param version the version of Hive that the server reports
 * @param settings what clients need to connect, in addition to the host; empty to publish only the address
 */
record ServerEntry(String host, int port, String version, Map<String, String> settings) {
    static final String HOST = "hive.server2.thrift.bind.host";

    ServerEntry {
        settings = Map.copyOf(settings);
    }

    /** Returns the prefix of this server's node names, which does not depend on its version. */
    String nodeNamePrefix() {
        return "serverUri=" + address() + ";";
    }

    /** Returns the node's name, to which ZooKeeper appends a number. */
    String name() {
        return nodeNamePrefix() + "version=" + version + ";sequence=";
    }

    String content() {
        if (settings.isEmpty()) {
            return address();
        }
        Map<String, String> all = new TreeMap<>(settings);
        all.put(HOST, host);
        return all.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(";"));
    }

    private String address() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    /**
     * Returns the name that clients use for the host that a server listens on. It is the same host, or the machine's
     * name when the server listens on all addresses.
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
