package io.skep.llap.client.rpc;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.DaemonEndpoint;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.DaemonLoad;
import io.skep.llap.client.DaemonStatus;
import io.skep.llap.client.EncodedPlan;
import io.skep.llap.client.LazyEncoded;
import io.skep.llap.client.PageStream;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.client.TaskStats;
import io.skep.llap.client.TaskSubmission;
import io.skep.llap.client.wire.ClientFrame;
import io.skep.llap.client.wire.DaemonFrame;
import io.skep.llap.client.wire.FrameCodec;
import io.skep.llap.client.wire.PageRequest;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One connection to one incarnation of a daemon in another process. It is lost for good in three cases: when the daemon
 * is silent for the timeout, when the connection breaks, or when another incarnation is found than expected. All
 * pending tasks and reads then fail with DAEMON_LOST. If the process that has connected is a daemon, the other daemon
 * reads over the connection too. Silence is counted in heartbeats of this process. So a process that was itself
 * suspended does not blame the daemon. Thread-safe; no call waits.
 */
public final class RemoteDaemon implements DaemonConnection, AutoCloseable {
    /** Heartbeats per timeout. */
    static final int BEATS = 4;

    private final DaemonEndpoint endpoint;
    private final Optional<DaemonIdentity> expected;
    private final ManagedChannel channel;
    private final Optional<SharedSecret> secret;
    private final Duration timeout;
    private final RpcThreads threads;
    private final PlanFiles files;
    private final Optional<DaemonIdentity> self;
    private final PendingCalls pending = new PendingCalls();
    private final Outbox<ClientFrame> outbox;
    private final PageChannels reading;
    private final CompletableFuture<DaemonIdentity> connected = new CompletableFuture<>();
    private final CompletableFuture<SkepException> lost = new CompletableFuture<>();
    private final AtomicReference<@Nullable Future<?>> beat = new AtomicReference<>();
    private volatile @Nullable ClientCall<byte[], byte[]> control;
    private volatile DaemonStatus status = DaemonStatus.UNKNOWN;
    private volatile int silentBeats;
    private volatile boolean leaving;
    private volatile Instant clock = Instant.EPOCH;
    private volatile Optional<URI> external = Optional.empty();

    RemoteDaemon(
            DaemonEndpoint endpoint,
            Optional<DaemonIdentity> expected,
            ManagedChannel channel,
            Optional<PageServer> self,
            ConnectionParts parts) {
        this.endpoint = endpoint;
        this.expected = expected;
        this.channel = channel;
        this.secret = parts.secret();
        this.timeout = parts.timeout();
        this.threads = parts.threads();
        this.files = parts.files();
        this.outbox = new Outbox<>(threads.workers(), this::ready, this::send, this::cannotSend);
        this.self = self.map(PageServer::identity);
        this.reading = new PageChannels(endpoint, channel, parts.newReceiver(), self, this::lose);
    }

    void start() {
        beat.set(threads.every(timeout.toNanos() / BEATS, this::beat));
        new Handshake(endpoint, expected, secret, self, this::greeted, this::lose).start(channel, timeout);
    }

    private void greeted(Handshake.Outcome outcome) {
        clock = Instant.ofEpochMilli(outcome.greeting().clockMillis());
        external = outcome.greeting().external();
        ClientCall<byte[], byte[]> call = channel.newCall(DaemonRpc.CONTROL, CallOptions.DEFAULT);
        call.start(new ControlListener(call, outcome.greeting().identity()), outcome.headers());
        call.request(1);
        // Assigned only after the start: a call that has not been started does not even support isReady.
        control = call;
        outbox.flush();
    }

    private final class ControlListener extends ClientCall.Listener<byte[]> {
        private final ClientCall<byte[], byte[]> call;
        private final DaemonIdentity there;

        ControlListener(ClientCall<byte[], byte[]> call, DaemonIdentity there) {
            this.call = call;
            this.there = there;
        }

