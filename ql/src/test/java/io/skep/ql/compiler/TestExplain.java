package io.skep.ql.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests the forms of EXPLAIN. */
final class TestExplain {
    private static TestingEngine engine;
    private static SqlSession session;

    @BeforeAll
    static void start() {
        engine = new TestingEngine(PlanningLimits.DEFAULT);
        session = engine.session();
        engine.run(session, "create table parted (v int) partitioned by (p int)");
        engine.run(session, "insert into parted partition (p) values (1, 1), (2, 2)");
    }

    @AfterAll
    static void stop() {
        session.close();
        engine.close();
    }

    private static String text(String sql) {
        return engine.run(session, sql).stream()
                .map(row -> row.getFirst().toString())
                .collect(Collectors.joining("\n"));
    }

    @Test
    void dependencyNamesTablesAndThePartitionsThatAreLeft() {
        assertThat(text("explain dependency select v from parted where p = 2"))
                .isEqualTo("{\"input_tables\":[{\"tablename\":\"default@parted\",\"tabletype\":\"MANAGED_TABLE\"}],"
                        + "\"input_partitions\":[{\"partitionName\":\"default@parted@p=2\"}]}");
    }

    @Test
    void astIsTheTree() {
        assertThat(text("explain ast select 1"))
                .startsWith("ABSTRACT SYNTAX TREE:")
                .contains("\n      TOK_SELECT\n");
    }

    @Test
    void cboIsTheAlgebra() {
        assertThat(text("explain cbo select count(*) from parted"))
                .startsWith("CBO PLAN:")
                .contains("Aggregate")
                .contains("parted");
    }

    @Test
    void analyzeShowsWhatHasHappened() {
        engine.run(session, "create table few (v int) stored as orc");
        engine.run(session, "insert into few values (1), (2), (3)");
        engine.run(session, "alter table few update statistics set ('numRows'='3000')");
        assertThat(text("explain analyze select v + 1 from few where v > 1"))
                .containsPattern("Fragment 0 .*; actual tasks=1, rows=2\n")
                .containsPattern("Project: .*; actual rows=2 \\(\\d+ times fewer than estimated\\), time=0\\.\\d+ s\n")
                .containsPattern("Scan default.few.*; actual rows=2 \\(\\d+ times fewer than estimated\\), "
                        + "time=0\\.\\d+ s, rows read=3, row groups skipped=0, from files=.*, from the cache=")
                .contains("Stage 0: 1 of 1 tasks, 2 rows")
                .contains("Scheduler in-process; processor time");
        assertThat(text("explain select v + 1 from few where v > 1")).doesNotContain("actual");
    }

