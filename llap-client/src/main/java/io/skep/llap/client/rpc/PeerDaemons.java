package io.skep.llap.client.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.llap.client.DaemonEndpoint;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.OutputSource;
import io.skep.llap.client.PageStream;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.client.wire.PageRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a daemon with other daemons: one with each, over which both sides read. A connection is made by
 * the daemon that first needs it and kept until it is lost. When both daemons have connected at the same time, both
 * sides use the connection of the smaller incarnation for new streams. The other connection is closed when its open
 * streams have ended. Guarded by itself; no reader is called with the lock held.
 */
public final class PeerDaemons implements Function<DaemonIdentity, OutputSource>, AutoCloseable {
    private final DaemonConnector connector;

    /** Peers by incarnation. */
    @GuardedBy("this")
    private final Map<String, Peer> peers = new HashMap<>();

    @GuardedBy("this")
    private @Nullable PageServer self;

    @GuardedBy("this")
    private boolean closed;

    public PeerDaemons(DaemonConnector connector) {
        this.connector = connector;
    }

    /** Sets the daemon of this process. Called once, before anything is read. */
    public synchronized void start(PageServer daemon) {
        self = daemon;
    }

    /** Returns the outputs of another daemon. A connection is chosen when a stream is opened. */
    @Override
    public OutputSource apply(DaemonIdentity peer) {
        return new OutputSource() {
            @Override
            public PageStream open(QueryId query, TaskAttemptId output, int partition, long windowBytes) {
                PageRequest request = new PageRequest(query, output, partition);
                while (true) {
                    Optional<PageStream> opened = link(peer).open(request, windowBytes);
                    if (opened.isPresent()) {
                        return opened.get();
                    }
                    // The link has just been retired, so there is another one.
                }
            }

            @Override
            public void releaseReader(QueryId query, TaskAttemptId output) {
                boolean said = false;
                while (!said) {
                    said = link(peer).pass(query, output);
                }
            }
        };
    }

    private PageReceiver link(DaemonIdentity there) {
        RemoteDaemon made;
        synchronized (this) {
            Peer peer = peers.computeIfAbsent(there.incarnation(), _ -> new Peer());
            Optional<PageReceiver> known = peer.link();
            if (known.isPresent()) {
                return known.get();
            }
            made = connect(there);
            peer.addOwn(made);
        }
        var _ = made.connected().thenAccept(_ -> settle(there));
        var _ = made.lost().thenAccept(_ -> update(there, peer -> peer.lost(made)));
        return made.pages();
    }

    @GuardedBy("this")
    private RemoteDaemon connect(DaemonIdentity there) {
        PageServer daemon = self;
        if (closed || daemon == null) {
            throw new SkepException(StandardErrorCode.DAEMON_LOST, "the daemon ends, or has not been started yet");
        }
        return connector.connect(endpoint(there), Optional.of(there), Optional.of(daemon));
    }

    private static DaemonEndpoint endpoint(DaemonIdentity daemon) {
        return daemon.endpoint()
                .orElseThrow(() -> new SkepException(
                        StandardErrorCode.INTERNAL_ERROR,
                        "the daemon " + daemon + " is not reached from other processes"));
    }

    /**
     * Accepts a connection from another daemon that has proved itself.
     *
     * @param stream carries its rows; this method starts it
     */
    public void accept(DaemonIdentity there, MessageStream stream) {
        DaemonEndpoint endpoint = endpoint(there);
        PageReceiver link;
        synchronized (this) {
            Peer peer = peers.computeIfAbsent(there.incarnation(), _ -> new Peer());
            link = peer.takeWaiting().orElseGet(connector::newLink);
            peer.accepted(link);
            // The peer may have been removed together with the connection that gave way.
            peers.put(there.incarnation(), peer);
        }
        link.start(stream, why -> {
            update(there, peer -> peer.lost(link));
            link.end(CallFailures.lost(
                    endpoint, why.map(Throwable::getMessage).orElse("it reads and is read over another connection")));
        });
        settle(there);
    }

    /** Keeps one of two connections. */
    private void settle(DaemonIdentity there) {
        Optional<PageReceiver> other;
        synchronized (this) {
            Peer peer = peers.get(there.incarnation());
            PageServer daemon = self;
            other = peer == null || daemon == null
                    ? Optional.empty()
                    : peer.settle(daemon.identity().incarnation().compareTo(there.incarnation()) < 0);
        }
        other.ifPresent(PageReceiver::retire);
    }

    private synchronized void update(DaemonIdentity there, Consumer<Peer> change) {
        Peer peer = peers.get(there.incarnation());
        if (peer != null) {
            change.accept(peer);
            if (peer.isGone()) {
                peers.remove(there.incarnation());
            }
        }
    }

    /** Returns how many connections this daemon has made. */
    public synchronized int ownConnectionCount() {
        return peers.values().stream()
                .mapToInt(peer -> peer.ownConnections().size())
                .sum();
    }

    /** Closes the connections that this daemon has made. The others are closed by the server that accepted them. */
    @Override
    public void close() {
        List<RemoteDaemon> made;
        synchronized (this) {
            closed = true;
            made = peers.values().stream()
                    .flatMap(peer -> peer.ownConnections().stream())
                    .toList();
        }
        made.forEach(RemoteDaemon::close);
    }
}
