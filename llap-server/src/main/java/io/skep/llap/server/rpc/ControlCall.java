package io.skep.llap.server.rpc;

import com.google.common.util.concurrent.MoreExecutors;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.llap.client.EncodedPlan;
import io.skep.llap.client.PlanFile;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.client.TaskStats;
import io.skep.llap.client.TaskSubmission;
import io.skep.llap.client.rpc.Outbox;
import io.skep.llap.client.wire.ClientFrame;
import io.skep.llap.client.wire.DaemonFrame;
import io.skep.llap.client.wire.FrameCodec;
import io.skep.llap.server.LlapDaemon;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The control call of one connected process. Its frames are handled in order, on other threads than those that receive
 * frames and send heartbeats. When the connection is lost, the queries that the process has registered are ended. The
 * tasks that it has submitted for others' queries are cancelled, because no other process would end them. Thread-safe.
 */
final class ControlCall extends ServerCall.Listener<byte[]> {
    private static final Logger LOG = LoggerFactory.getLogger(ControlCall.class);

    /** The size of received and unhandled messages above which no more are requested. */
    private static final long MAX_WAITING_BYTES = 1 << 20;

    /** The cost of a message in addition to its bytes. */
    private static final long MESSAGE_BYTES = 512;

    /** The status of the daemon is sent along with the ends of tasks, but not more often than this. */
    private static final long STATUS_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final LlapDaemon daemon;
    private final PendingQueries arrivals;
    private final SentFiles files;
    private final ServerCall<byte[], byte[]> call;
    private final int mostSilentBeats;
    private final BiConsumer<ControlCall, SkepException> onEnd;
    private final Runnable onLeave;
    private final Executor inOrder;
    private final Outbox<DaemonFrame> outbox;
    private final Set<QueryId> queries = ConcurrentHashMap.newKeySet();

    /**
     * Tasks of queries that another process has registered, by the number of the call. They come from a Tez application
     * master.
     */
    private final Map<Long, TaskSubmission> guests = new ConcurrentHashMap<>();

    private final Map<QueryId, SkepException> badPlans = new ConcurrentHashMap<>();
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicLong lastStatus = new AtomicLong();
    private final AtomicLong waitingBytes = new AtomicLong();
    private final AtomicBoolean holding = new AtomicBoolean();
    private volatile int silentBeats;
    private volatile boolean farewell;

    /**
     * @param onEnd called once when the peer is gone, with the reason
     * @param onLeave called when the daemon is asked to drain and stop
     */
    ControlCall(
            LlapDaemon daemon,
            PendingQueries arrivals,
            PlanFileStore store,
            ServerCall<byte[], byte[]> call,
            Executor workers,
            int mostSilentBeats,
            BiConsumer<ControlCall, SkepException> onEnd,
            Runnable onLeave) {
        this.daemon = daemon;
        this.arrivals = arrivals;
        this.call = call;
        this.mostSilentBeats = mostSilentBeats;
        this.onEnd = onEnd;
        this.onLeave = onLeave;
        this.inOrder = MoreExecutors.newSequentialExecutor(workers);
        this.outbox = new Outbox<>(workers, call::isReady, this::send, this::cannotSend);
        this.files = new SentFiles(store, hash -> outbox.add(new DaemonFrame.Want(hash)));
    }

    void start() {
        call.sendHeaders(new Metadata());
        call.request(1);
        sendStatus();
    }

    private void send(List<DaemonFrame> frames) {
        byte[] message = FrameCodec.encodeDaemon(frames);
        synchronized (call) {
            if (!over.get()) {
                call.sendMessage(message);
            }
        }
    }

    private void cannotSend(Throwable error) {
        LOG.error("A message cannot be sent", error);
        end("nothing can be sent to it: " + error);
    }

    private void sendStatus() {
        lastStatus.set(System.nanoTime());
        outbox.add(new DaemonFrame.Status(daemon.status()));
    }

    /** Announces that the daemon accepts no new queries. */
    void sendLeaving() {
        outbox.add(new DaemonFrame.Leaving());
    }

    /** Whether the peer has acknowledged that, after its last new query. */
    boolean hasAcknowledgedLeaving() {
        return farewell;
    }

    /** Called on the timer's thread. */
    void beat() {
        // A peer is not silent while it must not send because its earlier messages are still being handled.
        int silent = holding.get() ? 0 : silentBeats + 1;
        silentBeats = silent;
        if (silent > mostSilentBeats) {
            end("it has said nothing for too long");
        } else {
            sendStatus();
        }
    }

    @Override
    public void onReady() {
        outbox.flush();
    }

    @Override
    public void onMessage(byte[] message) {
        silentBeats = 0;
        long cost = message.length + MESSAGE_BYTES;
        if (waitingBytes.addAndGet(cost) < MAX_WAITING_BYTES) {
            call.request(1);
        } else {
            holding.set(true);
            takeMore();
        }
        inOrder.execute(() -> {
            try {
                handle(message);
            } finally {
                waitingBytes.addAndGet(-cost);
                takeMore();
            }
        });
    }

