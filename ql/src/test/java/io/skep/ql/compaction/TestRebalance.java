package io.skep.ql.compaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.query.QueryId;
import io.skep.common.testing.Polling;
import io.skep.common.testing.Sampling;
import io.skep.common.vector.Batch;
import io.skep.common.vector.LongVector;
import io.skep.engine.plan.SortKey;
import io.skep.metastore.Table;
import io.skep.metastore.transaction.CompactionFilter;
import io.skep.metastore.transaction.CompactionJob;
import io.skep.metastore.transaction.DataOperation;
import io.skep.metastore.transaction.ListedCompaction;
import io.skep.metastore.transaction.ListedTransaction;
import io.skep.metastore.transaction.LockComponent;
import io.skep.metastore.transaction.LockFilter;
import io.skep.metastore.transaction.LockKind;
import io.skep.metastore.transaction.TransactionConfig;
import io.skep.metastore.transaction.TransactionKind;
import io.skep.metastore.transaction.TransactionOwner;
import io.skep.metastore.transaction.TransactionStore;
import io.skep.ql.SqlSession;
import io.skep.ql.SqlStatement;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import io.skep.ql.transaction.StatementTransactions;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** COMPACT 'rebalance': rows get other files and identifiers, and no statement that runs beside loses a change. */
final class TestRebalance {
    private static final TransactionOwner OWNER = new TransactionOwner("a", "h", "q");

    private final TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
    private final SqlSession session = engine.session();
    private final CompactionParts parts = engine.compactionParts();
    private final ExecutorService others = Executors.newVirtualThreadPerTaskExecutor();

    @BeforeEach
    void makeTables() {
        run("create table t (a int, b string) stored as orc tblproperties ('transactional'='true')");
        run("create table p (a int) partitioned by (d string) stored as orc tblproperties ('transactional'='true')");
    }

    @AfterEach
    void close() {
        others.close();
        session.close();
        engine.close();
    }

    private void run(String statement) {
        engine.run(session, statement);
    }

    private List<String> rows(String query) {
        return engine.rows(session, query);
    }

    private void rebalance(String clauses) {
        run("alter table t compact 'rebalance' " + clauses);
        assertThat(TestCompactions.runNext(parts)).isTrue();
        assertThat(last().state()).as("%s", last().error()).isEqualTo("ready for cleaning");
    }

    private ListedCompaction last() {
        return parts.store().compactions(CompactionFilter.ALL).stream()
                .max(Comparator.comparingLong(ListedCompaction::id))
                .orElseThrow();
    }

    private CompactionCleaner cleaner() {
        CompactionThresholds all = new CompactionThresholds(10, 0.1, 0, Duration.ZERO);
        return new CompactionCleaner(parts, all, InstantSource.system(), () -> false);
    }

    private void cleanAll() {
        Polling.await("the end of the cleaning").until(() -> {
            cleaner().run();
            return parts.store().compactions(CompactionFilter.ALL).stream()
                    .noneMatch(one -> one.state().equals("ready for cleaning"));
        });
    }

    private List<String> folders(Path root) throws IOException {
        try (Stream<Path> found = Files.list(root)) {
            return found.map(path -> path.getFileName().toString())
                    .filter(name -> !name.endsWith(".crc"))
                    .sorted()
                    .toList();
        }
    }

    private void fill() {
        run("insert into t values (1,'x'),(2,'y'),(3,'z'),(4,'u'),(5,'v'),(6,'w')");
        run("insert into t values (7,'a'),(8,'b')");
        run("update t set b = 'changed' where a = 2");
        run("delete from t where a = 5");
    }

    private static final String ALL = "select a, b from t order by a";