        @Override
        public void onMessage(byte[] message) {
            silentBeats = 0;
            call.request(1);
            try {
                for (DaemonFrame frame : FrameCodec.decodeDaemon(message)) {
                    hear(frame);
                }
            } catch (RuntimeException | Error e) {
                lose(CallFailures.unreadable(endpoint, e));
                return;
            }
            // The daemon sends its first message after it has accepted the proof.
            if (reading.start()) {
                connected.complete(there);
            }
        }

        private void hear(DaemonFrame frame) {
            switch (frame) {
                case DaemonFrame.Status news -> status = news.status();
                case DaemonFrame.Leaving() -> {
                    leaving = true;
                    outbox.add(new ClientFrame.Farewell());
                }
                case DaemonFrame.Want(String hash) -> FileUpload.start(channel, hash, files.find(hash));
                case DaemonFrame.Finished _, DaemonFrame.Failed _, DaemonFrame.Done _ -> pending.answer(frame);
            }
        }

        @Override
        public void onReady() {
            outbox.flush();
        }

        @Override
        public void onClose(Status end, Metadata trailers) {
            ended(end, trailers);
        }
    }

    private void ended(Status end, Metadata trailers) {
        lose(end.isOk() ? CallFailures.lost(endpoint, "it stops") : CallFailures.of(endpoint, end, trailers));
    }

    private boolean ready() {
        ClientCall<byte[], byte[]> call = control;
        return call != null && call.isReady();
    }

    private void send(List<ClientFrame> frames) {
        ClientCall<byte[], byte[]> call = control;
        if (call != null && !lost.isDone()) {
            call.sendMessage(FrameCodec.encodeClient(frames));
        }
    }

    private void cannotSend(Throwable error) {
        lose(CallFailures.lost(endpoint, "nothing can be sent to it: " + error));
    }

    /** Runs on the timer's thread. */
    private void beat() {
        int silent = silentBeats + 1;
        silentBeats = silent;
        if (silent > BEATS) {
            threads.workers()
                    .execute(() ->
                            lose(CallFailures.lost(endpoint, "it has said nothing for " + timeout.toMillis() + " ms")));
        } else if (connected.isDone()) {
            outbox.add(new ClientFrame.Beat());
        }
    }

    private void lose(SkepException reason) {
        if (!lost.complete(reason)) {
            return;
        }
        Future<?> beating = beat.get();
        if (beating != null) {
            beating.cancel(false);
        }
        pending.end(asLoss(reason));
        reading.end(asLoss(reason));
        connected.completeExceptionally(asLoss(reason));
        channel.shutdownNow();
    }

    /** Converts a reason to DAEMON_LOST, since a query treats all reasons alike. */
    private SkepException asLoss(SkepException reason) {
        return reason.code() == StandardErrorCode.DAEMON_LOST
                ? reason
                : new SkepException(StandardErrorCode.DAEMON_LOST, reason.fullMessage(), reason)
                        .about(endpoint.toString());
    }

    public DaemonEndpoint endpoint() {
        return endpoint;
    }

    /**
     * Completes when the daemon has greeted and has accepted this process's proof. Fails if the connection is lost
     * before.
     */
    public CompletableFuture<DaemonIdentity> connected() {
        return connected.copy();
    }

    /** Completes with the reason when the connection is lost or closed. Never fails. */
    public CompletableFuture<SkepException> lost() {
        return lost.copy();
    }

    /** Returns the daemon's time at its greeting; 1970 before that. */
    public Instant clock() {
        return clock;
    }

    @Override
    public Optional<URI> externalLocation() {
        return external;
    }

    /** Returns the status that the daemon last reported. */
    public DaemonStatus status() {
        return status;
    }

    @Override
    public DaemonLoad load() {
        DaemonStatus known = status;
        // One heartbeat of this process may fall between two of the daemon. It does not count as silence.
        long overdue = Math.max(0, silentBeats - 1) * (timeout.toNanos() / BEATS);
        return new DaemonLoad(known.busy(), known.queuedSteps(), overdue);
    }

    /** Returns the receiver of the pages that this process reads over the connection. */
    PageReceiver pages() {
        return reading.link();
    }

