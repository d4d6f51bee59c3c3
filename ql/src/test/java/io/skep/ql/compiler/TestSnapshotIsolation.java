package io.skep.ql.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.transaction.ListedTransaction;
import io.skep.metastore.transaction.LockFilter;
import io.skep.metastore.transaction.TransactionStore;
import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
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
    private static final int KEYS = 5;
    private static final int WRITERS = 4;
    private static final int READERS = 2;

    /** The number of looks at the open transactions for each one that aborts a transaction. */
    private static final int ABORTS = 200;

    /** Keys from here on are rows that one change inserts and a later one may delete. */
    private static final int FIRST_ADDED = 1000;

    private final TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
    private final AtomicInteger numbers = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger(WRITERS);
    private final Queue<Change> changes = new ConcurrentLinkedQueue<>();
    private final Queue<Read> reads = new ConcurrentLinkedQueue<>();

    /**
     * A change that has ended.
     *
     * @param keys the lists to which it appends its number
     * @param added the key of a row that it inserts, or 0
     * @param removed the key of a row that it deletes, or 0
     * @param start nanoseconds
     * @param end nanoseconds
     */
    private record Change(
            int number, List<Integer> keys, int added, int removed, boolean committed, long start, long end) {}

    /**
     * @param lists the changes that each list has, by key
     * @param rows the keys of the other rows
     */
    private record Read(Map<Integer, List<Integer>> lists, Set<Integer> rows, long start, long end) {
        int length() {
            return lists.values().stream().mapToInt(List::size).sum();
        }

        boolean sees(int change) {
            return lists.values().stream().anyMatch(list -> list.contains(change));
        }
    }

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
            for (int key = 1; key <= KEYS; key++) {
                engine.run(session, "insert into h values (" + key + ", '')");
            }
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
            reads.add(readOnce(session));
        }
        judge(changes, reads);
        assertThat(changes.stream().filter(Change::committed).count()).isGreaterThan(CHANGES / 4);
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
        int number = numbers.incrementAndGet();
        Set<Integer> keys = new HashSet<>(List.of(1 + random.nextInt(KEYS), 1 + random.nextInt(KEYS)).stream()
                .distinct()
                .toList());
        int kind = random.nextInt(4);
        int added = kind == 1 ? FIRST_ADDED + number : 0;
        int removed = kind == 2 && !own.isEmpty() ? own.getFirst() : 0;
        long start = System.nanoTime();
        boolean committed = succeeds(session, statement(number, keys, added, removed));
        changes.add(new Change(number, List.copyOf(keys), added, removed, committed, start, System.nanoTime()));
        if (committed && added > 0) {
            own.add(added);
        }
        if (committed && removed > 0) {
            own.removeFirst();
        }
    }

    private static String statement(int number, Set<Integer> keys, int added, int removed) {
        String appended = "concat(h.v, ' " + number + "')";
        if (added == 0 && removed == 0) {
            String in = String.join(", ", keys.stream().map(String::valueOf).toList());
            return "update h set v = " + appended.replace("h.", "") + " where k in (" + in + ")";
        }
        List<Integer> all = new ArrayList<>(keys);
        all.add(Math.max(added, removed));
        String source = String.join(
                " union all ",
                all.stream().map(key -> "select " + key + " as k").toList());
        return "merge into h using (" + source + ") s on h.k = s.k"
                + (removed > 0 ? " when matched and h.k >= " + FIRST_ADDED + " then delete" : "")
                + " when matched then update set v = " + appended
                + (added > 0 ? " when not matched then insert values (s.k, 'row')" : "");
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
                    reads.add(readOnce(session));
                } catch (SkepException e) {
                    requireAborted(e);
                }
            }
        }
    }

    private Read readOnce(SqlSession session) {
        long start = System.nanoTime();
        List<String> found = engine.rows(session, "select k, v from h");
        long end = System.nanoTime();
        Map<Integer, List<Integer>> lists = new TreeMap<>();
        Set<Integer> rows = new HashSet<>();
        for (String row : found) {
            int bar = row.indexOf(" | ");
            int key = Integer.parseInt(row.substring(0, bar));
            String value = row.substring(bar + 3).strip();
            boolean isNew = key >= FIRST_ADDED
                    ? rows.add(key)
                    : lists.put(
                                    key,
                                    value.isEmpty()
                                            ? List.of()
                                            : List.of(value.split(" ")).stream()
                                                    .map(Integer::valueOf)
                                                    .toList())
                            == null;
            assertThat(isNew).as("key " + key + " occurs twice").isTrue();
        }
        return new Read(lists, rows, start, end);
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

    /** Checks a history: see docs/testing/snapshot-isolation.md. */
    private static void judge(Collection<Change> changes, Collection<Read> reads) {
        List<Read> chain = new ArrayList<>(reads);
        chain.sort(Comparator.comparingInt(Read::length));
        for (int i = 1; i < chain.size(); i++) {
            Read before = chain.get(i - 1);
            Read after = chain.get(i);
            before.lists().forEach((key, list) -> {
                List<Integer> longer = after.lists().getOrDefault(key, List.of());
                assertThat(longer.subList(0, Math.min(list.size(), longer.size())))
                        .as("the list of " + key + " in two reads")
                        .isEqualTo(list);
            });
        }
        for (Read read : chain) {
            assertThat(read.lists()).hasSize(KEYS);
            read.lists().values().forEach(list -> assertThat(list).doesNotHaveDuplicates());
            Set<Integer> rows = new HashSet<>();
            Set<Integer> gone = new HashSet<>();
            for (Change change : changes) {
                boolean seen = read.sees(change.number());
                String name = change + " in a read";
                for (int key : change.keys()) {
                    assertThat(read.lists().getOrDefault(key, List.of()).contains(change.number()))
                            .as(name + ", key " + key)
                            .isEqualTo(seen);
                }
                if (!change.committed() || change.start() > read.end()) {
                    assertThat(seen).as(name).isFalse();
                } else if (change.end() < read.start()) {
                    assertThat(seen).as(name).isTrue();
                }
                if (seen && change.added() > 0) {
                    rows.add(change.added());
                }
                if (seen && change.removed() > 0) {
                    gone.add(change.removed());
                }
            }
            rows.removeAll(gone);
            assertThat(read.rows()).isEqualTo(rows);
        }
    }
}