    @Test
    void rowsAreDistributedEvenlyAndGetNewIdentifiers() throws IOException {
        fill();
        List<String> before = rows(ALL);
        run("alter table t compact 'rebalance' clustered into 3 buckets");
        assertThat(rows("show compactions t").getFirst()).contains("REBALANCE").contains("initiated");
        assertThat(TestCompactions.runNext(parts)).isTrue();
        assertThat(rows(ALL)).isEqualTo(before);
        assertThat(rows("select row__id.writeid, row__id.bucketid, count(*), max(row__id.rowid) from t"
                        + " group by row__id.writeid, row__id.bucketid order by row__id.bucketid"))
                .containsExactly("5 | 536870912 | 3 | 2", "5 | 536936448 | 3 | 2", "5 | 537001984 | 1 | 0");
        cleanAll();
        assertThat(folders(engine.folder("t"))).singleElement().asString().startsWith("base_0000005_v");
        assertThat(rows(ALL)).isEqualTo(before);
        run("update t set b = 'again' where a in (1, 8)");
        run("delete from t where a = 3");
        assertThat(rows(ALL)).containsExactly("1 | again", "2 | changed", "4 | u", "6 | w", "7 | a", "8 | again");
        rebalance("");
        assertThat(rows("select count(distinct row__id.bucketid), count(*) from t"))
                .as("the number of files stays")
                .containsExactly("3 | 6");
        run("insert into t values (9,'n')");
        run("alter table t compact 'major'");
        while (TestCompactions.runNext(parts)) {
            // Compactions of the other kinds follow.
        }
        cleanAll();
        assertThat(rows("select count(*) from t")).containsExactly("7");
        assertThat(parts.store().transactions()).isEmpty();
        assertThat(parts.store().locks(LockFilter.ALL)).isEmpty();
    }

    @Test
    void rowsAreOrdered() {
        fill();
        run("insert into t values (10, null)");
        rebalance("clustered into 2 buckets order by b desc nulls first, a");
        assertThat(rows("select a from t order by row__id.bucketid, row__id.rowid"))
                .containsExactly("10", "3", "1", "6", "4", "2", "8", "7");
        assertThatThrownBy(() -> run("alter table t compact 'rebalance' order by a + 1"))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("orders rows by columns");
        assertThatThrownBy(() -> run("alter table t compact 'rebalance' order by nope"))
                .hasMessageContaining("nope");
        assertThatThrownBy(() -> run("alter table t compact 'rebalance' clustered into 5000 buckets"))
                .hasMessageContaining("5000");
    }

    /** Runs that do not fit into memory are merged, also in several passes. */
    @Test
    void moreRowsThanMemoryAreOrdered() {
        run("create table n (a int, c bigint) stored as orc tblproperties ('transactional'='true')");
        Table table = engine.catalog().table("default", "n").orElseThrow();
        CompactionTarget numbers = new CompactionTarget(table, Optional.empty());
        Random random = new Random(7);
        List<Batch> batches = new ArrayList<>();
        List<Long> expected = new ArrayList<>();
        for (int i = 0; i < 80; i++) {
            long[] values = random.longs(50, -1000, 1000).toArray();
            for (long value : values) {
                expected.add(value);
            }
            batches.add(
                    Batch.of(50, new LongVector(values.clone(), null, 50), new LongVector(values.clone(), null, 50)));
        }
        expected.sort(Comparator.reverseOrder());
        long reserved = parts.io().memory().reservedBytes();
        String folder = "file:" + engine.folder("n") + "/.runs";
        List<Long> sorted = new ArrayList<>();
        new SortedRows(parts.io(), numbers.place(Map.of()), List.of(new SortKey(1, false, true)), folder, 1)
                .pass(batches::forEach, batch -> {
                    long[] values = ((LongVector) batch.column(1).flatten()).values();
                    for (int i = 0; i < batch.rowCount(); i++) {
                        sorted.add(values[i]);
                    }
                });
        assertThat(sorted).isEqualTo(expected);
        assertThat(parts.io().memory().reservedBytes()).isEqualTo(reserved);
    }

    @Test
    void otherTablesAreRefused() {
        run("create table m (a int) stored as orc tblproperties ('transactional'='true',"
                + " 'transactional_properties'='insert_only')");
        run("create table c (a int) clustered by (a) into 2 buckets stored as orc"
                + " tblproperties ('transactional'='true')");
        for (String table : List.of("m", "c")) {
            run("insert into " + table + " values (1)");
            run("alter table " + table + " compact 'rebalance'");
            assertThat(TestCompactions.runNext(parts)).isTrue();
            assertThat(last().state()).isEqualTo("refused");
            assertThat(last().error().orElseThrow()).containsIgnoringCase("rebalanc");
            assertThat(rows("select a from " + table)).containsExactly("1");
        }
        assertThat(parts.store().transactions()).isEmpty();
    }

