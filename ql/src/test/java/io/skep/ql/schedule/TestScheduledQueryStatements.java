package io.skep.ql.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.schedule.ScheduledQuery;
import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what statements about scheduled queries store. Nothing is executed. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestScheduledQueryStatements {
    private TestingEngine engine;
    private SqlSession session;

    @BeforeAll
    void open() {
        engine = new TestingEngine(PlanningLimits.DEFAULT);
        session = engine.session("alice");
        engine.run(session, "CREATE DATABASE d");
        engine.run(session, "CREATE TABLE d.t (a INT, b INT)");
        engine.run(session, "CREATE TABLE d.s (a INT, b INT) PARTITIONED BY (p INT)");
        engine.run(session, "CREATE TABLE d.x (a INT, b INT) STORED AS ORC TBLPROPERTIES ('transactional'='true')");
        engine.run(session, "CREATE VIEW d.v AS SELECT a FROM d.t");
        engine.run(session, "USE d");
    }

    @AfterAll
    void close() {
        session.close();
        engine.close();
    }

    private Optional<ScheduledQuery> find(String name) {
        return engine.schedules().find("hive", name);
    }

    private void refused(String sql, StandardErrorCode code) {
        assertThatThrownBy(() -> engine.run(session, sql))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "select * from t | select `t`.`a`, `t`.`b` from `d`.`t`",
                "insert into t select a, b from s where p = 1 |"
                        + " insert into `d`.`t` select `s`.`a`, `s`.`b` from `d`.`s` where `s`.`p` = 1",
                "insert into t values (1, 2), (3, 4) | insert into `d`.`t` values (1, 2), (3, 4)",
                "from t insert into s partition (p=1) select a, b insert overwrite table t select b, a |"
                        + " from `d`.`t` insert into `d`.`s` partition (p=1) select `t`.`a`, `t`.`b`"
                        + " insert overwrite table `d`.`t` select `t`.`b`, `t`.`a`",
                "with q as (select * from t) select * from q |"
                        + " with q as (select `t`.`a`, `t`.`b` from `d`.`t`) select `q`.`a`, `q`.`b` from q",
                "with t as (select 1 a, 2 b) insert into t select * from t |"
                        + " with t as (select 1 `a`, 2 `b`) insert into `d`.`t` select `t`.`a`, `t`.`b` from t",
                "create table n as select * from t | create table `d`.`n` as select `t`.`a`, `t`.`b` from `d`.`t`",
                "create view w as select * from v | create view `d`.`w` as select `v`.`a` from `d`.`v`",
                "create table n like t | create table `d`.`n` like `d`.`t`",
                "update x set a = 1 where b in (select b from s) |"
                        + " update `d`.`x` set a = 1 where b in (select b from `d`.`s`)",
                "merge into x using s on x.a = s.a when matched then delete |"
                        + " merge into `d`.`x` using `d`.`s` on x.a = s.a when matched then delete",
                "analyze table t compute statistics for columns | analyze table `d`.`t` compute statistics for columns",
                "alter table t rename to u | alter table `d`.`t` rename to `d`.`u`",
                "msck repair table s | msck repair table `d`.`s`",
                "truncate table t | truncate table `d`.`t`",
                "drop table if exists d.t | drop table if exists d.t"
            })
    void textsMeanTheSameInTheDatabaseDefault(String statement, String stored) {
        engine.run(session, "CREATE SCHEDULED QUERY text EVERY DAY AS " + statement);
        try {
            assertThat(find("text").orElseThrow().statement()).isEqualTo(stored);
            try (SqlSession elsewhere = engine.session("alice")) {
                engine.run(elsewhere, "EXPLAIN " + stored);
            }
        } finally {
            engine.run(session, "DROP SCHEDULED QUERY text");
        }
    }

    /** The statement names a table only by the current database. */
    @Test
    void whatWouldMeanSomethingElseIsRefused() {
        refused("CREATE SCHEDULED QUERY r EVERY DAY AS SHOW TABLES", StandardErrorCode.NOT_SUPPORTED);
        refused("CREATE SCHEDULED QUERY r EVERY DAY AS EXPLAIN SELECT * FROM t", StandardErrorCode.NOT_SUPPORTED);
        try (SqlSession ofDefault = engine.session("alice")) {
            engine.run(ofDefault, "CREATE SCHEDULED QUERY r EVERY DAY AS SHOW TABLES");
            assertThat(find("r").orElseThrow().statement()).isEqualTo("SHOW TABLES");
            engine.run(ofDefault, "DROP SCHEDULED QUERY r");
        }
    }

    @Test
    void clausesAndDefaultsAreKept() {
        engine.run(
                session,
                "CREATE SCHEDULED QUERY `Q 1` CRON '0 0 0 1 * ? 2030' EXECUTED AS 'alice' DISABLE AS SELECT 1");
        assertThat(find("Q 1"))
                .contains(new ScheduledQuery("hive", "Q 1", false, "0 0 0 1 * ? 2030", "alice", "SELECT 1"));
        engine.run(session, "ALTER SCHEDULED QUERY `Q 1` ENABLE");
        engine.run(session, "ALTER SCHEDULED QUERY `Q 1` EVERY 2 HOURS");
        engine.run(session, "ALTER SCHEDULED QUERY `Q 1` DEFINED AS SELECT a FROM t");
        engine.run(session, "ALTER SCHEDULED QUERY `Q 1` EXECUTED AS 'alice'");
        assertThat(find("Q 1"))
                .contains(new ScheduledQuery(
                        "hive", "Q 1", true, "0 0 */2 * * ? *", "alice", "SELECT `t`.`a` FROM `d`.`t`"));
        engine.run(session, "ALTER SCHEDULED QUERY `Q 1` EXECUTE");
        assertThat(engine.schedules().poll("hive").orElseThrow().name()).isEqualTo("Q 1");
        engine.run(session, "DROP SCHEDULED QUERY `Q 1`");
        assertThat(find("Q 1")).isEmpty();
    }

    @Test
    void settingsDecideNamespaceAndState() {
        try (SqlSession other = engine.session("alice")) {
            engine.run(other, "SET hive.scheduled.queries.namespace=elsewhere");
            engine.run(other, "SET hive.scheduled.queries.create.as.enabled=false");
            engine.run(other, "CREATE SCHEDULED QUERY s EVERY DAY AS SELECT 1");
            assertThat(find("s")).isEmpty();
            assertThat(engine.schedules().find("elsewhere", "s").orElseThrow().enabled())
                    .isFalse();
            refused("DROP SCHEDULED QUERY s", StandardErrorCode.SCHEDULED_QUERY_NOT_FOUND);
            engine.run(other, "DROP SCHEDULED QUERY s");
        }
    }

    @Test
    void mistakesShowWhenItIsCreated() {
        refused("CREATE SCHEDULED QUERY m EVERY DAY AS SELECT * FROM nothere", StandardErrorCode.TABLE_NOT_FOUND);
        refused("CREATE SCHEDULED QUERY m EVERY DAY AS SELECT c FROM t", StandardErrorCode.COLUMN_NOT_FOUND);
        refused("CREATE SCHEDULED QUERY m CRON 'often' AS SELECT 1", StandardErrorCode.INVALID_ARGUMENT);
        refused(
                "CREATE SCHEDULED QUERY m EVERY DAY AS SELECT '" + "x".repeat(4000) + "'",
                StandardErrorCode.INVALID_ARGUMENT);
        assertThat(find("m")).isEmpty();
        engine.run(session, "CREATE SCHEDULED QUERY m EVERY DAY AS SELECT 1");
        refused("CREATE SCHEDULED QUERY m EVERY DAY AS SELECT 2", StandardErrorCode.SCHEDULED_QUERY_EXISTS);
        engine.run(session, "DROP SCHEDULED QUERY m");
    }

    /** As in Hive, when the authorizer does not decide about scheduled queries. */
    @Test
    void onlyOwnersChangeThem() {
        refused("CREATE SCHEDULED QUERY o EVERY DAY EXECUTED AS 'bob' AS SELECT 1", StandardErrorCode.ACCESS_DENIED);
        engine.run(session, "CREATE SCHEDULED QUERY o EVERY DAY AS SELECT 1");
        refused("ALTER SCHEDULED QUERY o EXECUTED AS 'bob'", StandardErrorCode.ACCESS_DENIED);
        try (SqlSession bob = engine.session("bob")) {
            for (String change : new String[] {
                "ALTER SCHEDULED QUERY o EXECUTED AS 'bob'",
                "ALTER SCHEDULED QUERY o EXECUTE",
                "ALTER SCHEDULED QUERY o AS SELECT 2",
                "DROP SCHEDULED QUERY o"
            }) {
                assertThatThrownBy(() -> engine.run(bob, change))
                        .isInstanceOfSatisfying(
                                SkepException.class,
                                e -> assertThat(e.code()).isEqualTo(StandardErrorCode.ACCESS_DENIED));
            }
        }
        engine.run(session, "DROP SCHEDULED QUERY o");
    }
}
