package io.skep.ql.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.metastore.transaction.DataOperation;
import io.skep.metastore.transaction.ListedLock;
import io.skep.metastore.transaction.LockComponent;
import io.skep.metastore.transaction.LockFilter;
import io.skep.metastore.transaction.LockKind;
import io.skep.metastore.transaction.TransactionKind;
import io.skep.metastore.transaction.TransactionOwner;
import io.skep.ql.SqlStatement;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** ALTER, DROP, ANALYZE and MSCK of transactional tables, and their locks. Answers are those of Hive 4.0.1. */
final class TestTransactionalDefinitions extends TransactionalStatements {
    private static final TransactionOwner OTHER = new TransactionOwner("other", "host", "query");

    @BeforeEach
    void makeTables() {
        run("create table t (a int, b string)" + FULL);
        run("insert into t values (1,'x'),(2,'y')");
        run("create table p (a int) partitioned by (d string)" + FULL);
        run("insert into p partition (d) values (1,'x'),(2,'y'),(3,'z')");
    }

    private static String text(ListedLock lock) {
        return lock.kind() + " " + lock.database() + "." + lock.table().orElse("")
                + lock.partition().map(partition -> "/" + partition).orElse("");
    }

    /** Returns the locks for which a statement waits while others hold a table exclusively, and then lets it end. */
    private List<String> locks(String statement, String table) throws Exception {
        long holder = store().open(OTHER, TransactionKind.DEFAULT);
        List<LockComponent> whole =
                List.of(LockComponent.ofTable(LockKind.EXCLUSIVE, DataOperation.NO_TXN, "default", table));
        assertThat(store().lock(holder, OTHER, whole).isAcquired()).isTrue();
        try (SqlStatement waiting = session.compile(new QueryId("waits"), statement)) {
            FutureTask<@Nullable Void> run = new FutureTask<>(() -> waiting.run(line -> {}), null);
            Thread.ofPlatform().start(run);
            Awaitility.await()
                    .until(() -> run.isDone() || store().locks(LockFilter.ALL).size() > 1);
            List<String> locks = store().locks(LockFilter.ALL).stream()
                    .filter(lock -> lock.transaction() != holder)
                    .map(TestTransactionalDefinitions::text)
                    .sorted()
                    .toList();
            store().abort(holder);
            run.get();
            return locks;
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "drop table t | t | EXCLUSIVE default.t",
                "alter table t rename to u | t | EXCLUSIVE default.t",
                "alter table t add columns (c int) | t | EXCLUSIVE default.t",
                "alter table t change column b c string | t | EXCLUSIVE default.t",
                "alter table t set owner user u | t | EXCLUSIVE default.t",
                "alter table t unset tblproperties if exists ('k') | t | EXCLUSIVE default.t",
                "alter table t set tblproperties ('k'='v') | t | SHARED_READ default.t",
                "alter table t set serdeproperties ('k'='v') | t | SHARED_READ default.t",
                "truncate table t | t | EXCL_WRITE default.t",
                "alter table p drop partition (d='x') | p | EXCLUSIVE default.p/d=x",
                "alter table p partition (d='x') rename to partition (d='w') | p | EXCLUSIVE default.p/d=x",
                "alter table p partition (d='x') add columns (c int) | p | EXCLUSIVE default.p/d=x",
                "alter table p add partition (d='w') | p | SHARED_READ default.p",
                "alter table p add if not exists partition (d='w') | p | EXCL_WRITE default.p",
                "truncate table p partition (d='x') | p | EXCL_WRITE default.p/d=x",
                "msck repair table p | p | EXCLUSIVE default.p",
                "analyze table t compute statistics noscan | t | SHARED_READ default.t"
            })
    void definitionsWaitForLocks(String statement, String table, String lock) throws Exception {
        assertThat(locks(statement, table)).containsExactly(lock);
    }