    @Test
    void tablesWithoutRowsAndWithAbortedWrites() throws IOException {
        rebalance("");
        assertThat(rows(ALL)).isEmpty();
        cleanAll();
        fill();
        long writer = parts.store().open(OWNER, TransactionKind.DEFAULT);
        long writeId = parts.store().allocateWriteId(writer, "default", "t");
        lock(writer, DataOperation.INSERT);
        String folder = "delta_000000" + writeId + "_000000" + writeId + "_0000";
        Files.createDirectories(engine.folder("t").resolve(folder));
        Files.write(engine.folder("t").resolve(folder).resolve("bucket_00000_0"), new byte[] {1});
        parts.store().abort(writer);
        List<String> before = rows(ALL);
        rebalance("clustered into 7 buckets");
        cleanAll();
        assertThat(rows(ALL)).isEqualTo(before);
        assertThat(folders(engine.folder("t"))).hasSize(1);
        run("delete from t");
        rebalance("order by a");
        assertThat(rows(ALL)).isEmpty();
        run("insert into t values (1, 'x')");
        assertThat(rows(ALL)).containsExactly("1 | x");
    }

    private void lock(long transaction, DataOperation operation) {
        assertThat(parts.store()
                        .lock(
                                transaction,
                                OWNER,
                                List.of(LockComponent.ofTable(LockKind.SHARED_READ, operation, "default", "t")))
                        .isAcquired())
                .isTrue();
    }

    @Test
    void onePartitionIsRebalanced() {
        run("insert into p values (1,'x'),(2,'y'),(3,'x'),(4,'x')");
        run("delete from p where a = 1");
        run("alter table p partition (d='x') compact 'rebalance' clustered into 2 buckets order by d, a desc");
        assertThat(TestCompactions.runNext(parts)).isTrue();
        cleanAll();
        assertThat(rows("select a, row__id.writeid, row__id.rowid from p order by a"))
                .containsExactly("2 | 1 | 0", "3 | 3 | 0", "4 | 3 | 0");
        run("alter table p compact 'rebalance'");
        while (TestCompactions.runNext(parts)) {
            // One for each partition.
        }
        cleanAll();
        assertThat(rows("select a, d from p order by a")).containsExactly("2 | y", "3 | x", "4 | x");
    }

    /** An insert that began before has to end first; one that began later goes on beside. */
    @Test
    void insertsGoOnBeside() throws Exception {
        fill();
        long writer = parts.store().open(OWNER, TransactionKind.DEFAULT);
        parts.store().allocateWriteId(writer, "default", "t");
        lock(writer, DataOperation.INSERT);
        run("alter table t compact 'rebalance'");
        Future<Boolean> done =
                others.submit(() -> TestCompactions.runNext(withHook(() -> run("insert into t values (20, 'late')"))));
        Polling.await("the rebalance").until(this::isRebalancing);
        assertThat(done.isDone()).isFalse();
        run("insert into t values (19, 'beside')");
        parts.store().commit(writer, true);
        assertThat(done.get()).isTrue();
        assertThat(last().state()).as("%s", last().error()).isEqualTo("ready for cleaning");
        List<String> all = rows("select a from t order by a");
        assertThat(all).containsExactly("1", "2", "3", "4", "6", "7", "8", "19", "20");
        cleanAll();
        assertThat(rows("select a from t order by a")).isEqualTo(all);
    }

    private boolean isRebalancing() {
        return parts.store().transactions().stream()
                .anyMatch(one -> !one.isAborted() && one.host().equals("host"));
    }

