package io.skep.ql.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestPreparedQueries {
    private final TestingEngine engine = TestingEngine.authorized(PlanningLimits.DEFAULT);
    private final SqlSession admin = engine.session("root");
    private SqlSession session = admin;

    @BeforeAll
    void start() {
        engine.run(admin, "set role admin");
        engine.run(admin, "create table t (i int, s string, d date, n decimal(10,2)) partitioned by (p string)");
        engine.run(
                admin,
                "insert into t partition (p) values (1, 'a', '2020-01-01', 1.5, 'x'), (2, 'b', '2021-01-01', 2.5, 'x'),"
                        + " (3, 'c', null, 3.5, 'y')");
    }

    @AfterAll
    void stop() {
        admin.close();
        engine.close();
    }

    @BeforeEach
    void open() {
        session = engine.session("root");
    }

    private List<String> rows(String sql) {
        return engine.rows(session, sql);
    }

    private void run(String sql) {
        engine.run(session, sql);
    }

    @Test
    void valuesTakeThePlacesOfParameters() {
        run("prepare q from select i, s from t where i > ? and s <> ? order by i");
        assertThat(rows("execute q using 1, 'c'")).containsExactly("2 | b");
        assertThat(rows("execute q using 0, 'b'")).containsExactly("1 | a", "3 | c");
        assertThat(rows("execute q using '1', 'x'")).containsExactly("2 | b", "3 | c");
    }

    @Test
    void parametersMayStandWhereConstantsMay() {
        run("prepare q from select ? + i, concat(s, ?) from t where d = ? and n < ? and p in (?, ?)");
        assertThat(rows("execute q using 10, '!', '2020-01-01', 2.0, 'x', 'z'")).containsExactly("11 | a!");
        run("prepare h from select p, count(*) c from t group by p having c > ?"
                + " union all select ?, 0 from t where i = ?");
        assertThat(rows("execute h using 1, 'none', 3")).containsExactlyInAnyOrder("x | 2", "none | 0");
    }

    @Test
    void partitionsArePruned() {
        run("prepare q from select i from t where p = ?");
        assertThat(rows("explain execute q using 'y'")).anyMatch(line -> line.contains("partitions where"));
        assertThat(rows("execute q using 'y'")).containsExactly("3");
    }

    @Test
    void namesAreOfTheSession() {
        run("prepare q from select i from t where i = ?");
        assertThatThrownBy(() -> run("prepare q from select 1"))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("Prepare query: q already exists.");
        SqlSession other = engine.session("root");
        assertThatThrownBy(() -> engine.run(other, "execute q using 1"))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("No existing plan found for the execute statement");
        engine.run(other, "prepare q from select 5");
        engine.run(other, "prepare Q from select 6");
    }

    @Test
    void errorsHaveTheirPlaces() {
        assertThatThrownBy(() -> run("prepare q from select i from nope where i = ?"))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.TABLE_NOT_FOUND));
        assertThatThrownBy(() -> run("prepare q from select nope from t where i = ?"))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.COLUMN_NOT_FOUND));
        run("prepare q from select i from t where i = ?");
        assertThatThrownBy(() -> run("execute q using 1, 2"))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("has 1 parameters, and USING has 2 values");
        assertThat(rows("execute q using 2")).containsExactly("2");
    }

    @Test
    void writesCanBePrepared() {
        run("set role admin");
        run("create table w (i int)");
        run("prepare ins from from t insert into w select i + ? where i < ?");
        run("execute ins using 100, 3");
        assertThat(rows("select i from w order by i")).containsExactly("101", "102");
    }

    @Test
    void executeNeedsTheRightsOfTheQuery() {
        engine.run(admin, "grant select on t to user ann");
        SqlSession ann = engine.session("ann");
        engine.run(ann, "prepare q from select i from t where i = ?");
        assertThat(engine.rows(ann, "execute q using 1")).containsExactly("1");
        engine.run(admin, "revoke select on t from user ann");
        assertThatThrownBy(() -> engine.run(ann, "execute q using 1"))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.ACCESS_DENIED));
    }
}
