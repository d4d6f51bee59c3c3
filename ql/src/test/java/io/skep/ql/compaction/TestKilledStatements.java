package io.skep.ql.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.SkepException;
import io.skep.ql.SqlSession;
import io.skep.ql.commit.StepFaults;
import io.skep.ql.commit.StepFaults.Fault;
import io.skep.ql.testing.TestingEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A server dies, or loses its metastore and its files, at a step of a statement over transactional tables: a change of
 * files, or a call of the catalog or of transactions. Its transactions are aborted, as others do after their timeout.
 * Then all tables have the rows of before the statement or those of after it, and keep them over later statements, a
 * compaction and the deletion of aborted folders. New partitions may stay, without rows, as in Hive.
 */
@Timeout(1800)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestKilledStatements {
    private static final int STRIDE = 14;

    private static final String ROW_IDS = " stored as orc tblproperties ('transactional'='true')";
    private static final String INSERT_ONLY =
            " stored as textfile tblproperties ('transactional'='true', 'transactional_properties'='insert_only')";

    /** How a table is made, and what it contains. */
    private static final Map<String, List<String>> TABLES = Map.of(
            "t",
            List.of(
                    "create table t (a int, b string)" + ROW_IDS,
                    "insert into t values (1, 'x'), (2, 'y'), (3, 'z')",
                    "delete from t where a = 3"),
            "p",
            List.of(
                    "create table p (a int) partitioned by (d string)" + ROW_IDS,
                    "insert into p partition (d='one') values (1)"),
            "i",
            List.of("create table i (a int)" + INSERT_ONLY, "insert into i values (1)"),
            "s",
            List.of(
                    "create table s (a int, b string) stored as orc",
                    "insert into s values (1, 'gone'), (2, 'one'), (20, 'two')"),
            "v",
            List.of(
                    "create materialized view v as select b, count(*) c from t group by b",
                    "insert into t values (4, 'x')"),
            "c",
            List.of());

    enum Kind {
        INSERT("t", "insert into t values (10, 'new'), (11, 'new')"),
        INSERT_ONLY("i", "insert into i values (5), (6)"),
        PARTITIONS("s p", "insert into p partition (d) select a, b from s"),
        OVERWRITE("s t", "insert overwrite table t select a, b from s"),
        UPDATE("t", "update t set b = 'changed' where a = 2"),
        DELETE("t", "delete from t where a = 1"),
        MERGE(
                "s t",
                "merge into t using s on t.a = s.a when matched and s.b = 'gone' then delete"
                        + " when matched then update set b = s.b when not matched then insert values (s.a, s.b)"),
        MULTI("s t p", "from s insert into table t select a, b insert into table p partition (d) select a, b"),
        TRUNCATE("t", "truncate table t"),
        DROP_PARTITION("p", "alter table p drop partition (d='one')"),
        CREATE("s c", "create table c" + ROW_IDS + " as select a, b from s"),
        REBUILD("t v", "alter materialized view v rebuild"),
        LOAD("i", "load data inpath '%s' into table i"),
        CONVERSION("s", "alter table s set tblproperties ('transactional'='true')");

        private final List<String> tables;
        private final String statement;

        Kind(String tables, String statement) {
            this.tables = List.of(tables.split(" "));
            this.statement = statement;
        }
    }

    @TempDir
    private Path folder;

    private final StepFaults faults = new StepFaults();
    private TestingEngine engine;
    private SqlSession session;

    @BeforeAll
    void open() {
        engine = TestingEngine.failing(faults);
        session = engine.session();
        run("set hive.materializedview.rewriting=false");
    }

    @AfterAll
    void close() {
        session.close();
        engine.close();
    }

    private void run(String statement) {
        engine.run(session, statement);
    }

    private Path given() {
        return folder.resolve("given.txt");
    }

    private void prepare(Kind kind) throws IOException {
        if (kind.tables.contains("v")) {
            run("drop materialized view if exists v");
        }
        for (String table : kind.tables) {
            if (!table.equals("v")) {
                run("drop table if exists " + table);
            }
            TABLES.getOrDefault(table, List.of()).forEach(this::run);
        }
        Files.writeString(given(), "7\n8\n");
    }

    private List<String> rows(Kind kind) {
        List<String> rows = new ArrayList<>();
        for (String table : kind.tables) {
            if (!engine.rows(session, "show tables '" + table + "'").isEmpty()) {
                rows.add(table);
                engine.rows(session, "select * from " + table).forEach(row -> rows.add(table + " " + row));
            }
        }
        if (Files.exists(given())) {
            rows.add("given");
        }
        rows.sort(null);
        return rows;
    }

    /** Adds a row to each table, and compacts them. Returns the rows that they have then. */
    private List<String> later(Kind kind, List<String> rows) {
        List<String> later = new ArrayList<>(rows);
        for (String table : kind.tables) {
            switch (table) {
                case "p" -> {
                    run("insert into p partition (d='later') values (99)");
                    later.add("p 99 | later");
                }
                case "i" -> {
                    run("insert into i values (99)");
                    later.add("i 99");
                }
                case "t", "s" -> {
                    run("insert into " + table + " values (99, 'later')");
                    later.add(table + " 99 | later");
                }
                default -> {}
            }
            if (table.equals("t") || table.equals("i")) {
                run("alter table " + table + " compact 'major'");
                assertThat(new CompactionWorker(engine.compactionParts(), "host-0", "1").runNext())
                        .isTrue();
            }
        }
        clean();
        later.sort(null);
        return later;
    }

    private void clean() {
        CompactionThresholds all = new CompactionThresholds(10, 0.1, 0, Duration.ZERO);
        new CompactionCleaner(engine.compactionParts(), all, InstantSource.system(), () -> false).run();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aStatementIsWholeOrNotThere(Kind kind) throws IOException {
        prepare(kind);
        List<String> before = rows(kind);
        run(kind.statement.formatted(given()));
        List<String> after = rows(kind);
        StepFaults.atSteps(
                kind.toString(),
                STRIDE,
                EnumSet.of(Fault.DEATH, Fault.UNAVAILABLE),
                (fault, step) -> fails(kind, before, after, fault, step));
    }

    /** Returns false if the statement has fewer steps. */
    private boolean fails(Kind kind, List<String> before, List<String> after, Fault fault, int step)
            throws IOException {
        String what = kind + " fails " + fault + " at step " + step;
        prepare(kind);
        boolean isDone = isDone(kind, fault, step);
        boolean isReached = faults.isReached();
        faults.repair();
        engine.endTransactions();
        List<String> rows = rows(kind);
        if (isDone) {
            assertThat(rows).as(what).isEqualTo(after);
        } else {
            assertThat(List.of(before, after)).as(what).contains(rows);
        }
        List<String> later = later(kind, rows);
        assertThat(rows(kind)).as(what + ", and later").isEqualTo(later);
        return isReached;
    }

    private boolean isDone(Kind kind, Fault fault, int step) {
        faults.fail(fault, step);
        try {
            run(kind.statement.formatted(given()));
            return true;
        } catch (SkepException | AssertionError e) {
            return false;
        }
    }
}
