package io.skep.bench.simulation;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.common.vector.Batch;
import io.skep.engine.plan.codec.PlanCodec;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.DaemonLoad;
import io.skep.llap.client.EncodedPlan;
import io.skep.llap.client.OutputLocation;
import io.skep.llap.client.PageStream;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.client.TaskStats;
import io.skep.llap.client.TaskSubmission;
import io.skep.llap.client.placement.DaemonRing;
import io.skep.storage.table.Split;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A server's connection to a simulated daemon. Messages take time, and an answer may never arrive. */
final class SimulatedConnection implements DaemonConnection {
    /** The work of a task that reads no file, as bytes from the cache. */
    private static final long BYTES_OF_ROWS = 200_000;

    private final SimulatedDaemon daemon;
    private final VirtualTime time;
    private final Random random;
    private final Tally tally;
    private final SimulatedExchange exchange;
    private final Set<Runnable> onLoss = new LinkedHashSet<>();
    private boolean lost;
    private long lastArrival;
    private long lastAnswer;

    SimulatedConnection(
            SimulatedDaemon daemon, VirtualTime time, Random random, Tally tally, SimulatedExchange exchange) {
        this.daemon = daemon;
        this.time = time;
        this.random = random;
        this.tally = tally;
        this.exchange = exchange;
    }

    /** Returns the time of one message: some hundred microseconds, and occasionally twenty milliseconds. */
    private long trip() {
        return 50_000L + random.nextInt(random.nextInt(100) == 0 ? 20_000_000 : 300_000);
    }

    /** Messages arrive in the order in which they were sent. */
    private void send(Runnable onArrival) {
        lastArrival = Math.max(lastArrival, time.now() + trip());
        time.after(lastArrival - time.now(), () -> daemon.whenAwake(onArrival));
    }

    private void reply(Runnable onArrival) {
        lastAnswer = Math.max(lastAnswer, time.now() + trip());
        time.after(lastAnswer - time.now(), onArrival);
    }

    private static SkepException loss(DaemonIdentity daemon) {
        return new SkepException(StandardErrorCode.DAEMON_LOST, "the daemon " + daemon + " was lost");
    }

    /** Marks the connection as lost. */
    void lose() {
        if (!lost) {
            lost = true;
            List.copyOf(onLoss).forEach(Runnable::run);
            onLoss.clear();
        }
    }

    /** Returns a future that fails when the connection is lost first. */
    private <T extends @Nullable Object> CompletableFuture<T> answer() {
        CompletableFuture<T> future = new CompletableFuture<>();
        if (lost) {
            future.completeExceptionally(loss(daemon.identity));
            return future;
        }
        Runnable fail = () -> future.completeExceptionally(loss(daemon.identity));
        onLoss.add(fail);
        var _ = future.whenComplete((value, error) -> onLoss.remove(fail));
        return future;
    }

    @Override
    public DaemonIdentity identity() {
        return daemon.identity;
    }

    @Override
    public DaemonLoad load() {
        return daemon.load();
    }

    @Override
    public boolean isLost() {
        return lost;
    }

    @Override
    public void register(QueryId query, EncodedPlan plan) {}

    @Override
    public CompletableFuture<TaskStats> submit(TaskSubmission submission) {
        tally.submitted++;
        CompletableFuture<TaskStats> stats = answer();
        var _ = stats.whenComplete((value, error) -> count(error));
        SimulatedTask task = new SimulatedTask(submission, (ended, reason) -> {
            if (reason == null) {
                exchange.finished(submission.query(), submission.fragment());
            }
            reply(() -> complete(stats, reason));
        });
        send(() -> arrive(task));
        return stats;
    }

    private static void complete(CompletableFuture<TaskStats> stats, @Nullable SkepException reason) {
        if (reason == null) {
            stats.complete(TaskStats.NONE);
        } else {
            stats.completeExceptionally(reason);
        }
    }

    private void count(@Nullable Throwable error) {
        if (error == null) {
            tally.finished++;
        } else if (error instanceof SkepException known && known.code() == StandardErrorCode.DAEMON_LOST) {
            tally.lost++;
        } else if (error instanceof SkepException known && known.code() == StandardErrorCode.OPERATION_CANCELED) {
            tally.cancelled++;
        } else {
            tally.failedOtherwise++;
        }
    }

    private void arrive(SimulatedTask task) {
        TaskSubmission submission = task.submission;
        submission
                .splits()
                .values()
                .forEach(splits -> splits.forEach(parcel -> {
                    Split split = parcel.open(Split.class, PlanCodec::decodeSplit);
                    long key = DaemonRing.key(split.file().path(), split.start());
                    task.pieces.add(new SimulatedTask.Piece(key, split.length()));
                }));
        if (task.pieces.isEmpty()) {
            task.pieces.add(new SimulatedTask.Piece(0, BYTES_OF_ROWS));
        }
        daemon.add(task);
        exchange.await(
                submission.query(),
                List.copyOf(submission.inputs().values()),
                () -> daemon.whenAwake(() -> {
                    if (!task.over) {
                        daemon.begin(task);
                    }
                }),
                task::end);
    }

    @Override
    public PageStream open(QueryId query, TaskAttemptId output, int partition) {
        CompletableFuture<@Nullable Void> finished = answer();
        send(() -> exchange.await(
                query,
                List.of(List.of(new OutputLocation(daemon.identity, output))),
                () -> reply(() -> finished.complete(null)),
                reason -> reply(() -> finished.completeExceptionally(reason))));
        int[] pages = {1 + random.nextInt(3)};
        return new PageStream() {
            @Override
            public CompletableFuture<Optional<Batch>> next() {
                return finished.thenCompose(ignored -> page(pages[0]-- > 0));
            }

            @Override
            public void close() {}
        };
    }

    private CompletableFuture<Optional<Batch>> page(boolean more) {
        CompletableFuture<Optional<Batch>> page = answer();
        send(() -> reply(() -> page.complete(more ? Optional.of(Batch.of(1)) : Optional.empty())));
        return page;
    }

    @Override
    public CompletableFuture<@Nullable Void> cancel(QueryId query, TaskAttemptId attempt, String reason) {
        throw new UnsupportedOperationException("the direct scheduler gives up whole queries only");
    }

    @Override
    public CompletableFuture<@Nullable Void> finishQuery(QueryId query, String reason) {
        CompletableFuture<@Nullable Void> heard = answer();
        CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
        tally.end(query, 1);
        // A lost daemon holds nothing.
        var _ = heard.whenComplete((value, error) -> {
            ended.complete(null);
            tally.end(query, -1);
        });
        send(() -> {
            SkepException why = new SkepException(StandardErrorCode.OPERATION_CANCELED, reason);
            daemon.end(query, why);
            exchange.end(query, why);
            reply(() -> heard.complete(null));
        });
        return ended;
    }
}
