package io.skep.ql.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.testing.ListChange;
import io.skep.common.testing.ListHistory;
import io.skep.metastore.transaction.ListedTransaction;
import io.skep.metastore.transaction.LockFilter;
import io.skep.metastore.transaction.TransactionStore;
import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A random history of concurrent changes, aborts and reads of one transactional table, judged afterwards. Each row of a
 * fixed key is a list to which changes append their numbers, so that a read tells which changes it has seen, in their
 * order. docs/testing/snapshot-isolation.md says what is checked, and why that suffices.
 * {@code -Dskep.history.changes=N} makes it longer, {@code -Dskep.history.seed=N} repeats a seed.
 */
@Timeout(3600)
final class TestSnapshotIsolation {
    private static final int CHANGES = Integer.getInteger("skep.history.changes", 120);
    private static final long SEED = Long.getLong("skep.history.seed", System.nanoTime());
    private static final int WRITERS = 4;
    private static final int READERS = 2;

    /** The number of looks at the open transactions for each one that aborts a transaction. */
    private static final int ABORTS = 200;

    /** Reads may be answered from cached results, which must be those of their snapshots. */
    private final TestingEngine engine =
            TestingEngine.of(PlanningLimits.DEFAULT, Map.of("hive.query.results.cache.enabled", "true"));

    private final AtomicInteger numbers = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger(WRITERS);
    private final ListHistory history = new ListHistory();

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void readsAreStatesBetweenCommits() throws Exception {
        System.out.println("skep.history.seed=" + SEED);
        try (SqlSession session = engine.session()) {
            engine.run(
                    session,
                    "create table h (k int, v string) clustered by (k) into 2 buckets stored as orc"
                            + " tblproperties ('transactional'='true')");
            engine.run(session, "insert into h values " + ListChange.emptyLists());
        }
        List<Future<?>> workers = new ArrayList<>();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            for (int writer = 0; writer < WRITERS; writer++) {
                Random random = new Random(SEED + writer);
                workers.add(threads.submit(() -> write(random)));
            }
            for (int reader = 0; reader < READERS; reader++) {
                workers.add(threads.submit(this::read));
            }
            workers.add(threads.submit(() -> abort(new Random(SEED - 1))));
            for (Future<?> worker : workers) {
                worker.get();
            }
        }
        try (SqlSession session = engine.session()) {
            readOnce(session);
        }
        assertThat(history.violations()).isEmpty();
        assertThat(history.committed()).isGreaterThan(CHANGES / 4);
        assertThat(engine.transactions().store().locks(LockFilter.ALL)).isEmpty();
        assertThat(engine.transactions().store().transactions()).noneMatch(transaction -> !transaction.isAborted());
    }

    private void write(Random random) {
        List<Integer> own = new ArrayList<>();
        try (SqlSession session = engine.session()) {
            while (numbers.get() < CHANGES) {
                change(session, random, own);
            }
        } finally {
            running.decrementAndGet();
        }
    }

    private void change(SqlSession session, Random random, List<Integer> own) {
        ListChange change = ListChange.random(numbers.incrementAndGet(), random, own);
        long start = System.nanoTime();
        boolean isCommitted = succeeds(session, change.sql("h"));
        history.changed(change, isCommitted ? ListHistory.Outcome.COMMITTED : ListHistory.Outcome.FAILED, start);
        if (isCommitted && change.added() > 0) {
            own.add(change.added());
        }
        if (isCommitted && change.removed() > 0) {
            own.removeFirst();
        }
    }

    /** Returns whether a statement has committed. It may fail only because its transaction was aborted. */
    private boolean succeeds(SqlSession session, String statement) {
        try {
            engine.run(session, statement);
            return true;
        } catch (SkepException e) {
            requireAborted(e);
            return false;
        }
    }

    /** A statement whose transaction is aborted while it waits has no lock any more. */
    private static void requireAborted(SkepException error) {
        assertThat(error.code())
                .as(error.fullMessage())
                .isIn(
                        StandardErrorCode.TRANSACTION_ABORTED,
                        StandardErrorCode.TRANSACTION_NOT_FOUND,
                        StandardErrorCode.LOCK_NOT_FOUND);
    }

    private void read() {
        try (SqlSession session = engine.session()) {
            while (running.get() > 0) {
                try {
                    readOnce(session);
                } catch (SkepException e) {
                    requireAborted(e);
                }
            }
        }
    }

    private void readOnce(SqlSession session) {
        long start = System.nanoTime();
        List<ListHistory.Row> rows = engine.rows(session, "select k, v from h").stream()
                .map(row -> row.split(" \\| ", 2))
                .map(row -> new ListHistory.Row(Integer.parseInt(row[0]), row[1]))
                .toList();
        history.read(rows, start);
    }

    /** Aborts open transactions now and then, of writers and readers. */
    private void abort(Random random) {
        TransactionStore store = engine.transactions().store();
        while (running.get() > 0) {
            List<Long> open = store.transactions().stream()
                    .filter(transaction -> !transaction.isAborted())
                    .map(ListedTransaction::id)
                    .toList();
            if (!open.isEmpty() && random.nextInt(ABORTS) == 0) {
                store.abortAll(List.of(open.get(random.nextInt(open.size()))));
            }
        }
    }
}
