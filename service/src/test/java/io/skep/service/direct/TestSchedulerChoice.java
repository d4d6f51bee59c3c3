package io.skep.service.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.OperatorTimes;
import io.skep.common.query.QueryId;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.LongVector;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.schedule.ExecutionStats;
import io.skep.engine.schedule.StageGraphExecution;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.ql.execution.QueryRuns;
import io.skep.storage.scan.ScanStats;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class TestSchedulerChoice {
    private final SkepException full = new SkepException(StandardErrorCode.MEMORY_LIMIT_EXCEEDED, "no memory left");

    private final SkepException lost = new SkepException(StandardErrorCode.DAEMON_LOST, "killed");

    private final List<String> log = new ArrayList<>();
    private final List<SkepException> failed = new ArrayList<>();
    private final Queue<CompletableFuture<Optional<Batch>>> directRows = new ArrayDeque<>();
    private final Queue<CompletableFuture<Optional<Batch>>> tezRows = new ArrayDeque<>();
    private final SchedulerChoice choice = new SchedulerChoice(
            run -> started("direct", run, directRows), run -> started("tez", run, tezRows), failed::add);
    private final QueryRuns runs = new QueryRuns(choice);

    @Test
    void theSettingDecides() {
        runs.start(run(Map.of("skep.scheduler", "direct"), 1e12)).close();
        runs.start(run(Map.of("skep.scheduler", "TEZ"), 1)).close();
        assertThat(log).containsExactly("direct q", "close direct", "tez q", "close tez");
    }

    @Test
    void whatIsLargeByEstimateGoesThroughTez() {
        runs.start(run(Map.of("skep.direct.max-rows", "1000"), 999)).close();
        runs.start(run(Map.of("skep.direct.max-rows", "1000"), 1001)).close();
        assertThat(log).containsExactly("direct q", "close direct", "tez q", "close tez");
    }

    @Test
    void wantOfMemoryBeforeTheFirstRowIsTriedAgainThroughTez() {
        directRows.add(CompletableFuture.failedFuture(full));
        StageGraphExecution execution = runs.start(run(Map.of(), 1));
        assertThat(execution.next().join()).isEmpty();
        execution.close();
        assertThat(log).containsExactly("direct q", "tez q-2", "close direct", "close tez");
    }

    @Test
    void aLostDaemonBeforeTheFirstRowMeansAnotherRun() {
        directRows.add(CompletableFuture.failedFuture(lost));
        directRows.add(CompletableFuture.failedFuture(lost));
        StageGraphExecution execution = runs.start(run(Map.of("skep.scheduler", "direct"), 1));
        assertThat(execution.next().join()).isEmpty();
        execution.close();
        assertThat(log)
                .containsExactly(
                        "direct q", "direct q-2", "direct q-3", "close direct", "close direct", "close direct");
        assertThat(failed).containsExactly(lost, lost);
    }

    @Test
    void daemonsMayBeLostTooOften() {
        for (int i = 0; i < 9; i++) {
            tezRows.add(CompletableFuture.failedFuture(lost));
        }
        StageGraphExecution execution = runs.start(run(Map.of("skep.scheduler", "tez"), 1));
        assertThatThrownBy(() -> execution.next().join()).hasCause(lost);
        execution.close();
        assertThat(log).filteredOn(line -> line.startsWith("tez")).hasSize(3);
    }

    @Test
    void withoutDaemonsTezHasTheQuery() {
        SkepException none = new SkepException(StandardErrorCode.QUEUE_FULL, "there is no daemon");
        QueryRuns without = new QueryRuns(new SchedulerChoice(
                run -> {
                    throw none;
                },
                run -> started("tez", run, new ArrayDeque<>()),
                failed::add));
        without.start(run(Map.of(), 1)).close();
        assertThat(log).containsExactly("tez q-2", "close tez");
        assertThatThrownBy(() -> without.start(run(Map.of("skep.scheduler", "direct"), 1)))
                .isSameAs(none);
    }

    @Test
    void afterTheFirstRowItIsNot() {
        directRows.add(CompletableFuture.completedFuture(Optional.of(Batch.of(1))));
        directRows.add(CompletableFuture.failedFuture(full));
        StageGraphExecution execution = runs.start(run(Map.of("skep.query.max-kept-result", "0"), 1));
        assertThat(execution.next().join()).isPresent();
        assertThatThrownBy(() -> execution.next().join()).hasCause(full);
        execution.close();
        assertThat(log).containsExactly("direct q", "close direct");
    }

    private static CompletableFuture<Optional<Batch>> rows(int count) {
        return CompletableFuture.completedFuture(
                Optional.of(new Batch(List.of(new LongVector(new long[count], null, count)), count)));
    }

    @Test
    void aSmallResultGoesOutWhenItIsWhole() {
        directRows.add(rows(1));
        directRows.add(rows(2));
        directRows.add(CompletableFuture.failedFuture(lost));
        directRows.add(rows(3));
        CompletableFuture<Optional<Batch>> last = new CompletableFuture<>();
        directRows.add(last);
        QueryRuns here = new QueryRuns(choice, Runnable::run);
        StageGraphExecution execution = here.start(run(Map.of(), 1));
        CompletableFuture<Optional<Batch>> first = execution.next();
        assertThat(first).isNotDone();
        assertThat(here.keptBytes()).isPositive();
        last.complete(rows(4).join());
        assertThat(first.join())
                .hasValueSatisfying(rows -> assertThat(rows.rowCount()).isEqualTo(3));
        assertThat(execution.next().join())
                .hasValueSatisfying(rows -> assertThat(rows.rowCount()).isEqualTo(4));
        assertThat(here.keptBytes()).isZero();
        assertThat(execution.next().join()).isEmpty();
        assertThat(execution.next().join()).isEmpty();
        execution.close();
        assertThat(log).containsExactly("direct q", "direct q-2", "close direct", "close direct");
    }

    @Test
    void aLongResultGoesOutAsItComes() {
        for (int i = 0; i < 3; i++) {
            directRows.add(rows(1000));
        }
        directRows.add(CompletableFuture.failedFuture(lost));
        StageGraphExecution execution = runs.start(run(Map.of("skep.query.max-kept-result", "10kb"), 1));
        for (int i = 0; i < 3; i++) {
            assertThat(execution.next().join()).isPresent();
            assertThat(directRows).hasSize(Math.min(2, 3 - i));
        }
        assertThatThrownBy(() -> execution.next().join()).cause().isInstanceOf(SkepException.class);
        execution.close();
        assertThat(log).containsExactly("direct q", "close direct");
    }

    @Test
    void whatIsKeptIsGivenBackWithTheQuery() {
        directRows.add(rows(1));
        directRows.add(new CompletableFuture<>());
        StageGraphExecution unread = runs.start(run(Map.of(), 1));
        assertThat(unread.next()).isNotDone();
        assertThat(runs.keptBytes()).isPositive();
        unread.close();
        assertThat(runs.keptBytes()).isZero();
        directRows.add(rows(1));
        StageGraphExecution cancelled = runs.start(run(Map.of(), 1));
        directRows.add(CompletableFuture.completedFuture(Optional.empty()));
        cancelled.cancel(full);
        assertThat(cancelled.next().join()).isPresent();
        assertThatThrownBy(() -> cancelled.next().join()).hasCause(full);
        cancelled.close();
        assertThat(runs.keptBytes()).isZero();
    }

    @Test
    void otherErrorsAreNotTriedAgain() {
        SkepException user = new SkepException(StandardErrorCode.DIVISION_BY_ZERO, "by zero");
        directRows.add(CompletableFuture.failedFuture(user));
        StageGraphExecution execution = runs.start(run(Map.of(), 1));
        assertThatThrownBy(() -> execution.next().join()).hasCause(user);
        assertThat(log).containsExactly("direct q");
    }

    @Test
    void unknownSchedulersAreRefused() {
        assertThatThrownBy(() -> runs.start(run(Map.of("skep.scheduler", "spark"), 1)))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(StandardErrorCode.INVALID_CONFIGURATION));
    }

    private StageGraphExecution started(
            String name, StageGraphRun run, Queue<CompletableFuture<Optional<Batch>>> rows) {
        log.add(name + " " + run.queryId());
        return new StageGraphExecution() {
            @Override
            public CompletableFuture<Optional<Batch>> next() {
                CompletableFuture<Optional<Batch>> next = rows.poll();
                return next == null ? CompletableFuture.completedFuture(Optional.empty()) : next;
            }

            @Override
            public void cancel(SkepException reason) {
                log.add("cancel " + name);
            }

            @Override
            public ExecutionStats stats() {
                return new ExecutionStats(name, List.of(), ScanStats.NONE, OperatorTimes.NONE, 0, 0);
            }

            @Override
            public void close() {
                log.add("close " + name);
            }
        };
    }

    private static StageGraphRun run(Map<String, String> settings, double rows) {
        Fragment root = new Fragment(
                0,
                new PlanNode.Values(List.of(PrimitiveType.BIGINT), List.of()),
                Fragment.Distribution.SINGLE,
                new Fragment.Output.Gather());
        StageGraph graph = new StageGraph(List.of(root), List.of("n"), List.of(PrimitiveType.BIGINT), List.of(), rows);
        return new StageGraphRun(new QueryId("q"), graph, Map.of(), settings);
    }
}
