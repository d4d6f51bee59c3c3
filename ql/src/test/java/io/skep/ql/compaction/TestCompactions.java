package io.skep.ql.compaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.config.SettingsReader;
import io.skep.common.error.SkepException;
import io.skep.common.query.QueryId;
import io.skep.common.testing.Polling;
import io.skep.common.testing.Sampling;
import io.skep.metastore.transaction.CompactionFilter;
import io.skep.metastore.transaction.CompactionStore;
import io.skep.metastore.transaction.DataOperation;
import io.skep.metastore.transaction.ListedCompaction;
import io.skep.metastore.transaction.ListedTransaction;
import io.skep.metastore.transaction.LockComponent;
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
import io.skep.storage.compaction.CompactionFiles;
import io.skep.storage.file.StorageFileSystem;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Compactions from the request to the cleaning, with failures and kills at each step. */
final class TestCompactions {
    private static final String WORKER = "host-0";
    private static final CompactionConfig CONFIG = CompactionConfig.of(new SettingsReader(Map.of()));

    private final TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
    private final SqlSession session = engine.session();
    private final CompactionParts parts = engine.compactionParts();

    @BeforeEach
    void makeTables() {
        run("create table t (a int, b string) stored as orc tblproperties ('transactional'='true')");
        run("create table p (a int) partitioned by (d string) stored as orc tblproperties ('transactional'='true')");
    }

    @AfterEach
    void close() {
        session.close();
        engine.close();
    }

    private void run(String statement) {
        engine.run(session, statement);
    }

    private List<String> rows(String query) {
        return engine.rows(session, query);
    }

    private List<String> folders(String table) throws IOException {
        Path root = engine.folder(table);
        try (Stream<Path> found = Files.list(root)) {
            return found.map(path -> path.getFileName().toString())
                    .filter(name -> !name.endsWith(".crc"))
                    .sorted()
                    .toList();
        }
    }

    static boolean runNext(CompactionParts used) {
        return new CompactionWorker(used, WORKER, "1").runNext();
    }

    private void clean() {
        cleaner().run();
    }

    /** The metastore says only after a second that an older transaction cannot appear any more. */
    private void cleanAll() {
        Polling.await("the end of the cleaning").until(() -> {
            clean();
            return compactions().stream().noneMatch(one -> one.state().equals("ready for cleaning"));
        });
    }

    private CompactionCleaner cleaner() {
        CompactionThresholds all = new CompactionThresholds(10, 0.1, 0, Duration.ZERO);
        return new CompactionCleaner(parts, all, InstantSource.system(), () -> false);
    }

    private List<ListedCompaction> compactions() {
        return parts.store().compactions(CompactionFilter.ALL);
    }

    private String state() {
        return compactions().stream()
                .max(Comparator.comparingLong(ListedCompaction::id))
                .orElseThrow()
                .state();
    }

    private void fill() {
        run("insert into t values (1,'x'),(2,'y'),(3,'z')");
        run("insert into t values (4,'u'),(5,'v')");
        run("update t set b = 'changed' where a = 2");
        run("delete from t where a = 5");
    }

    private static final String ALL = "select a, b, row__id.writeid, row__id.rowid from t order by a";

    @Test
    void compactionsThatWaitAreAborted() {
        fill();
        run("alter table t compact 'major'");
        long id = compactions().getFirst().id();
        run("abort compactions 99999 " + id + " " + id);
        assertThat(state()).isEqualTo("aborted");
        assertThat(runNext(parts)).isFalse();
        run("alter table t compact 'major'");
        assertThat(runNext(parts)).isTrue();
        long begun =
                compactions().stream().mapToLong(ListedCompaction::id).max().orElseThrow();
        run("abort compactions " + begun);
        assertThat(state()).as("a compaction that has been carried out").isEqualTo("ready for cleaning");
        assertThatThrownBy(() -> run("abort compactions 99999999999999999999"))
                .hasMessageContaining("is not the id of a compaction");
        cleanAll();
        assertThat(rows("select count(*) from t")).containsExactly("4");
    }

