package io.skep.service.session;

import io.skep.common.error.SkepException;
import io.skep.common.query.QueryId;
import io.skep.engine.schedule.ExecutionFigures;
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
import java.util.function.Supplier;

/** The queries that run and the last ones that ran, for the server's page; bounded. */
public final class OperationHistory {
    private static final int MOST_ENDED = 200;
    private static final String READING = "READING";

    private final InstantSource clock;
    private final Map<QueryId, Operation> running = new ConcurrentHashMap<>();
    private final Deque<Entry> ended = new ArrayDeque<>();

    public OperationHistory(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * A query that has ended, or as it is now.
     *
     * @param state that of the operation; READING while its rows are made and read
     * @param duration from its arrival to the end of its execution
     * @param compile the part of it before it could run
     * @param rows that were read or written so far
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
            Optional<ExecutionFigures> figures) {}

    void started(Operation operation) {
        running.put(operation.queryId(), operation);
    }

    void ended(Operation operation) {
        if (running.remove(operation.queryId()) != null) {
            add(entry(operation));
        }
    }

    void refused(QueryId queryId, String user, String text, Instant created, SkepException error) {
        Duration compile = Duration.between(created, clock.instant());
        add(new Entry(
                queryId.value(),
                user,
                text,
                OperationState.FAILED.name(),
                created,
                compile,
                compile,
                Optional.empty(),
                Optional.empty(),
                Optional.of(error.fullMessage()),
                Optional.empty()));
    }

    private void add(Entry entry) {
        synchronized (ended) {
            if (ended.size() == MOST_ENDED) {
                ended.removeLast();
            }
            ended.addFirst(entry);
        }
    }

    /** A query whose rows were not read to their end has not failed. */
    private Entry entry(Operation operation) {
        Instant end = operation.completed().orElseGet(clock::instant);
        return new Entry(
                operation.queryId().value(),
                operation.user(),
                operation.text(),
                operation.isRead() ? READING : operation.outcome().name(),
                operation.created(),
                Duration.between(operation.created(), end),
                Duration.between(operation.created(), operation.compiled()),
                operation.rows(),
                operation.plan(),
                operation
                        .failure()
                        .filter(failure -> operation.outcome() != OperationState.FINISHED)
                        .map(SkepException::fullMessage),
                operation.statement().figures());
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

    /** The newest first. */
    public List<Entry> ended() {
        synchronized (ended) {
            return List.copyOf(ended);
        }
    }
}
