package io.skep.ql.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.OperatorTimes;
import io.skep.common.query.QueryId;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Batch;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.schedule.ExecutionStats;
import io.skep.engine.schedule.StageGraphExecution;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.storage.scan.ScanStats;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests the loop of attempts: what is listed, started and closed, and when, for cancellations and closes at any point.
 */
@Timeout(60)
final class TestQueryRun {
    private final SkepException missing = new SkepException(StandardErrorCode.MISSING_FILE, "gone");
    private final SkepException lost = new SkepException(StandardErrorCode.DAEMON_LOST, "killed");
    private final SkepException cancelled = new SkepException(StandardErrorCode.OPERATION_CANCELED, "canceled");

    private final List<String> log = Collections.synchronizedList(new ArrayList<>());
    private final List<FakeAttempt> attempts = Collections.synchronizedList(new ArrayList<>());
    private final Queue<CompletableFuture<Optional<Batch>>> rows = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> listings = new ArrayDeque<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final QueryRuns runs = new QueryRuns(Schedulers.only(this::started), threads);
    private final QueryRun run = runs.of(new FakeSource());

    private final class FakeSource implements AttemptSource {
        private int number;

        @Override
        public QueryAttemptId begin() {
            return new QueryAttemptId(new QueryId("q"), ++number);
        }

        @Override
        public StageGraphRun list(QueryAttemptId attempt) {
            log.add("list " + attempt.name());
            Runnable listing = listings.poll();
            if (listing != null) {
                listing.run();
            }
            Fragment root = new Fragment(
                    0,
                    new PlanNode.Values(List.of(PrimitiveType.BIGINT), List.of()),
                    Fragment.Distribution.SINGLE,
                    new Fragment.Output.Gather());
            StageGraph graph = new StageGraph(List.of(root), List.of("n"), List.of(PrimitiveType.BIGINT), List.of(), 1);
            return new StageGraphRun(attempt.name(), graph, Map.of(), Map.of());
        }
    }

    private StageGraphExecution started(StageGraphRun started) {
        log.add("start " + started.queryId());
        FakeAttempt attempt = new FakeAttempt();
        attempts.add(attempt);
        return attempt;
    }

    /** Returns the prepared rows, and then none. */
    private final class FakeAttempt implements StageGraphExecution {
        private int closes;
        private Optional<SkepException> reason = Optional.empty();

        @Override
        public CompletableFuture<Optional<Batch>> next() {
            if (reason.isPresent()) {
                return CompletableFuture.failedFuture(reason.get());
            }
            CompletableFuture<Optional<Batch>> next = rows.poll();
            return next == null ? CompletableFuture.completedFuture(Optional.empty()) : next;
        }

        @Override
        public void cancel(SkepException why) {
            reason = Optional.of(why);
        }

        @Override
        public ExecutionStats stats() {
            return new ExecutionStats("fake", List.of(), ScanStats.NONE, OperatorTimes.NONE, 0, 0);
        }

        @Override
        public void close() {
            closes++;
        }
    }

    @AfterEach
    void allAttemptsAreClosed() {
        run.close();
        threads.shutdownNow();
        assertThat(attempts).allSatisfy(attempt -> assertThat(attempt.closes).isPositive());
        assertThat(runs.keptBytes()).isZero();
    }

    private static Runnable failing(SkepException failure) {
        return () -> {
            throw failure;
        };
    }

    @Test
    void missingFilesAreListedAgain() {
        rows.add(CompletableFuture.failedFuture(missing));
        listings.add(() -> {});
        listings.add(failing(missing));
        run.start(line -> {});
        assertThat(run.nextRows()).isEmpty();
        assertThat(log).containsExactly("list q", "start q", "list q-2", "list q-3", "start q-3");
    }

    @Test
    void listingEndsAtSomeTime() {
        for (int i = 0; i < 20; i++) {
            listings.add(failing(missing));
        }
        assertThatThrownBy(() -> run.start(line -> {})).isSameAs(missing);
        assertThat(log).hasSize(10);
    }