    @Test
    void aMajorCompactionLeavesOneBase() throws IOException {
        fill();
        List<String> before = rows(ALL);
        assertThat(before).hasSize(4);
        run("alter table t compact 'major'");
        assertThat(rows("show compactions t").getFirst()).contains("MAJOR").contains("initiated");
        assertThat(runNext(parts)).isTrue();
        assertThat(runNext(parts)).isFalse();
        assertThat(state()).isEqualTo("ready for cleaning");
        assertThatThrownBy(() -> run("alter table t compact 'major'"))
                .hasMessageContaining("is refused, details: Compaction is already scheduled");
        assertThat(folders("t")).hasSize(6).anyMatch(name -> name.startsWith("base_0000004_v"));
        assertThat(rows(ALL)).isEqualTo(before);
        cleanAll();
        assertThat(folders("t")).singleElement().asString().startsWith("base_0000004_v");
        assertThat(state()).isEqualTo("succeeded");
        assertThat(rows(ALL)).isEqualTo(before);
        run("update t set b = 'again' where a = 1");
        run("insert into t values (6,'w')");
        assertThat(rows("select a, b from t order by a"))
                .containsExactly("1 | again", "2 | changed", "3 | z", "4 | u", "6 | w");
        assertThat(parts.store().transactions()).isEmpty();
    }

    @Test
    void aMinorCompactionMergesDeltas() throws IOException {
        fill();
        List<String> before = rows(ALL);
        run("alter table t compact 'minor'");
        assertThat(runNext(parts)).isTrue();
        cleanAll();
        assertThat(folders("t"))
                .hasSize(2)
                .anyMatch(name -> name.startsWith("delta_0000001_0000004_v"))
                .anyMatch(name -> name.startsWith("delete_delta_0000003_0000004_v")
                        || name.startsWith("delete_delta_0000001_0000004_v"));
        assertThat(rows(ALL)).isEqualTo(before);
        run("alter table t compact 'MINOR'");
        assertThat(runNext(parts)).isTrue();
        assertThat(state()).as("there is nothing to merge").isEqualTo("refused");
        assertThat(rows(ALL)).isEqualTo(before);
    }

    /** A client that reads slowly holds its snapshot until it has read everything, or has closed the statement. */
    @Test
    void filesOfAnOpenQueryAreKept() throws IOException {
        fill();
        List<String> before = rows("select a from t");
        SqlStatement query = session.compile(new QueryId("slow"), "select a from t");
        query.run(line -> {});
        run("alter table t compact 'major'");
        assertThat(runNext(parts)).isTrue();
        long reader = parts.store().transactions().getFirst().id();
        Polling.await("the bound").until(() -> parts.queue().oldestTransaction() == reader);
        clean();
        assertThat(folders("t")).hasSize(6);
        assertThat(state()).isEqualTo("ready for cleaning");
        assertThat(rows("select a from t")).containsExactlyInAnyOrderElementsOf(before);
        query.close();
        cleanAll();
        assertThat(folders("t")).hasSize(1);
    }

    @Test
    void partitionsAreCompactedOneByOne() throws IOException {
        run("insert into p values (1,'x'),(2,'y')");
        run("insert into p values (3,'x'),(4,'y')");
        run("delete from p where a = 1");
        assertThatThrownBy(() -> run("alter table p partition (d='no') compact 'major'"))
                .isInstanceOf(SkepException.class);
        run("alter table p partition (d='x') compact 'major'");
        assertThat(runNext(parts)).isTrue();
        cleanAll();
        Path root = engine.folder("p");
        assertThat(root.resolve("d=x")).isDirectoryNotContaining("glob:**delta_*");
        assertThat(root.resolve("d=y")).isDirectoryContaining("glob:**delta_*");
        assertThat(rows("select a, d from p order by a")).containsExactly("2 | y", "3 | x", "4 | y");
        run("alter table p compact 'major'");
        while (runNext(parts)) {
            // One for each partition.
        }
        assertThat(compactions())
                .extracting(ListedCompaction::state)
                .containsExactlyInAnyOrder("succeeded", "refused", "ready for cleaning");
        cleanAll();
        assertThat(root.resolve("d=y")).isDirectoryNotContaining("glob:**delta_*");
        assertThat(rows("select a, d from p order by a")).containsExactly("2 | y", "3 | x", "4 | y");
    }

    @Test
    void insertOnlyTablesAreCompacted() throws IOException {
        run("create table m (a int) stored as parquet tblproperties ('transactional'='true',"
                + " 'transactional_properties'='insert_only')");
        for (int i = 0; i < 4; i++) {
            run("insert into m values (" + i + ")");
        }
        for (String kind : List.of("minor", "major")) {
            run("insert into m values (7)");
            run("alter table m compact '" + kind + "'");
            List<String> before = rows("select a from m order by a");
            assertThat(runNext(parts)).isTrue();
            assertThat(rows("select a from m order by a")).isEqualTo(before);
            cleanAll();
            assertThat(folders("m")).hasSize(1);
            assertThat(rows("select a from m order by a")).isEqualTo(before);
        }
    }

