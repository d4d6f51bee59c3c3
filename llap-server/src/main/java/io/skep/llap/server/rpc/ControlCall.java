package io.skep.llap.server.rpc;

import com.google.common.util.concurrent.MoreExecutors;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.llap.client.EncodedPlan;
import io.skep.llap.client.OutputId;
import io.skep.llap.client.PlanFile;
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
 * What one connected process wants of the daemon. Its frames are handled in their order, off the threads that hear it and that say
 * that the daemon is alive. When it is lost, the queries that it has brought are ended, and the tasks that it has brought of others'
 * queries are cancelled: nobody else would end them. Thread-safe.
 */
final class ControlCall extends ServerCall.Listener<byte[]> {
    private static final Logger LOG = LoggerFactory.getLogger(ControlCall.class);

    /** Messages that have come and are not handled, before no more are taken. */
    private static final long MAX_WAITING_BYTES = 1 << 20;

    /** What a message costs beside its bytes. */
    private static final long MESSAGE_BYTES = 512;

    /** Ends of tasks are told with how the daemon does, but not more often than that. */
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

    /** Tasks of queries that another process has brought: an application master's of Tez. By the number of the call. */
    private final Map<Long, TaskSubmission> guests = new ConcurrentHashMap<>();

    private final Map<QueryId, SkepException> badPlans = new ConcurrentHashMap<>();
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicLong lastStatus = new AtomicLong();
    private final AtomicLong waitingBytes = new AtomicLong();
    private final AtomicBoolean holding = new AtomicBoolean();
    private volatile int silentBeats;
    private volatile boolean farewell;

    /**
     * @param onEnd hears once that the other side is gone, and why
     * @param onLeave hears that the daemon is to drain and end
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
        tellStatus();
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

    private void tellStatus() {
        lastStatus.set(System.nanoTime());
        outbox.add(new DaemonFrame.Status(daemon.status()));
    }

    /** Says that the daemon wants no new queries. */
    void tellLeaving() {
        outbox.add(new DaemonFrame.Leaving());
    }

    /** Whether the other side has answered that, after its last new query. */
    boolean hasSaidFarewell() {
        return farewell;
    }

    /** On the timer's thread. */
    void beat() {
        // A side that may not send, since what it has sent is being handled, is not silent.
        int silent = holding.get() ? 0 : silentBeats + 1;
        silentBeats = silent;
        if (silent > mostSilentBeats) {
            end("it has said nothing for too long");
        } else {
            tellStatus();
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
                // That it has come is what it says.
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
            cancelGuests("whoever has asked for it is gone");
        }
        var _ = running.whenComplete((figures, failure) -> {
            guests.remove(number);
            outbox.add(
                    failure == null
                            ? new DaemonFrame.Finished(number, figures)
                            : new DaemonFrame.Failed(number, GrpcStatuses.asSkepException(failure)));
            if (System.nanoTime() - lastStatus.get() > STATUS_NANOS) {
                tellStatus();
            }
        });
    }

    /** Whatever goes wrong with a task is that task's failure. */
    private CompletableFuture<TaskStats> start(TaskSubmission submission) {
        try {
            return daemon.submit(submission);
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** The other side may have been lost while its plan was decoded. */
    private void endIfLate(QueryId query) {
        if (over.get() && queries.remove(query)) {
            endQuery(query, "whoever has asked for it is gone");
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

    /** Ends the connection and what was asked over it. */
    void end(String why) {
        String where = daemon.identity().endpoint().map(at -> " at " + at).orElse("");
        SkepException lost =
                new SkepException(StandardErrorCode.DAEMON_LOST, "the LLAP daemon" + where + " gives up: " + why);
        synchronized (call) {
            if (!over.compareAndSet(false, true)) {
                return;
            }
            // Nothing happens when the other side has gone.
            call.close(Status.UNAVAILABLE.withDescription(why), GrpcStatuses.trailers(lost));
        }
        onEnd.accept(this, lost);
        files.fail();
        cancelGuests(why);
        for (QueryId query : List.copyOf(queries)) {
            files.leave(query);
            if (queries.remove(query)) {
                LOG.info("Query {} ends with the process that has asked for it: {}", query, why);
                endQuery(query, why);
            }
        }
    }

    /** Their queries go on, and may have the tasks run again. */
    private void cancelGuests(String why) {
        for (Long number : List.copyOf(guests.keySet())) {
            TaskSubmission task = guests.remove(number);
            if (task != null) {
                var _ = daemon.cancel(task.query(), new OutputId(task.fragment(), task.task(), task.attempt()), why);
            }
        }
    }

    private void endQuery(QueryId query, String why) {
        SkepException lost = new SkepException(
                StandardErrorCode.DAEMON_LOST, "the daemon has lost the process that has asked for the query: " + why);
        var _ = daemon.end(query, lost);
        arrivals.ended(query, lost);
    }
}