    /**
     * Closes the connection in favour of another one to the same daemon, unless it is established already.
     *
     * @return the requests to read over the other connection
     */
    Optional<PageReceiver> closeInFavorOfOther() {
        Optional<PageReceiver> waiting = reading.handOver();
        if (waiting.isPresent()) {
            lose(CallFailures.lost(endpoint, "another connection to it was there first"));
        }
        return waiting;
    }

    /** Whether the daemon accepts no new queries, because it is draining. */
    public boolean isLeaving() {
        return leaving;
    }

    /** Asks the daemon to drain and stop, as a signal to its process would. */
    public void leave() {
        outbox.add(new ClientFrame.Leave());
    }

    @Override
    public boolean isLost() {
        return lost.isDone();
    }

    /** Returns the expected incarnation, or else the one that has greeted. One of them must exist. */
    @Override
    public DaemonIdentity identity() {
        if (expected.isPresent()) {
            return expected.get();
        }
        if (!connected.isDone() || connected.isCompletedExceptionally()) {
            throw new IllegalStateException("the daemon at " + endpoint + " has not greeted");
        }
        return connected.join();
    }

    @Override
    public void register(QueryId query, EncodedPlan plan) {
        loss().ifPresent(reason -> {
            throw reason;
        });
        // Encoded on the caller's thread, which may take the time.
        byte[] graph = plan.graph().bytes();
        checkSize("the plan of query " + query, graph.length);
        outbox.add(new ClientFrame.Register(
                query, new EncodedPlan(plan.name(), LazyEncoded.ofBytes(graph), plan.files()), files.of(plan.files())));
    }

    /** Rejects a message that is too long. It would break the connection and fail everything that uses it. */
    private static void checkSize(String what, long bytes) {
        if (bytes > DaemonRpc.MAX_PLAN_BYTES) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            what + " has " + bytes + " bytes, more than the " + DaemonRpc.MAX_PLAN_BYTES
                                    + " that a daemon takes")
                    .withHint("put long lists of values into a table, and join with that");
        }
    }

    private Optional<SkepException> loss() {
        return lost.isDone() ? Optional.of(asLoss(lost.join())) : Optional.empty();
    }

    @Override
    public CompletableFuture<TaskStats> submit(TaskSubmission submission) {
        long bytes = submission.splits().values().stream()
                .flatMap(List::stream)
                .mapToLong(split -> split.bytes().length)
                .sum();
        checkSize("the list of splits of a task of query " + submission.query(), bytes);
        CompletableFuture<TaskStats> result = new CompletableFuture<>();
        outbox.add(new ClientFrame.Submit(pending.task(result), submission));
        return result;
    }

    @Override
    public PageStream open(QueryId query, TaskAttemptId output, int partition) {
        return open(query, output, partition, RemotePages.WINDOW_BYTES);
    }

    @Override
    public PageStream open(QueryId query, TaskAttemptId output, int partition, long windowBytes) {
        return reading.link()
                .open(new PageRequest(query, output, partition), windowBytes)
                .orElseThrow(() -> new IllegalStateException("the connection to " + endpoint + " is retired"));
    }

    @Override
    public void releaseReader(QueryId query, TaskAttemptId output) {
        reading.link().pass(query, output);
    }

    @Override
    public CompletableFuture<@Nullable Void> barrier() {
        CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
        outbox.add(new ClientFrame.Settle(pending.other(done)));
        return done;
    }

    @Override
    public CompletableFuture<@Nullable Void> cancel(QueryId query, TaskAttemptId attempt, String reason) {
        CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
        outbox.add(new ClientFrame.Cancel(pending.other(done), query, attempt, reason));
        return done;
    }

    @Override
    public CompletableFuture<@Nullable Void> finishQuery(QueryId query, String reason) {
        CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
        outbox.add(new ClientFrame.End(pending.other(done), query, reason));
        return done;
    }

    /** Closes the connection. The daemon then ends the work that was requested over it. */
    @Override
    public void close() {
        lose(CallFailures.lost(endpoint, "the connection was closed"));
    }
}