    @Test
    void renamedColumnsKeepTheirPlace() {
        run("create table r (a int, b array<int>) partitioned by (d string) stored as orc"
                + " tblproperties ('transactional'='true')");
        run("insert into r values (1, array(10), 'x')");
        run("insert into r values (2, array(20), 'x')");
        run("alter table r change column b c array<int>");
        run("alter table r partition (d='x') compact 'major'");
        assertThat(runNext(parts)).isTrue();
        cleanAll();
        run("alter table r add columns (e int)");
        run("insert into r values (3, array(30), 33, 'x')");
        assertThat(rows("select a, c[0], e from r order by a"))
                .containsExactly("1 | 10 | NULL", "2 | 20 | NULL", "3 | 30 | 33");
    }

    @Test
    void otherTablesAreRefused() {
        run("create table plain (a int) stored as orc");
        assertThatThrownBy(() -> run("alter table plain compact 'major'"))
                .hasMessageContaining("Compaction is not allowed on non-ACID table default.plain");
        assertThatThrownBy(() -> run("alter table t compact 'huge'")).hasMessageContaining("Invalid compaction type");
        assertThatThrownBy(() -> run("alter table t compact 'major' clustered into 2 buckets"))
                .hasMessageContaining("other than 'rebalance'");
    }

    @Test
    void theInitiatorFollowsTheThresholds() {
        CompactionConfig config = new CompactionConfig(
                true,
                true,
                1,
                Duration.ofHours(1),
                Duration.ofHours(1),
                Duration.ofHours(1),
                new CompactionThresholds(3, 1000, 1000, Duration.ofHours(12)),
                1 << 20);
        CompactionInitiator initiator =
                new CompactionInitiator(parts, config, "host-i", InstantSource.system(), () -> false);
        for (int i = 0; i < 3; i++) {
            run("insert into t values (1,'x')");
        }
        initiator.run();
        assertThat(compactions()).isEmpty();
        run("insert into t values (1,'x')");
        initiator.run();
        assertThat(compactions()).singleElement().satisfies(one -> {
            assertThat(one.kind()).as("there is no base").isEqualTo("MAJOR");
            assertThat(one.state()).isEqualTo("initiated");
        });
        initiator.run();
        assertThat(compactions()).hasSize(1);
        assertThat(runNext(parts)).isTrue();
        cleanAll();
        for (int i = 0; i < 4; i++) {
            run("insert into t values (1,'x')");
        }
        initiator.run();
        assertThat(compactions()).hasSize(2).anyMatch(one -> one.kind().equals("MINOR"));
    }

    @Test
    void foldersOfAbortedTransactionsAreDeleted() throws IOException {
        fill();
        TransactionOwner owner = new TransactionOwner("a", "h", "q");
        long writer = parts.store().open(owner, TransactionKind.DEFAULT);
        long writeId = parts.store().allocateWriteId(writer, "default", "t");
        parts.store()
                .lock(
                        writer,
                        owner,
                        List.of(LockComponent.ofTable(LockKind.SHARED_READ, DataOperation.INSERT, "default", "t")));
        String folder = "delta_000000" + writeId + "_000000" + writeId + "_0000";
        Files.createDirectories(engine.folder("t").resolve(folder));
        Files.write(engine.folder("t").resolve(folder).resolve("bucket_00000_0"), new byte[] {1});
        parts.store().abort(writer);
        List<String> before = rows(ALL);
        clean();
        assertThat(folders("t")).doesNotContain(folder).hasSize(5);
        assertThat(rows(ALL)).isEqualTo(before);
        assertThat(parts.store().compactionQueue().abortsToClean(Duration.ZERO, 0))
                .isEmpty();
    }

    private static final List<String> FILE_STEPS =
            List.of("makeFolder", "create", "force", "rename", "listTrees", "delete", "status");
    private static final List<String> STORE_STEPS = List.of("heartbeat", "commit", "validTransactions", "lock");
    private static final List<String> QUEUE_STEPS = List.of("begin", "compacted");

    /** Whatever step fails, the rows are the same, and the next compaction does the work. */
    @Test
    void stepsMayFailOrBeTheLast() throws IOException {
        failAtSteps("minor", false, false);
        failAtSteps("minor", false, true);
        failAtSteps("minor", true, false);
        failAtSteps("minor", true, true);
        failAtSteps("major", true, false);
        cleanAll();
        for (int i = 0; i < attempts; i++) {
            if (folders("s" + i).size() > 1) {
                run("alter table s" + i + " compact 'major'");
            }
        }
        while (runNext(parts)) {
            // All of them.
        }
        cleanAll();
        for (int i = 0; i < attempts; i++) {
            assertThat(rows("select a, row__id.writeid from s" + i))
                    .as("table %s", i)
                    .containsExactlyInAnyOrder("1 | 1", "3 | 2");
            assertThat(folders("s" + i)).as("table %s", i).hasSize(1);
        }
        // The library may forget an aborted transaction only in a later cleaning than the one of its files.
        Polling.await("no transaction is left").until(() -> {
            clean();
            return parts.store().transactions().isEmpty();
        });
    }