    @Test
    void severalPartitionsAreLocked() throws Exception {
        assertThat(locks("alter table p drop partition (d>'x')", "p"))
                .containsExactly("EXCLUSIVE default.p/d=y", "EXCLUSIVE default.p/d=z");
        assertThat(rows("select a, d from p")).containsExactly("1|x");
        run("insert into p partition (d) values (5,'w')");
        assertThat(locks("truncate table p", "p"))
                .containsExactly("EXCL_WRITE default.p/d=w", "EXCL_WRITE default.p/d=x");
        assertThat(rows("select a, d from p")).isEmpty();
        assertThat(rows("show partitions p")).containsExactly("d=w", "d=x");
    }

    @Test
    void databasesAreDroppedWithTheirTables() throws Exception {
        run("create database other");
        run("create table other.t1 (a int)" + FULL);
        run("create table other.t2 (a int) stored as orc");
        run("create table other.t3 (a int)" + FULL);
        run("insert into other.t1 values (1)");
        assertThatThrownBy(() -> run("drop database other")).isInstanceOf(SkepException.class);
        run("drop database other cascade");
        run("create database other");
        run("create table other.t1 (a int)" + FULL);
        run("insert into other.t1 values (2)");
        assertThat(rows("select a, row__id.writeid from other.t1")).containsExactly("2|1");
        run("drop database other cascade");
    }

