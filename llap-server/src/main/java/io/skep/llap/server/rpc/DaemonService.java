package io.skep.llap.server.rpc;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.rpc.PageCodec;
import io.skep.llap.client.rpc.RpcThreads;
import io.skep.llap.client.rpc.SharedSecret;
import io.skep.llap.client.wire.Greeting;
import io.skep.llap.server.LlapDaemon;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;

/** A daemon's calls, and who is connected to it. Thread-safe. */
final class DaemonService implements AutoCloseable {
    /** Of a timeout. */
    private static final int BEATS = 4;

    private final LlapDaemon daemon;
    private final QueryArrivals arrivals;
    private final PlanFileStore files;
    private final ConnectionGuard guard;
    private final RpcThreads threads;
    private final PageCodec codec;
    private final Runnable onLeave;
    private final Set<ControlCall> connected = ConcurrentHashMap.newKeySet();
    private final Set<PageConnection> reading = ConcurrentHashMap.newKeySet();
    private final Future<?> beating;
    private volatile boolean leaving;

    /** @param onLeave hears that the daemon is to drain and end, each time that somebody asks for it */
    DaemonService(
            LlapDaemon daemon,
            Optional<SharedSecret> secret,
            Duration timeout,
            RpcThreads threads,
            PageCodec codec,
            Runnable onLeave) {
        this.daemon = daemon;
        this.arrivals = new QueryArrivals(daemon);
        Path spill = daemon.config().spillFolder();
        this.files = new PlanFileStore(spill.resolveSibling(spill.getFileName() + "-jars"));
        this.guard = new ConnectionGuard(daemon.identity(), secret);
        this.threads = threads;
        this.codec = codec;
        this.onLeave = onLeave;
        this.beating = threads.every(timeout.toNanos() / BEATS, this::beat);
    }

    private void beat() {
        connected.forEach(ControlCall::beat);
        files.expire();
    }

    ServerCall.Listener<byte[]> greet(ServerCall<byte[], byte[]> call, Metadata headers) {
        call.request(1);
        return new ServerCall.Listener<>() {
            @Override
            public void onMessage(byte[] challenge) {
                byte[] own = guard.challenge(call);
                call.sendHeaders(new Metadata());
                call.sendMessage(
                        new Greeting(daemon.identity(), own, guard.answer(challenge), System.currentTimeMillis())
                                .encode());
                call.close(Status.OK, new Metadata());
            }
        };
    }

    ServerCall.Listener<byte[]> control(ServerCall<byte[], byte[]> call, Metadata headers) {
        if (!guard.believes(call, headers)) {
            return refuse(call);
        }
        ControlCall made =
                new ControlCall(daemon, arrivals, files, call, threads.workers(), BEATS, connected::remove, onLeave);
        connected.add(made);
        made.start();
        if (leaving) {
            made.tellLeaving();
        }
        return made;
    }

    ServerCall.Listener<byte[]> pages(ServerCall<byte[], byte[]> call, Metadata headers) {
        if (!guard.believes(call)) {
            return refuse(call);
        }
        PageConnection made = new PageConnection(daemon, arrivals, codec, threads.workers(), call, reading::remove);
        reading.add(made);
        made.start();
        return made;
    }

    ServerCall.Listener<byte[]> put(ServerCall<byte[], byte[]> call, Metadata headers) {
        if (!guard.believes(call)) {
            return refuse(call);
        }
        PutCall made = new PutCall(files, call);
        made.start();
        return made;
    }

    private static ServerCall.Listener<byte[]> refuse(ServerCall<byte[], byte[]> call) {
        call.close(Endings.NOT_BELIEVED, new Metadata());
        return new ServerCall.Listener<>() {};
    }

    /** Tells all who are connected, and who will be, that the daemon wants no new queries. */
    void leave() {
        leaving = true;
        connected.forEach(ControlCall::tellLeaving);
    }

    /** Whether all who are connected know that. */
    boolean hasTakenLeave() {
        return leaving && connected.stream().allMatch(ControlCall::hasSaidFarewell);
    }

    int connectionCount() {
        return connected.size();
    }

    /** Ends what was asked over each connection. */
    @Override
    public void close() {
        beating.cancel(false);
        List.copyOf(connected).forEach(one -> one.end("it stops"));
        SkepException lost = new SkepException(StandardErrorCode.DAEMON_LOST, "the daemon stops");
        List.copyOf(reading).forEach(one -> one.end(lost));
        files.close();
    }
}