    /** One in this number of a compaction's steps fails. */
    private static final int STRIDE = 5;

    private int attempts;

    private void failAtSteps(String kind, boolean kills, boolean after) {
        int step = attempts % Sampling.stride(STRIDE);
        while (attempt(kind, new StepFaults(step, kills, after), kills)) {
            step += Sampling.stride(STRIDE);
        }
        assertThat(step).as("steps of a compaction").isGreaterThan(8);
    }

    /**
     * Runs the next compaction with steps that fail. A killed server starts again afterwards.
     *
     * @param kills whether a failure is the end of the server
     */
    static void runFaulty(CompactionParts parts, StepFaults faults, boolean kills) {
        try (StatementTransactions transactions = faultyTransactions(parts, faults)) {
            CompactionFiles io = parts.io();
            CompactionFiles faulty = new CompactionFiles(
                    faults.around(StorageFileSystem.class, io.files(), FILE_STEPS),
                    io.readers(),
                    io.sources(),
                    io.sinks(),
                    io.memory());
            try {
                runNext(new CompactionParts(parts.catalog(), transactions, faulty, parts.commits()));
            } catch (StepFaults.Killed e) {
                assertThat(kills).isTrue();
            }
        }
        if (kills) {
            // Its heartbeats end, and others abort its transaction. Its server starts again.
            parts.store()
                    .abortAll(parts.store().transactions().stream()
                            .filter(one -> !one.isAborted())
                            .map(ListedTransaction::id)
                            .toList());
            parts.queue().revoke("host-");
        }
    }

    /** Returns whether the step was reached. */
    private boolean attempt(String kind, StepFaults faults, boolean kills) {
        String table = "s" + attempts++;
        run("create table " + table + " (a int) stored as orc tblproperties ('transactional'='true')");
        run("insert into " + table + " values (1),(2)");
        run("insert into " + table + " values (3)");
        run("delete from " + table + " where a = 2");
        run("alter table " + table + " compact '" + kind + "'");
        runFaulty(parts, faults, kills);
        check(table);
        clean();
        check(table);
        while (runNext(parts)) {
            // A killed one is repeated.
        }
        check(table);
        return faults.reached();
    }

    private void check(String table) {
        assertThat(rows("select a, row__id.writeid from " + table))
                .as(table)
                .containsExactlyInAnyOrder("1 | 1", "3 | 2");
    }

    private static StatementTransactions faultyTransactions(CompactionParts parts, StepFaults faults) {
        TransactionStore store = faults.around(TransactionStore.class, parts.store(), STORE_STEPS);
        CompactionStore queue = faults.around(CompactionStore.class, parts.queue(), QUEUE_STEPS);
        TransactionConfig config = new TransactionConfig(Duration.ofHours(1), Duration.ofHours(1), Duration.ofHours(1));
        return new StatementTransactions(withQueue(store, queue), config, "host");
    }

    private static TransactionStore withQueue(TransactionStore store, CompactionStore queue) {
        return (TransactionStore) Proxy.newProxyInstance(
                TransactionStore.class.getClassLoader(),
                new Class<?>[] {TransactionStore.class},
                (_, method, arguments) -> {
                    if (method.getName().equals("compactionQueue")) {
                        return queue;
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause() == null ? e : e.getCause();
                    }
                });
    }

    @Test
    void theServiceCarriesOutWhatIsRequested() throws IOException {
        try (CompactionService _ = new CompactionService(parts, CONFIG, "server", InstantSource.system())) {
            fill();
            run("alter table t compact 'major' and wait");
            assertThat(compactions())
                    .singleElement()
                    .satisfies(one -> assertThat(one.state()).isIn("ready for cleaning", "succeeded"));
            assertThat(folders("t")).anyMatch(name -> name.startsWith("base_"));
            assertThat(rows("select a from t order by a")).containsExactly("1", "2", "3", "4");
        }
        cleanAll();
        run("insert into t values (9,'n')");
        run("alter table t compact 'major'");
        assertThat(state()).isEqualTo("initiated");
    }
}
