package io.skep.service.schedule;

import io.skep.metastore.schedule.DueQuery;
import io.skep.metastore.schedule.ExecutionReport;
import io.skep.metastore.schedule.ScheduledQuery;
import io.skep.metastore.schedule.ScheduledQueryStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** Executions that are due in the order in which a test adds them, and what is reported about them. Thread-safe. */
final class QueuedSchedules implements ScheduledQueryStore {
    private final Deque<DueQuery> due = new ArrayDeque<>();
    private final List<ExecutionReport> reports = new ArrayList<>();
    private final Set<Long> ended = new HashSet<>();
    private final List<Runnable> listeners = new ArrayList<>();
    private final AtomicInteger maintained = new AtomicInteger();
    private long executions;

    /** Makes a statement of the user ann due, and tells the server so. Returns the id of its execution. */
    long add(String statement) {
        long id;
        List<Runnable> told;
        synchronized (this) {
            id = ++executions;
            due.add(new DueQuery(id, "q" + id, "ann", statement));
            told = List.copyOf(listeners);
        }
        told.forEach(Runnable::run);
        return id;
    }

    /** Makes an execution time out. */
    synchronized void end(long execution) {
        ended.add(execution);
    }

    synchronized List<ExecutionReport> reports(long execution) {
        return reports.stream()
                .filter(report -> report.execution() == execution)
                .toList();
    }

    synchronized int waiting() {
        return due.size();
    }

    int maintained() {
        return maintained.get();
    }

    @Override
    public synchronized Optional<DueQuery> poll(String namespace) {
        return Optional.ofNullable(due.poll());
    }

    @Override
    public synchronized Answer report(ExecutionReport report) {
        reports.add(report);
        return ended.contains(report.execution()) ? Answer.HAS_ENDED : Answer.RECORDED;
    }

    @Override
    public int endSilent(Duration silence) {
        maintained.incrementAndGet();
        return 0;
    }

    @Override
    public int deleteOlder(Duration age) {
        return 0;
    }

    @Override
    public synchronized void whenChanged(Runnable listener) {
        listeners.add(listener);
    }

    @Override
    public Optional<ScheduledQuery> find(String namespace, String name) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void create(ScheduledQuery query) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void alter(String namespace, String name, UnaryOperator<ScheduledQuery> change) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void execute(String namespace, String name) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void drop(String namespace, String name) {
        throw new UnsupportedOperationException();
    }
}