    /** Returns parts with which something happens when the files are in the table and nothing has committed. */
    private CompactionParts withHook(Runnable hook) {
        AtomicBoolean done = new AtomicBoolean();
        TransactionStore store = (TransactionStore) Proxy.newProxyInstance(
                TransactionStore.class.getClassLoader(),
                new Class<?>[] {TransactionStore.class},
                (_, method, arguments) -> {
                    if (method.getName().equals("commit") && done.compareAndSet(false, true)) {
                        hook.run();
                    }
                    try {
                        return method.invoke(parts.store(), arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause() == null ? e : e.getCause();
                    }
                });
        TransactionConfig config = new TransactionConfig(Duration.ofHours(1), Duration.ofHours(1), Duration.ofHours(1));
        return new CompactionParts(
                parts.catalog(), new StatementTransactions(store, config, "host"), parts.io(), parts.commits());
    }

    /** A change that has waited for the rebalance finds the rows by their new identifiers. */
    @Test
    void waitingChangesTakeANewSnapshot() throws Exception {
        fill();
        run("insert into p values (1,'x'),(2,'y'),(3,'x')");
        run("create table s (a int, b string)");
        run("insert into s values (1, 'merged'), (30, 'new')");
        waits("t", "update t set b = 'waited' where a = 4");
        waits("t", "delete from t where a = 6");
        waits(
                "t",
                "merge into t using s on t.a = s.a when matched then update set b = s.b"
                        + " when not matched then insert values (s.a, s.b)");
        waits("p partition (d='x')", "delete from p where a = 1");
        assertThat(rows(ALL))
                .containsExactly("1 | merged", "2 | changed", "3 | z", "4 | waited", "7 | a", "8 | b", "30 | new");
        assertThat(rows("select a, d from p order by a")).containsExactly("2 | y", "3 | x");
        run("set hive.txn.xlock.write=false");
        assertThatThrownBy(() -> waits("t", "update t set b = 'shared' where a = 4"))
                .as("the commit of changes that do not exclude each other finds the conflict")
                .hasMessageContaining("write conflict");
        assertThat(rows("select b from t where a = 4")).containsExactly("waited");
        assertThat(parts.store().transactions()).allMatch(ListedTransaction::isAborted);
    }

    private void waits(String place, String statement) throws Exception {
        cleanAll();
        run("alter table " + place + " compact 'rebalance' clustered into 2 buckets");
        List<Future<?>> waiting = new ArrayList<>();
        assertThat(TestCompactions.runNext(withHook(() -> {
                    waiting.add(others.submit(() -> run(statement)));
                    Polling.await("a lock that waits")
                            .until(() -> parts.store().locks(LockFilter.ALL).stream()
                                    .anyMatch(lock -> lock.blockedBy().isPresent()));
                })))
                .isTrue();
        assertThat(last().state()).as("%s", last().error()).isEqualTo("ready for cleaning");
        waiting.getFirst().get();
    }

    /** Counters that are updated beside rebalances lose no step. */
    @Test
    void concurrentChangesAreNotLost() throws Exception {
        run("insert into t values (0,'0'),(1,'0'),(2,'0')");
        AtomicBoolean ended = new AtomicBoolean();
        Future<Integer> rebalances = others.submit(() -> {
            int done = 0;
            try (SqlSession own = engine.session()) {
                while (!ended.get() || done == 0) {
                    if (parts.store().compactions(CompactionFilter.ALL).stream()
                            .allMatch(one -> !one.isUnderWay() && !one.state().equals("ready for cleaning"))) {
                        engine.run(own, "alter table t compact 'rebalance' clustered into 2 buckets order by b");
                    }
                    TestCompactions.runNext(parts);
                    done += last().state().equals("ready for cleaning") ? 1 : 0;
                    cleaner().run();
                }
            }
            return done;
        });
        List<Future<?>> writers = new ArrayList<>();
        for (int counter = 0; counter < 3; counter++) {
            int own = counter;
            writers.add(others.submit(() -> {
                try (SqlSession mine = engine.session()) {
                    for (int i = 0; i < 5; i++) {
                        engine.run(mine, "update t set b = cast(cast(b as int) + 1 as string) where a = " + own);
                        engine.run(mine, "insert into t values (" + (100 + 10 * own + i) + ", '0')");
                    }
                }
            }));
        }
        for (Future<?> writer : writers) {
            writer.get();
        }
        ended.set(true);
        assertThat(rebalances.get()).isPositive();
        assertThat(rows("select a, b from t where a < 100 order by a")).containsExactly("0 | 5", "1 | 5", "2 | 5");
        assertThat(rows("select count(*), count(distinct a) from t where a >= 100"))
                .containsExactly("15 | 15");
    }

    @Test
    void filesOfAnOpenQueryAreKept() throws IOException {
        fill();
        List<String> before = rows(ALL);
        SqlStatement query = session.compile(new QueryId("slow"), "select a from t");
        query.run(line -> {});
        rebalance("");
        long reader = parts.store().transactions().getFirst().id();
        Polling.await("the bound").until(() -> parts.queue().oldestTransaction() == reader);
        cleaner().run();
        assertThat(folders(engine.folder("t"))).hasSizeGreaterThan(4);
        assertThat(last().state()).isEqualTo("ready for cleaning");
        query.close();
        cleanAll();
        assertThat(folders(engine.folder("t"))).hasSize(1);
        assertThat(rows(ALL)).isEqualTo(before);
    }

    /** Hive does not record which transactions may read what its rebalances have replaced. */
    @Test
    void rebalancesOfHiveAreCleanedUpWhenAllReadersHaveEnded() {
        fill();
        run("alter table t compact 'rebalance'");
        CompactionJob job = parts.queue().next("hive-1", "4").orElseThrow();
        long reader = parts.store().open(OWNER, TransactionKind.READ_ONLY);
        long transaction = parts.store().open(OWNER, TransactionKind.REBALANCE_COMPACTION);
        parts.queue().begin(job, transaction, 4);
        parts.queue().compacted(job);
        CompactionCleaner cleaner = cleaner();
        cleaner.run();
        assertThat(last().state()).as("not committed").isEqualTo("ready for cleaning");
        parts.store().commit(transaction, true);
        Polling.await("the bound").until(() -> parts.queue().oldestTransaction() == reader);
        cleaner.run();
        cleaner.run();
        assertThat(last().state()).isEqualTo("ready for cleaning");
        parts.store().commit(reader, true);
        Polling.await("the cleaning").until(() -> {
            run("select count(*) from t");
            cleaner.run();
            return last().state().equals("succeeded");
        });
    }

    /** The rows of a rebalance have a write id that a view has not seen, and they are no further rows. */
    @Test
    void viewsAreRebuiltAsAWhole() {
        fill();
        run("create materialized view v as select b, count(*) c from t group by b");
        run("create materialized view w as select a, b from t where a > 1");
        run("insert into t values (11, 'x')");
        rebalance("clustered into 2 buckets order by b");
        run("insert into t values (12, 'x')");
        String groups = "select b, count(*) from t group by b order by b";
        for (int cleaned = 0; cleaned < 2; cleaned++) {
            run("alter materialized view v rebuild");
            run("alter materialized view w rebuild");
            assertThat(rows("select b, c from v order by b")).isEqualTo(rows(groups));
            assertThat(rows("select a from w order by a")).isEqualTo(rows("select a from t where a > 1 order by a"));
            cleanAll();
            rebalance("");
            cleanAll();
            run("insert into t values (13, 'x')");
        }
    }

    /** Whatever step fails, or is the last of a killed server, the rows are the same and nothing is left. */
    @Test
    void stepsMayFailOrBeTheLast() throws IOException {
        failAtSteps(false, false);
        failAtSteps(false, true);
        failAtSteps(true, false);
        failAtSteps(true, true);
        for (int i = 0; i < attempts; i++) {
            run("alter table s" + i + " compact 'major'");
        }
        while (TestCompactions.runNext(parts)) {
            // All of them.
        }
        cleanAll();
        for (int i = 0; i < attempts; i++) {
            assertThat(rows("select a from s" + i + " order by a"))
                    .as("table %s", i)
                    .containsExactly("1", "3");
            assertThat(folders(engine.folder("s" + i))).as("table %s", i).hasSize(1);
        }
        Polling.await("no transaction is left").until(() -> {
            cleaner().run();
            return parts.store().transactions().isEmpty();
        });
        assertThat(parts.store().locks(LockFilter.ALL)).isEmpty();
    }

    /** One in this number of a rebalance's steps fails. */
    private static final int STRIDE = 5;

    private int attempts;

    private void failAtSteps(boolean kills, boolean after) {
        int step = attempts % Sampling.stride(STRIDE);
        while (attempt(new StepFaults(step, kills, after), kills)) {
            step += Sampling.stride(STRIDE);
        }
        assertThat(step).as("steps of a rebalance").isGreaterThan(8);
    }

    /** Returns whether the step was reached. */
    private boolean attempt(StepFaults faults, boolean kills) {
        String table = "s" + attempts++;
        run("create table " + table + " (a int) stored as orc tblproperties ('transactional'='true')");
        run("insert into " + table + " values (1),(2)");
        run("insert into " + table + " values (3)");
        run("delete from " + table + " where a = 2");
        run("alter table " + table + " compact 'rebalance' clustered into 2 buckets order by a desc");
        TestCompactions.runFaulty(parts, faults, kills);
        check(table);
        cleaner().run();
        check(table);
        while (TestCompactions.runNext(parts)) {
            // A killed one is repeated.
        }
        run("update " + table + " set a = a");
        check(table);
        return faults.reached();
    }

    private void check(String table) {
        assertThat(rows("select a from " + table + " order by a")).as(table).containsExactly("1", "3");
    }
}