    /** What is canceled while it waits changes nothing. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "drop table t",
                "alter table t rename to u",
                "truncate table t",
                "alter table t add columns (c int)",
                "alter table t set tblproperties ('k'='v')",
                "analyze table t compute statistics noscan"
            })
    void aDefinitionThatWaitsIsCanceled(String statement) throws Exception {
        long holder = store().open(OTHER, TransactionKind.DEFAULT);
        List<LockComponent> whole =
                List.of(LockComponent.ofTable(LockKind.EXCLUSIVE, DataOperation.NO_TXN, "default", "t"));
        assertThat(store().lock(holder, OTHER, whole).isAcquired()).isTrue();
        try (SqlStatement waiting = session.compile(new QueryId("waits"), statement)) {
            FutureTask<@Nullable Void> run = new FutureTask<>(() -> waiting.run(line -> {}), null);
            Thread.ofPlatform().start(run);
            Awaitility.await().until(() -> store().locks(LockFilter.ALL).size() > 1);
            waiting.cancel(new SkepException(StandardErrorCode.OPERATION_CANCELED, "enough"));
            assertThatThrownBy(run::get).cause().hasMessageContaining("enough");
        }
        assertThat(store().locks(LockFilter.ALL)).hasSize(1);
        store().abort(holder);
        assertThat(rows("select * from t order by a")).containsExactly("1|x", "2|y");
        assertThat(rows("show tblproperties t")).noneMatch(property -> property.startsWith("k|"));
    }

    @Test
    void aDefinitionTimesOut() {
        run("set hive.lock.numretries=1");
        long holder = store().open(OTHER, TransactionKind.DEFAULT);
        List<LockComponent> reads =
                List.of(LockComponent.ofTable(LockKind.SHARED_READ, DataOperation.SELECT, "default", "t"));
        assertThat(store().lock(holder, OTHER, reads).isAcquired()).isTrue();
        for (String statement : List.of("drop table t", "alter table t rename to u")) {
            assertThatThrownBy(() -> run(statement)).isInstanceOf(SkepException.class);
        }
        // Readers do not hinder these.
        run("alter table t set tblproperties ('k'='v')");
        run("truncate table t");
        store().abort(holder);
        assertThat(rows("select * from t")).isEmpty();
    }

    @Test
    void tablesAreRenamed() {
        run("alter table t rename to u");
        assertThat(rows("select a, b from u order by a")).containsExactly("1|x", "2|y");
        run("insert into u values (3,'z')");
        run("delete from u where a = 1");
        assertThat(rows("select a, row__id.writeid from u order by a")).containsExactly("2|1", "3|2");
        run("create table t (a int)" + FULL);
        run("insert into t values (9)");
        assertThat(rows("select a, row__id.writeid from t")).containsExactly("9|1");
    }

    @Test
    void partitionsAreRenamedAndDropped() {
        run("alter table p partition (d='x') rename to partition (d='w')");
        run("update p set a = a + 10");
        assertThat(rows("select a, d from p order by a")).containsExactly("11|w", "12|y", "13|z");
        run("alter table p drop partition (d='y'), partition (d='z')");
        assertThat(rows("select a, d from p")).containsExactly("11|w");
        run("insert into p partition (d='y') values (5)");
        assertThat(rows("select a, d from p order by a")).containsExactly("5|y", "11|w");
        run("alter table p drop if exists partition (d='nothing')");
    }

    @Test
    void partitionsAreAdded() {
        run("alter table p add partition (d='new')");
        assertThat(rows("select a, d from p where d = 'new'")).isEmpty();
        run("insert into p partition (d='new') values (7)");
        assertThat(rows("select a, d from p where d = 'new'")).containsExactly("7|new");
        assertThatThrownBy(() -> run("alter table p add partition (d='new')")).isInstanceOf(SkepException.class);
        run("alter table p add if not exists partition (d='new')");
        assertThat(rows("select a, d from p where d = 'new'")).containsExactly("7|new");
    }

    @Test
    void columnsAreAddedAndChanged() {
        run("alter table t add columns (c int)");
        assertThat(rows("select * from t order by a")).containsExactly("1|x|NULL", "2|y|NULL");
        run("insert into t values (3,'z',30)");
        run("update t set c = a * 10 where a = 1");
        assertThat(rows("select * from t order by a")).containsExactly("1|x|10", "2|y|NULL", "3|z|30");
        run("alter table t change column c c bigint");
        run("insert into t values (4,'u',5000000000)");
        assertThat(rows("select a, c from t order by a")).containsExactly("1|10", "2|NULL", "3|30", "4|5000000000");
        run("delete from t where c is null");
        assertThat(rows("select a, c from t order by a")).containsExactly("1|10", "3|30", "4|5000000000");
    }

    @Test
    void rowsAreCountedForEstimatesOnly() {
        run("analyze table t compute statistics");
        assertThat(rows("show tblproperties t")).contains("numRows|2");
        run("analyze table t compute statistics for columns");
        run("delete from t where a = 1");
        assertThat(rows("select count(*), max(a), min(a) from t")).containsExactly("1|2|2");
        assertThat(String.join("\n", rows("describe formatted t"))).doesNotContain("COLUMN_STATS_ACCURATE");
        run("analyze table p compute statistics for columns");
        run("analyze table p partition (d='x') compute statistics");
        run("analyze table p partition (d='x') compute statistics noscan");
        run("insert into p partition (d='x') values (100)");
        assertThat(rows("select count(*), max(a) from p")).containsExactly("4|100");
        run("alter table t update statistics for column a set ('numDVs'='7')");
        assertThat(rows("select count(*), max(a) from t")).containsExactly("1|2");
    }

    @Test
    void foldersArePartitions() {
        run("alter table p drop partition (d='x')");
        run("msck repair table p sync partitions");
        assertThat(rows("show partitions p")).containsExactly("d=y", "d=z");
        assertThat(rows("select a, d from p order by a")).containsExactly("2|y", "3|z");
    }

    @ParameterizedTest
    @CsvSource({
        "start transaction, START_TRANSACTION is not supported yet.",
        "start transaction read only, START_TRANSACTION is not supported yet.",
        "commit, Operation COMMIT is not allowed without an active transaction",
        "rollback, Operation ROLLBACK is not allowed without an active transaction",
        "set autocommit true, SET_AUTOCOMMIT is not supported yet."
    })
    void eachStatementIsATransaction(String statement, String words) {
        assertThatThrownBy(() -> run(statement))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining(words);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "alter table p exchange partition (d='x') with table q",
                "alter table q exchange partition (d='x') with table p"
            })
    void partitionsAreNotExchanged(String statement) {
        run("create table q (a int) partitioned by (d string) stored as orc");
        assertThatThrownBy(() -> run(statement))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("Exchange partition is not allowed with transactional tables");
    }
}
