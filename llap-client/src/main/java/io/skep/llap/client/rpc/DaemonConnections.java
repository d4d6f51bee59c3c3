package io.skep.llap.client.rpc;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.DaemonEndpoint;
import io.skep.llap.client.DaemonIdentity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Connections to daemons with known incarnations. A connection is made at the first request and kept until it is lost.
 * Thread-safe.
 */
public final class DaemonConnections implements Function<DaemonIdentity, DaemonConnection>, AutoCloseable {
    private final DaemonConnector connector;
    private final Map<DaemonIdentity, RemoteDaemon> peers = new ConcurrentHashMap<>();

    public DaemonConnections(DaemonConnector connector) {
        this.connector = connector;
    }

    @Override
    public DaemonConnection apply(DaemonIdentity peer) {
        RemoteDaemon known = peers.get(peer);
        if (known != null) {
            return known;
        }
        RemoteDaemon connection = peers.computeIfAbsent(peer, this::connect);
        // Outside the map's own call, which must not change the map.
        var _ = connection.lost().thenAccept(_ -> peers.remove(peer, connection));
        return connection;
    }

    private RemoteDaemon connect(DaemonIdentity peer) {
        DaemonEndpoint endpoint = peer.endpoint()
                .orElseThrow(() -> new SkepException(
                        StandardErrorCode.INTERNAL_ERROR,
                        "the daemon " + peer + " is not reached from other processes"));
        return connector.connect(endpoint, Optional.of(peer));
    }

    @Override
    public void close() {
        List.copyOf(peers.values()).forEach(RemoteDaemon::close);
    }
}
