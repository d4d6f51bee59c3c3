package io.skep.llap.server.rpc;

import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.skep.common.error.SkepException;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.rpc.MessageStream;
import io.skep.llap.client.rpc.PageCodec;
import io.skep.llap.client.rpc.PageServer;
import io.skep.llap.client.rpc.PeerDaemons;
import io.skep.llap.client.rpc.RpcThreads;
import io.skep.llap.client.rpc.SharedSecret;
import io.skep.llap.client.wire.Greeting;
import io.skep.llap.server.LlapDaemon;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Implements a daemon's calls, and tracks its connected clients. Thread-safe. */
final class DaemonService implements PageServer, AutoCloseable {
    /** Heartbeats per timeout. */
    private static final int BEATS = 4;

    private final LlapDaemon daemon;
    private final PendingQueries arrivals;
    private final PlanFileStore files;
    private final ConnectionGuard guard;
    private final RpcThreads threads;
    private final PageCodec codec;
    private final PeerDaemons peers;
    private final Runnable onLeave;
    private final UnprovedConnections unproved;
    private final Map<ControlCall, Connection> connected = new ConcurrentHashMap<>();
    private final Set<PutCall> uploads = ConcurrentHashMap.newKeySet();
    private final Future<?> beating;
    private volatile boolean leaving;

    /**
     * @param peers notified of daemons that connect
     * @param onLeave called each time that a peer asks the daemon to drain and stop
     * @param unproved notified of connections that have proved themselves
     */
    DaemonService(
            LlapDaemon daemon,
            Optional<SharedSecret> secret,
            Duration timeout,
            RpcThreads threads,
            PageCodec codec,
            PeerDaemons peers,
            Runnable onLeave,
            UnprovedConnections unproved) {
        this.unproved = unproved;
        this.daemon = daemon;
        this.arrivals = new PendingQueries(daemon);
        Path spill = daemon.config().spillFolder();
        this.files = new PlanFileStore(
                spill.resolveSibling(spill.getFileName() + "-jars"),
                daemon.config().maxJarBytes());
        this.guard = new ConnectionGuard(daemon.identity(), secret);
        this.threads = threads;
        this.codec = codec;
        this.peers = peers;
        this.onLeave = onLeave;
        this.beating = threads.every(timeout.toNanos() / BEATS, this::beat);
    }

    private void beat() {
        connected.keySet().forEach(ControlCall::beat);
        uploads.forEach(PutCall::beat);
        files.expire();
    }

    /** Answers a greeting. A connection that has proved itself must not greet again. */
    ServerCall.Listener<byte[]> greet(ServerCall<byte[], byte[]> call, Metadata headers) {
        if (guard.believes(call) || !ConnectionGuard.connection(call).countGreeting()) {
            return refuse(call);
        }
        call.request(1);
        return new ServerCall.Listener<>() {
            @Override
            public void onMessage(byte[] challenge) {
                byte[] own = guard.challenge(call);
                call.sendHeaders(new Metadata());
                call.sendMessage(new Greeting(
                                daemon.identity(),
                                own,
                                guard.answer(challenge),
                                System.currentTimeMillis(),
                                daemon.externalLocation())
                        .encode());
                call.close(Status.OK, new Metadata());
            }
        };
    }

    ServerCall.Listener<byte[]> control(ServerCall<byte[], byte[]> call, Metadata headers) {
        if (!guard.believes(call, headers)) {
            return refuse(call);
        }
        unproved.proved(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
        Connection connection = ConnectionGuard.connection(call);
        ControlCall made = new ControlCall(
                daemon,
                arrivals,
                files,
                call,
                threads.workers(),
                BEATS,
                (ended, why) -> {
                    connected.remove(ended);
                    connection.end(why);
                },
                onLeave);
        connected.put(made, connection);
        made.start();
        if (leaving) {
            made.sendLeaving();
        }
        return made;
    }

    ServerCall.Listener<byte[]> pages(ServerCall<byte[], byte[]> call, Metadata headers) {
        if (!guard.believes(call)) {
            return refuse(call);
        }
        InboundStream made = new InboundStream(call);
        serve(made, _ -> {});
        ConnectionGuard.connection(call).add(made);
        return made;
    }

    /** Lets this daemon read from the connected daemon over the same connection. */
    ServerCall.Listener<byte[]> pagesBack(ServerCall<byte[], byte[]> call, Metadata headers) {
        Optional<DaemonIdentity> there = ConnectionGuard.connection(call).client();
        if (!guard.believes(call) || there.isEmpty()) {
            return refuse(call);
        }
        InboundStream made = new InboundStream(call);
        peers.accept(there.get(), made);
        ConnectionGuard.connection(call).add(made);
        return made;
    }

    @Override
    public DaemonIdentity identity() {
        return daemon.identity();
    }

    @Override
    public void serve(MessageStream stream, Consumer<Optional<SkepException>> onEnd) {
        new PageMultiplexer(daemon, arrivals, codec, threads.workers(), stream, onEnd).start();
    }

    ServerCall.Listener<byte[]> put(ServerCall<byte[], byte[]> call, Metadata headers) {
        if (!guard.believes(call)) {
            return refuse(call);
        }
        PutCall made = new PutCall(files, call, uploads::remove);
        uploads.add(made);
        made.start();
        return made;
    }

    private static ServerCall.Listener<byte[]> refuse(ServerCall<byte[], byte[]> call) {
        call.close(GrpcStatuses.NOT_BELIEVED, new Metadata());
        return new ServerCall.Listener<>() {};
    }

    /** Announces to all current and future clients that the daemon accepts no new queries. */
    void leave() {
        leaving = true;
        connected.keySet().forEach(ControlCall::sendLeaving);
    }

    /** Whether all connected processes have acknowledged that. */
    boolean isLeavingAcknowledged() {
        return leaving && connected.keySet().stream().allMatch(ControlCall::hasAcknowledgedLeaving);
    }

    int connectionCount() {
        return connected.size();
    }

    /** The number of connections with other daemons, in either direction. */
    int peerConnectionCount() {
        long accepted = connected.values().stream()
                .filter(connection -> connection.client().isPresent())
                .count();
        return peers.ownConnectionCount() + Math.toIntExact(accepted);
    }

    /** Ends everything that was requested over each connection. */
    @Override
    public void close() {
        beating.cancel(false);
        List.copyOf(connected.keySet()).forEach(one -> one.end("it stops"));
        files.close();
    }
}
