package io.skep.ql.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.metastore.transaction.DataOperation;
import io.skep.metastore.transaction.ListedTransaction;
import io.skep.metastore.transaction.LockComponent;
import io.skep.metastore.transaction.LockFilter;
import io.skep.metastore.transaction.LockKind;
import io.skep.metastore.transaction.TransactionKind;
import io.skep.metastore.transaction.TransactionOwner;
import io.skep.metastore.transaction.TransactionStore;
import io.skep.ql.SqlStatement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Definitions of transactional tables, INSERT and SELECT. Answers are those of Hive 4.0.1 to the same statements. */
final class TestTransactionalTables extends TransactionalStatements {
    @BeforeEach
    void makeTables() {
        run("create table t (a int, b string) stored as orc tblproperties ('transactional'='true')");
        run("create table p (a int) partitioned by (d string) stored as orc tblproperties ('transactional'='true')");
        run("create table plain (a int, b string) stored as orc");
    }

    private List<String> files(String table) throws IOException {
        Path folder = engine.folder(table);
        try (Stream<Path> found = Files.walk(folder)) {
            return found.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString())
                    .filter(name -> !name.endsWith(".crc"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void rowsHaveIdentifiers() throws IOException {
        run("insert into t values (1,'x'),(2,'y'),(3,'z')");
        run("insert into t values (4,'u')");
        assertThat(rows("select row__id.writeid, row__id.bucketid, row__id.rowid, a, b from t order by a"))
                .containsExactly("1|536870912|0|1|x", "1|536870912|1|2|y", "1|536870912|2|3|z", "2|536870912|0|4|u");
        assertThat(files("t"))
                .containsExactly(
                        "delta_0000001_0000001_0000/_orc_acid_version",
                        "delta_0000001_0000001_0000/bucket_00000_0",
                        "delta_0000002_0000002_0000/_orc_acid_version",
                        "delta_0000002_0000002_0000/bucket_00000_0");
        assertThat(rows("select a from t where row__id.writeid = 2")).containsExactly("4");
        assertThat(rows("select row__id from plain")).isEmpty();
    }

    @Test
    void countsAreNotAnsweredFromStatistics() {
        assertThat(rows("select count(*), max(a) from t")).containsExactly("0|NULL");
        run("insert into t values (1,'x'),(2,'y')");
        assertThat(rows("select count(*), max(a) from t")).containsExactly("2|2");
        assertThat(String.join("\n", rows("describe formatted t"))).doesNotContain("COLUMN_STATS_ACCURATE");
    }

    @Test
    void overwritesAreBases() throws IOException {
        run("insert into t values (1,'x'),(2,'y')");
        run("insert overwrite table t select 9, 'ow'");
        assertThat(rows("select row__id.writeid, a, b from t")).containsExactly("2|9|ow");
        assertThat(files("t")).contains("base_0000002/_orc_acid_version", "base_0000002/bucket_00000_0");
        run("insert overwrite table t select * from plain");
        assertThat(rows("select * from t")).isEmpty();
        run("insert into t values (5,'e')");
        assertThat(rows("select * from t")).containsExactly("5|e");
        run("insert overwrite table t select a + 1, b from t");
        assertThat(rows("select * from t")).containsExactly("6|e");
    }

    @Test
    void partitionsAreWritten() throws IOException {
        run("insert into p partition (d) values (1,'x'),(2,'y')");
        run("insert into p partition (d='x') values (3)");
        assertThat(rows("select a, d, row__id.writeid from p order by a")).containsExactly("1|x|1", "2|y|1", "3|x|2");
        run("insert overwrite table p partition (d) select 7, 'y'");
        assertThat(rows("select a, d from p order by a")).containsExactly("1|x", "3|x", "7|y");
        run("insert overwrite table p partition (d='x') select 8");
        assertThat(rows("select a, d from p order by a")).containsExactly("7|y", "8|x");
        assertThat(rows("show partitions p")).containsExactly("d=x", "d=y");
        assertThat(files("p")).contains("d=x/base_0000004/bucket_00000_0", "d=y/base_0000003/bucket_00000_0");
    }

    @Test
    void bucketsHaveTheirNumbers() {
        run("create table bb (a int, b string) clustered by (a) into 2 buckets stored as orc"
                + " tblproperties ('transactional'='true')");
        run("insert into bb values (1,'x'),(2,'y'),(3,'z')");
        assertThat(rows("select row__id.bucketid, row__id.rowid, a from bb order by row__id.bucketid, a"))
                .containsExactly("536870912|0|2", "536870912|1|3", "536936448|0|1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"textfile", "parquet", "orc", "avro"})
    void insertOnlyTablesHaveAnyFormat(String format) throws IOException {
        run("create table mm (a int, b string) stored as " + format
                + " tblproperties ('transactional'='true', 'transactional_properties'='insert_only')");
        run("insert into mm values (1,'x')");
        run("insert into mm values (2,'y')");
        assertThat(rows("select a, b from mm order by a")).containsExactly("1|x", "2|y");
        assertThat(files("mm"))
                .containsExactly("delta_0000001_0000001_0000/000000_0", "delta_0000002_0000002_0000/000000_0");
        run("insert overwrite table mm select * from plain");
        assertThat(rows("select * from mm")).isEmpty();
        run("insert overwrite table mm select 3, 'z'");
        assertThat(rows("select * from mm")).containsExactly("3|z");
    }

    @Test
    void tablesAreMadeOfQueries() throws IOException {
        run("create table made stored as orc tblproperties ('transactional'='true') as select 1 a, 'x' b");
        assertThat(rows("select a, b, row__id.writeid from made")).containsExactly("1|x|1");
        assertThat(files("made")).contains("delta_0000001_0000001_0000/bucket_00000_0");
    }

    @Test
    void oneStatementWritesSeveralTables() {
        run("insert into plain values (1,'x'),(2,'y')");
        run("from plain insert into t select a, b insert into p partition (d='m') select a * 10");
        assertThat(rows("select a, b from t order by a")).containsExactly("1|x", "2|y");
        assertThat(rows("select a, d from p order by a")).containsExactly("10|m", "20|m");
    }

    /** Two writes of one statement have folders of their own; a partition has one base. */
    @Test
    void oneStatementWritesATableTwice() throws IOException {
        run("insert into plain values (1,'x'),(2,'y')");
        run("from plain insert into p partition (d) select a, b insert into p partition (d) select a + 10, b");
        assertThat(rows("select a, d from p order by a")).containsExactly("1|x", "2|y", "11|x", "12|y");
        assertThat(files("p"))
                .contains(
                        "d=x/delta_0000001_0000001_0000/bucket_00000_0",
                        "d=x/delta_0000001_0000001_0001/bucket_00000_0");
        assertThatThrownBy(() -> run("from plain insert overwrite table p partition (d='x') select a"
                        + " insert overwrite table p partition (d) select a + 10, b"))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(StandardErrorCode.OUTPUT_SPECIFIED_MULTIPLE_TIMES));
        assertThat(rows("select count(*) from p")).containsExactly("4");
    }

    @Test
    void aFailedInsertLeavesNothing() throws IOException {
        run("insert into t values (1,'x')");
        assertThatThrownBy(() -> run("insert into t select a, assert_true(a > 5) from t"))
                .isInstanceOf(SkepException.class);
        assertThat(rows("select a from t")).containsExactly("1");
        assertThat(files("t")).hasSize(2);
        run("insert into t values (2,'y')");
        assertThat(rows("select a from t order by a")).containsExactly("1", "2");
    }

    /** Whoever aborts the transaction before it commits: the statement fails, and nothing of it is left. */
    @Test
    void anInsertWhoseTransactionIsAbortedLeavesNothing() throws Exception {
        run("insert into t values (1,'x')");
        TransactionStore store = store();
        AtomicBoolean ended = new AtomicBoolean();
        Thread aborts = Thread.ofPlatform().start(() -> {
            while (!ended.get()) {
                store.abortAll(store.transactions().stream()
                        .filter(transaction -> !transaction.isAborted())
                        .map(ListedTransaction::id)
                        .toList());
            }
        });
        try {
            assertThatThrownBy(() -> run("insert into t select pos, 'y' from (select 1) one lateral view"
                            + " posexplode(split(space(200000), ' ')) b as pos, val"))
                    .isInstanceOfSatisfying(
                            SkepException.class,
                            e -> assertThat(e.code()).isEqualTo(StandardErrorCode.TRANSACTION_ABORTED));
        } finally {
            ended.set(true);
            aborts.join();
        }
        assertThat(files("t")).hasSize(2);
        assertThat(rows("select a from t")).containsExactly("1");
    }

    /** A statement that waits for a lock is canceled, and leaves neither a lock nor a transaction. */
    @Test
    void aStatementThatWaitsForALockIsCanceled() throws Exception {
        run("insert into t values (1,'x')");
        TransactionStore store = store();
        TransactionOwner owner = new TransactionOwner("u", "h", "q");
        long holder = store.open(owner, TransactionKind.DEFAULT);
        List<LockComponent> whole =
                List.of(LockComponent.ofTable(LockKind.EXCLUSIVE, DataOperation.NO_TXN, "default", "t"));
        assertThat(store.lock(holder, owner, whole).isAcquired()).isTrue();
        try (SqlStatement waiting = session.compile(new QueryId("waits"), "update t set b = 'z'")) {
            FutureTask<@Nullable Void> run = new FutureTask<>(() -> waiting.run(line -> {}), null);
            Thread.ofPlatform().start(run);
            Awaitility.await().until(() -> store.locks(LockFilter.ALL).size() > 1);
            waiting.cancel(new SkepException(StandardErrorCode.OPERATION_CANCELED, "enough"));
            assertThatThrownBy(run::get).cause().hasMessageContaining("enough");
        }
        assertThat(store.locks(LockFilter.ALL)).hasSize(1);
        store.abort(holder);
        assertThat(rows("select a, b from t")).containsExactly("1|x");
    }

    @Test
    void tablesAreLikeOthers() {
        run("create table again like t");
        assertThat(rows("show tblproperties again")).contains("transactional|true", "transactional_properties|default");
        run("create external table outside like t");
        assertThat(String.join("\n", rows("show tblproperties outside"))).doesNotContain("transactional");
    }

    @Test
    void settingsMakeTablesTransactional() {
        run("set hive.create.as.acid=true");
        run("create table c1 (a int) stored as orc");
        run("create table c2 (a int) stored as textfile");
        assertThat(rows("show tblproperties c1")).contains("transactional_properties|default");
        assertThat(String.join("\n", rows("show tblproperties c2"))).doesNotContain("transactional");
        run("set hive.create.as.acid=false");
        run("set hive.create.as.insert.only=true");
        run("create table c3 (a int) stored as textfile");
        assertThat(rows("show tblproperties c3")).contains("transactional_properties|insert_only");
        run("create table c4 (a int) stored as orc tblproperties ('transactional'='false')");
        assertThat(String.join("\n", rows("show tblproperties c4"))).doesNotContain("transactional");
    }

    @ParameterizedTest
    @MethodSource("refusedDefinitions")
    void definitionsThatHiveRefuses(String definition, String properties, String words) {
        assertThatThrownBy(() -> run(definition + " tblproperties (" + properties + ")"))
                .hasMessageContaining("MetaException(message:" + words + ")");
    }

    private static Stream<Arguments> refusedDefinitions() {
        String wanted = "'transactional'='true'";
        return Stream.of(
                Arguments.of(
                        "create table x (a int) stored as textfile",
                        wanted,
                        "The table must be stored using an ACID compliant format (such as ORC): default.x"),
                Arguments.of(
                        "create external table x (a int) stored as orc",
                        wanted,
                        "default.x cannot be declared transactional because it's an external table"),
                Arguments.of(
                        "create table x (a int) stored as orc",
                        "'transactional'='yes'",
                        "'transactional' property of TBLPROPERTIES may only have value 'true': default.x"),
                Arguments.of(
                        "create table x (a int) stored as orc",
                        wanted + ", 'transactional_properties'='foo'",
                        "Invalid transactional properties specified for default.x"
                                + " with the error unknown value foo for transactional_properties"),
                Arguments.of(
                        "create table x (a int) clustered by (a) sorted by (a) into 2 buckets stored as orc",
                        wanted,
                        "Table default.x cannot support full ACID functionality since it is sorted."));
    }

    @Test
    void temporaryTablesAreNotThere() {
        assertThatThrownBy(() ->
                        run("create temporary table x (a int) stored as orc tblproperties('transactional'='true')"))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.NOT_SUPPORTED));
    }
}
