package io.skep.service.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.query.QueryId;
import io.skep.engine.schedule.ExecutionStats;
import io.skep.engine.schedule.ExecutionStats.FragmentStats;
import io.skep.ql.execution.QueryState;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** A bounded history of running queries and the latest finished ones, for the server's page. */
public final class OperationHistory {
    private static final int MAX_ENDED = 200;

    /** The plan size in bytes above which only the plan's text is kept. That text is no longer than a statement's. */
    private static final long LARGE_PLAN = 64 << 10;

    private final InstantSource clock;
    private final Map<QueryId, Operation> running = new ConcurrentHashMap<>();

    @GuardedBy("ended")
    private final Deque<Entry> ended = new ArrayDeque<>();

    /** The work of executors for statements that have ended. */
    private final AtomicLong executed = new AtomicLong();

    public OperationHistory(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * A query that has ended, or the current state of a running one.
     *
     * @param state the operation's state
     * @param duration time from its arrival to the end of its execution
     * @param compile the part of the duration before it could run
     * @param rows number of rows read or written so far
     * @param plan renders the plan
     */
    public record Entry(
            String queryId,
            String user,
            String text,
            String state,
            Instant created,
            Duration duration,
            Duration compile,
            Optional<Long> rows,
            Optional<Supplier<String>> plan,
            Optional<String> error,
            Optional<ExecutionStats> stats) {
        /** Returns the plan as text, or empty text for statements without a plan. */
        public String planText() {
            return plan.map(Entry::rendered).orElse("");
        }

        /** Plans are created on threads with larger stacks than the threads that show them. */
        private static String rendered(Supplier<String> plan) {
            try {
                return plan.get();
            } catch (StackOverflowError e) {
                return "the plan nests too deeply to be shown";
            }
        }

        /**
         * Returns the entry to keep. A plan that uses much memory, which a short text over large views can also have,
         * is reduced to its text, and its operators are forgotten.
         */
        private Entry light(long planBytes) {
            if (planBytes <= LARGE_PLAN && !StatementText.isCut(text)) {
                return this;
            }
            Optional<Supplier<String>> rendered = plan.map(whole -> {
                String cut = StatementText.cut(rendered(whole));
                return () -> cut;
            });
            return new Entry(
                    queryId,
                    user,
                    text,
                    state,
                    created,
                    duration,
                    compile,
                    rows,
                    rendered,
                    error,
                    stats.map(ExecutionStats::withoutOperators));
        }
    }

    void started(Operation operation) {
        running.put(operation.queryId(), operation);
    }

    void ended(Operation operation) {
        if (running.remove(operation.queryId()) != null) {
            Entry entry = entry(operation);
            executed.addAndGet(executed(entry));
            add(entry.light(operation.planBytes()));
        }
    }

    /**
     * Returns a number that changes while executors in any process work for a statement, and only then. Rejected or
     * queued statements, and rows that are ready, do not change it.
     */
    public long progress() {
        long sum = executed.get();
        for (Entry entry : running()) {
            sum += executed(entry);
        }
        return sum;
    }

    private static long executed(Entry entry) {
        return entry.stats().map(OperationHistory::progress).orElse(0L);
    }

    private static long progress(ExecutionStats stats) {
        long finished = stats.fragments().stream()
                .mapToLong(FragmentStats::finishedTasks)
                .sum();
        return stats.times().total() + finished + stats.scan().rows();
    }

    private void add(Entry entry) {
        synchronized (ended) {
            if (ended.size() == MAX_ENDED) {
                ended.removeLast();
            }
            ended.addFirst(entry);
        }
    }

    private Entry entry(Operation operation) {
        Instant end = operation.completed().orElseGet(clock::instant);
        return new Entry(
                operation.queryId().value(),
                operation.user(),
                operation.text(),
                operation.state().name(),
                operation.created(),
                Duration.between(operation.created(), end),
                Duration.between(operation.created(), operation.compiledAt().orElse(end)),
                operation.rows(),
                operation.plan(),
                operation
                        .failure()
                        .filter(failure -> operation.state() != QueryState.FINISHED)
                        .map(failure -> StatementText.cut(failure.fullMessage())),
                operation.stats());
    }

    public List<Entry> running() {
        List<Entry> entries = new ArrayList<>();
        running.values().forEach(operation -> entries.add(entry(operation)));
        return Collections.unmodifiableList(entries);
    }

    public Optional<Entry> find(String queryId) {
        Operation operation = running.get(new QueryId(queryId));
        if (operation != null) {
            return Optional.of(entry(operation));
        }
        return ended().stream().filter(entry -> entry.queryId().equals(queryId)).findFirst();
    }

    /** Returns the ended queries, newest first. */
    public List<Entry> ended() {
        synchronized (ended) {
            return List.copyOf(ended);
        }
    }
}