    private void takeMore() {
        if (waitingBytes.get() < MAX_WAITING_BYTES && holding.compareAndSet(true, false)) {
            call.request(1);
        }
    }

    private void handle(byte[] message) {
        if (over.get()) {
            return;
        }
        try {
            FrameCodec.decodeClient(message).forEach(this::handle);
        } catch (RuntimeException | Error e) {
            LOG.error("A message cannot be handled", e);
            end("a message of it cannot be handled: " + e);
        }
    }

    private void handle(ClientFrame frame) {
        switch (frame) {
            case ClientFrame.Register(QueryId query, EncodedPlan plan, List<PlanFile> sent) ->
                register(query, plan, sent);
            case ClientFrame.Submit(long number, TaskSubmission submission) -> submit(number, submission);
            case ClientFrame.Cancel cancel -> {
                var _ = daemon.cancel(cancel.query(), cancel.attempt(), cancel.reason())
                        .whenComplete((_, _) -> outbox.add(new DaemonFrame.Done(cancel.call())));
            }
            case ClientFrame.End(long number, QueryId query, String reason) -> {
                queries.remove(query);
                badPlans.remove(query);
                files.leave(query);
                SkepException why = new SkepException(StandardErrorCode.OPERATION_CANCELED, reason);
                var _ = daemon.end(query, why).whenComplete((_, _) -> outbox.add(new DaemonFrame.Done(number)));
                arrivals.ended(query, why);
            }
            case ClientFrame.Farewell() -> farewell = true;
            case ClientFrame.Leave() -> onLeave.run();
            case ClientFrame.Settle(long number) -> outbox.add(new DaemonFrame.Done(number));
            case ClientFrame.Beat() -> {
                // The arrival of the frame is its only information.
            }
        }
    }

    private void register(QueryId query, EncodedPlan plan, List<PlanFile> sent) {
        queries.add(query);
        try {
            daemon.register(query, plan, files.use(query, sent));
        } catch (RuntimeException | Error e) {
            badPlans.put(query, GrpcStatuses.asSkepException(e));
        }
        arrivals.arrived(query);
        endIfLate(query);
    }

    private void submit(long number, TaskSubmission submission) {
        SkepException badPlan = badPlans.get(submission.query());
        if (badPlan != null) {
            outbox.add(new DaemonFrame.Failed(number, badPlan));
            return;
        }
        boolean guest = !queries.contains(submission.query());
        if (guest) {
            guests.put(number, submission);
        }
        CompletableFuture<TaskStats> running = start(submission);
        if (over.get()) {
            cancelGuests("the process that requested it is gone");
        }
        var _ = running.whenComplete((stats, failure) -> {
            guests.remove(number);
            outbox.add(
                    failure == null
                            ? new DaemonFrame.Finished(number, stats)
                            : new DaemonFrame.Failed(number, GrpcStatuses.asSkepException(failure)));
            if (System.nanoTime() - lastStatus.get() > STATUS_NANOS) {
                sendStatus();
            }
        });
    }

    /** Submits a task. Any error becomes the task's failure. */
    private CompletableFuture<TaskStats> start(TaskSubmission submission) {
        try {
            return daemon.submit(submission);
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Ends the query if the peer was lost while its plan was decoded. */
    private void endIfLate(QueryId query) {
        if (over.get() && queries.remove(query)) {
            endQuery(query, "the process that requested it is gone");
        }
    }

    @Override
    public void onHalfClose() {
        end("it has ended the connection");
    }

    @Override
    public void onCancel() {
        end("its connection has ended");
    }

    /** Ends the connection and everything that was requested over it. */
    void end(String why) {
        String where = daemon.identity().endpoint().map(at -> " at " + at).orElse("");
        SkepException lost =
                new SkepException(StandardErrorCode.DAEMON_LOST, "the LLAP daemon" + where + " gives up: " + why);
        synchronized (call) {
            if (!over.compareAndSet(false, true)) {
                return;
            }
            // This has no effect when the peer is gone.
            call.close(Status.UNAVAILABLE.withDescription(why), GrpcStatuses.trailers(lost));
        }
        onEnd.accept(this, lost);
        files.fail();
        cancelGuests(why);
        for (QueryId query : List.copyOf(queries)) {
            files.leave(query);
            if (queries.remove(query)) {
                LOG.info("Query {} is cancelled, since the process that requested it is gone: {}", query, why);
                endQuery(query, why);
            }
        }
    }

    /** Cancels tasks of other processes' queries. Those queries continue and may retry the tasks. */
    private void cancelGuests(String why) {
        for (Long number : List.copyOf(guests.keySet())) {
            TaskSubmission task = guests.remove(number);
            if (task != null) {
                var _ = daemon.cancel(
                        task.query(), new TaskAttemptId(task.fragment(), task.task(), task.attempt()), why);
            }
        }
    }

    private void endQuery(QueryId query, String why) {
        SkepException lost = new SkepException(
                StandardErrorCode.DAEMON_LOST,
                "the daemon has lost its connection to the process that requested the query: " + why);
        var _ = daemon.end(query, lost);
        arrivals.ended(query, lost);
    }
}