    @Test
    void lostDaemonsMeanTheSameFilesAgain() {
        rows.add(CompletableFuture.failedFuture(lost));
        List<String> told = Collections.synchronizedList(new ArrayList<>());
        run.start(told::add);
        assertThat(run.nextRows()).isEmpty();
        assertThat(log).containsExactly("list q", "start q", "start q-2");
        assertThat(told).singleElement().satisfies(line -> assertThat(line).contains("killed"));
    }

    @Test
    void anAttemptIsNotClosedByTheThreadThatBringsItsFailure() {
        QueryRuns inline = new QueryRuns(Schedulers.only(this::started), Runnable::run);
        QueryRun here = inline.of(new FakeSource());
        CompletableFuture<Optional<Batch>> coming = new CompletableFuture<>();
        rows.add(coming);
        here.start(line -> {});
        CompletableFuture<Optional<Batch>> next = here.next();
        coming.completeExceptionally(lost);
        assertThat(next.join()).isEmpty();
        assertThat(attempts)
                .hasSize(2)
                .allSatisfy(attempt -> assertThat(attempt.closes).isZero());
        here.close();
    }

    @Test
    void aCancellationFreesWhoWaitsForAListingThatHangs() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch hanging = new CountDownLatch(1);
        listings.add(() -> {
            reached.countDown();
            await(hanging);
        });
        CompletableFuture<Void> start = CompletableFuture.runAsync(() -> run.start(line -> {}), threads);
        reached.await();
        run.cancel(cancelled);
        assertThatThrownBy(start::join).hasCause(cancelled);
        hanging.countDown();
        run.close();
        assertThat(log).as("nothing is started for it").containsExactly("list q");
    }

    @Test
    void aCloseInterruptsTheListingThatIsUnderWay() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        rows.add(CompletableFuture.failedFuture(missing));
        listings.add(() -> {});
        listings.add(() -> {
            reached.countDown();
            await(new CountDownLatch(1));
        });
        run.start(line -> {});
        CompletableFuture<Optional<Batch>> next = run.next();
        reached.await();
        run.close();
        assertThatThrownBy(next::join).cause().isInstanceOfSatisfying(SkepException.class, TestQueryRun::isCanceled);
        assertThat(attempts).hasSize(1);
    }

    @Test
    void aCloseDoesNotWaitForAListingThatHearsNoInterrupt() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        CompletableFuture<Void> hanging = new CompletableFuture<>();
        rows.add(CompletableFuture.failedFuture(missing));
        listings.add(() -> {});
        listings.add(() -> {
            reached.countDown();
            hanging.join();
        });
        run.start(line -> {});
        CompletableFuture<Optional<Batch>> next = run.next();
        reached.await();
        run.close();
        assertThat(next).isNotDone();
        assertThat(attempts)
                .singleElement()
                .satisfies(attempt -> assertThat(attempt.closes).isZero());
        hanging.complete(null);
        assertThatThrownBy(next::join).cause().isInstanceOfSatisfying(SkepException.class, TestQueryRun::isCanceled);
        // Leftovers are released before the error is reported.
        assertThat(attempts)
                .singleElement()
                .satisfies(attempt -> assertThat(attempt.closes).isOne());
        assertThat(log).as("nothing is started").containsExactly("list q", "start q", "list q-2");
    }

    private static void isCanceled(SkepException failure) {
        assertThat(failure.code()).isEqualTo(StandardErrorCode.OPERATION_CANCELED);
    }

    @Test
    void aCancelledRunMakesNoFurtherAttempt() {
        CompletableFuture<Optional<Batch>> coming = new CompletableFuture<>();
        rows.add(coming);
        run.start(line -> {});
        CompletableFuture<Optional<Batch>> next = run.next();
        run.cancel(cancelled);
        coming.completeExceptionally(lost);
        assertThatThrownBy(next::join).hasCause(lost);
        assertThatThrownBy(() -> run.next().join()).hasCause(cancelled);
        assertThat(attempts).hasSize(1);
    }

    @Test
    void aRunThatIsCancelledBeforeItBeginsListsNothing() {
        run.cancel(cancelled);
        assertThatThrownBy(() -> run.start(line -> {})).isSameAs(cancelled);
        assertThat(log).isEmpty();
        assertThat(run.mayHaveStarted()).isFalse();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