    @Test
    void analyzeIsAFormOfItsOwn() {
        assertThatThrownBy(() -> text("explain cbo analyze select v from parted"))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.NOT_SUPPORTED))
                .hasMessageContaining("together with CBO");
    }

    @Test
    void analyzeFailsWithItsQuery() {
        assertThatThrownBy(() -> text("explain analyze select assert_true(v > 100) from parted"))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("assert_true");
    }

    @Test
    void analyzeDropsWhatIsWritten() {
        engine.run(session, "create table changed (a int, b int) stored as orc tblproperties ('transactional'='true')");
        engine.run(session, "insert into changed values (1, 1), (2, 2), (3, 3)");
        for (String write : List.of(
                "insert into parted partition (p) select v, 3 from parted",
                "insert overwrite table parted partition (p=1) select v from parted",
                "create table made stored as orc as select v from parted",
                "insert into changed select v, p from parted",
                "update changed set b = 7 where a < 3",
                "delete from changed where a < 3",
                "merge into changed t using parted s on t.a = s.v when matched then update set b = 9")) {
            assertThat(text("explain analyze " + write))
                    .startsWith("2 rows were written and dropped\n")
                    .containsPattern("Write: .*; actual files=\\d+, time=")
                    .containsPattern("Scan default\\..*; actual rows=\\d");
        }
        assertThat(text("explain analyze from parted insert into changed select v, p insert into parted partition (p=1)"
                        + " select v"))
                .contains("Write: default.changed", "Write: default.parted");
        assertThat(engine.rows(session, "select v from parted order by v")).containsExactly("1", "2");
        assertThat(engine.rows(session, "select a, b from changed order by a"))
                .containsExactly("1 | 1", "2 | 2", "3 | 3");
        assertThat(engine.printed(session, "show partitions parted")).containsExactly("p=1", "p=2");
        assertThat(engine.printed(session, "show tables")).doesNotContain("made");
        assertThat(engine.folder("parted").resolveSibling("made")).doesNotExist();
        assertThat(engine.printed(session, "show locks")).isEmpty();
        engine.run(session, "update changed set b = 8 where a = 1");
        assertThat(engine.rows(session, "select b from changed where a = 1")).containsExactly("8");
    }

    @Test
    void analyzeOfAFailedWriteLeavesNothing() {
        assertThatThrownBy(() -> text(
                        "explain analyze insert into parted partition (p=3) select assert_true(v > 100) from parted"))
                .isInstanceOf(SkepException.class);
        assertThatThrownBy(() -> engine.run(session, "create table made as select assert_true(v > 100) from parted"))
                .isInstanceOf(SkepException.class);
        assertThat(engine.folder("parted").resolveSibling("made")).doesNotExist();
        assertThatThrownBy(() -> text("explain analyze drop table parted"))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.NOT_SUPPORTED));
        assertThat(engine.rows(session, "select count(*) from parted")).containsExactly("2");
    }

    /** The statements that it prints, run elsewhere, make the same tables with the same statistics. */
    @Test
    void definitionsMakeTheTablesAgain() {
        engine.run(session, "create database again");
        engine.run(
                session,
                "create table again.kinds (i int, s string, d double, day date, c decimal(10,2), l decimal(30,2),"
                        + " t timestamp, b boolean, x binary, constraint u unique (i) disable rely)");
        engine.run(
                session,
                "insert into again.kinds values (1, 'a', 2.5, date'2020-01-02', 1.5, -3.25,"
                        + " timestamp'2020-01-01 00:00:01', true, 'x'), (7, 'it''s', 0, date'1960-01-02', 0, 10,"
                        + " timestamp'1960-01-01 00:00:01', null, 'y')");
        engine.run(session, "create table again.p (i int, s string) partitioned by (k string, n int)");
        engine.run(session, "insert into again.p values (1, 'a', 'it\\'s', 1), (2, 'b', 'x', 2), (3, 'c', null, 3)");
        engine.run(session, "create view again.v as select p.i, k from again.p join again.kinds q on p.i = q.i");
        engine.run(session, "create view again.w as select * from again.v where k <> 'x'");
        String query = "select w.i from again.w join again.kinds on w.i = kinds.i";
        String made = definitions(query);
        assertThat(made).doesNotContain("`k`='x'").contains("CREATE VIEW `again`.`v` AS", "ADD CONSTRAINT `u`");
        engine.run(session, "drop database again cascade");
        for (String statement : made.split(";(\n|$)")) {
            if (!statement.isBlank()) {
                engine.run(session, statement);
            }
        }
        assertThat(definitions(query)).isEqualTo(made);
        engine.run(session, "drop database again cascade");
        assertThat(definitions("select 1")).isEmpty();
        assertThatThrownBy(() -> text("explain ddl select * from information_schema.tables"))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.NOT_SUPPORTED));
        assertThatThrownBy(() -> text("explain ddl drop table parted"))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.NOT_SUPPORTED));
    }

    /** Returns what makes the tables of a query again, without the times and the sketches of distinct values. */
    private static String definitions(String query) {
        String shown = text("explain ddl " + query);
        String explains = "EXPLAIN " + query + ";\nEXPLAIN CBO " + query + ";\nEXPLAIN VECTORIZATION " + query + ";\n";
        assertThat(shown).contains(explains + "CBO PLAN:\n", "PLAN VECTORIZATION:", "Fragment 0");
        return shown.substring(0, shown.indexOf(explains))
                .replaceAll("-- BIT VECTORS .*\n", "")
                .replaceAll("'transient_lastDdlTime'='\\d+'", "'transient_lastDdlTime'='0'")
                .strip();
    }

    @Test
    void definitionsAreForThoseWhoMaySeeThem() {
        try (TestingEngine authorized = TestingEngine.authorized(PlanningLimits.DEFAULT);
                SqlSession root = authorized.session("root");
                SqlSession ann = authorized.session("ann")) {
            authorized.run(root, "create table secret (v int, w int)");
            authorized.run(root, "create view seen as select v from secret");
            authorized.run(root, "grant select on seen to user ann with grant option");
            assertThat(authorized.run(ann, "explain select v from seen")).isNotEmpty();
            String explain = "explain ddl select v from seen";
            assertThatThrownBy(() -> authorized.run(ann, explain))
                    .isInstanceOfSatisfying(
                            SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.ACCESS_DENIED));
            authorized.run(root, "grant select on secret to user ann with grant option");
            assertThat(String.join("\n", authorized.rows(ann, explain))).contains("`w` int");
        }
    }

    @Test
    void authorizationIsWhatIsReadAndChanged() {
        String ofSession = "CURRENT_USER: \n  test\nOPERATION: \n  ";
        assertThat(text("explain authorization select v from parted where p = 2"))
                .isEqualTo("INPUTS: \n  default@parted\n  default@parted@p=2\nOUTPUTS: \n" + ofSession + "QUERY");
        assertThat(text("explain authorization insert into parted partition (p=3) select v from parted where p = 1"))
                .isEqualTo("INPUTS: \n  default@parted\n  default@parted@p=1\nOUTPUTS: \n  default@parted\n" + ofSession
                        + "QUERY");
        assertThat(text("explain authorization drop table parted")).contains("default@parted", "DROPTABLE");
        assertThat(text("explain formatted authorization create table new as select v from parted"))
                .isEqualTo("{\"INPUTS\":[\"default@parted\"],\"OUTPUTS\":[\"database:default\",\"default@new\"],"
                        + "\"CURRENT_USER\":\"test\",\"OPERATION\":\"CREATETABLE_AS_SELECT\"}");
        assertThat(engine.printed(session, "show tables")).contains("parted").doesNotContain("new");
    }

    /** The reason is the error that the statement would have; values of partitions are not shown. */
    @Test
    void authorizationSaysWhatIsMissing() {
        try (TestingEngine authorized = TestingEngine.authorized(PlanningLimits.DEFAULT);
                SqlSession root = authorized.session("root");
                SqlSession ann = authorized.session("ann")) {
            authorized.run(root, "create table secret (v int) partitioned by (p string)");
            authorized.run(root, "insert into secret partition (p) values (1, 'hidden')");
            String query = "select v from secret";
            String error = assertThatThrownBy(() -> authorized.run(ann, query))
                    .isInstanceOfSatisfying(
                            SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.ACCESS_DENIED))
                    .actual()
                    .getMessage();
            String explained = String.join("\n", authorized.rows(ann, "explain authorization " + query));
            assertThat(explained)
                    .contains("default@secret", "AUTHORIZATION_FAILURES: \n  ", String.valueOf(error))
                    .doesNotContain("hidden");
            assertThatThrownBy(() -> authorized.run(ann, "explain " + query)).hasMessage(error);
            assertThat(String.join("\n", authorized.rows(root, "explain authorization " + query)))
                    .contains("p=hidden")
                    .doesNotContain("FAILURES");
        }
    }

    @Test
    void formattedIsJson() throws IOException {
        for (String statement : List.of(
                "select count(*), sum(v) over (partition by p) from parted where p > 1 group by v, p",
                "select a.v from parted a left join parted b on a.p = b.p where a.v in (select v from parted)",
                "insert into parted partition (p=4) select v from parted lateral view explode(array(1)) t as e",
                "select * from parted tablesample (1 rows) order by v limit 3",
                "select v, grouping(v) from parted group by v with rollup",
                "select 1 union all select v from parted")) {
            JsonNode json = new JsonMapper().readTree(text("explain formatted " + statement));
            assertThat(new JsonMapper().readTree(json.get("CBOPlan").asText()).get("rels"))
                    .as(statement)
                    .isNotEmpty();
            assertThat(json.get("STAGE PLANS").toString()).contains("\"operator\":\"Fragment 0");
            assertThat(new JsonMapper().readTree(text("explain formatted cbo " + statement)))
                    .hasSize(1)
                    .contains(json.get("CBOPlan"));
        }
        assertThat(text("explain formatted create table new (a int)")).startsWith("{\"STAGE PLANS\":[");
        assertThat(text("explain reoptimization select v from parted")).isEqualTo(text("explain select v from parted"));
    }

    @Test
    void locksOfTheTransaction() {
        engine.run(session, "create table acid (a int, b int) stored as orc tblproperties ('transactional'='true')");
        assertThat(text("explain locks select * from acid where a = 1"))
                .isEqualTo("LOCK INFORMATION:\ndefault.acid -> SHARED_READ");
        assertThat(text("explain locks delete from acid where a = 1")).contains("default.acid -> EXCL_WRITE");
        assertThat(text("explain locks insert overwrite table acid select v, v from parted"))
                .isEqualTo("LOCK INFORMATION:\ndefault.acid -> EXCLUSIVE");
        assertThat(text("explain locks select * from parted")).isEqualTo("LOCK INFORMATION:");
        assertThatThrownBy(() -> text("explain locks drop table acid"))
                .hasMessageContaining("statements that read or write rows");
        assertThat(engine.rows(session, "show tables like 'acid'")).containsExactly("acid");
    }

    @Test
    void vectorizationShowsThePlan() {
        assertThat(text("explain vectorization only detail select count(*) from parted where v > 1"))
                .startsWith("PLAN VECTORIZATION:\n  enabled: true\n")
                .contains("Scan default.parted");
    }
}
