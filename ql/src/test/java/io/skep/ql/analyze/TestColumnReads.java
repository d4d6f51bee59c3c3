package io.skep.ql.analyze;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.ql.testing.AnalysisFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which columns queries read. */
final class TestColumnReads {
    private static AnalysisFixture fixture() {
        AnalysisFixture fixture = new AnalysisFixture();
        fixture.table("default", "t", "a int, b int, c int");
        fixture.table("default", "u", "a int, x int, y int");
        fixture.view("default", "v", "a int, d int", "select `t`.`a`, `t`.`b` + `t`.`c` as `d` from `default`.`t`");
        fixture.view("default", "w", "a int, d int", "select `v`.`a`, `v`.`d` from `default`.`v`");
        fixture.view("default", "copy", "a int, b int, c int", "select * from `default`.`t`");
        return fixture;
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "select a from t | t(a)",
                "select * from t | t(a, b, c)",
                "select count(*) from t | t()",
                "select 1 from t | t()",
                "select count(b) from t | t(b)",
                "select a from t where b > 1 | t(a, b)",
                "select a from t order by c | t(a, c)",
                "select a, sum(b) from t group by a having max(c) > 1 | t(a, b, c)",
                "select a from t group by a, b | t(a, b)",
                "select a from t distribute by b sort by c | t(a, b, c)",
                "select rank() over (partition by a order by b) from t | t(a, b)",
                "select a from (select * from t) s | t(a)",
                "select a from (select a, b from t) s | t(a)",
                "select a from (select a, b + 1 as d from t) s | t(a, b)",
                "with s as (select * from t) select a from s | t(a)",
                "select t.a from t join u on t.b = u.x | t(a, b) u(x)",
                "select * from t join u using (a) | t(a, b, c) u(a, x, y)",
                "select t.a from t left semi join u on t.a = u.y | t(a) u(y)",
                "select t.a from t, u where t.b = u.x | t(a, b) u(x)",
                "select a from t union all select x from u | t(a) u(x)",
                "select a from t union select x from u | t(a) u(x)",
                "select a from (select a, b from t union all select a, x from u) s | t(a) u(a)",
                "select a from (select a, b from t union select a, x from u) s | t(a, b) u(a, x)",
                "select a from t where b in (select x from u) | t(a, b) u(x)",
                "select a from t where exists (select 1 from u where u.x = t.b) | t(a, b) u(x)",
                "select a from t where not exists (select y from u where u.x = t.b) | t(a, b) u(x, y)",
                "select a, (select max(y) from u where u.x = t.c) from t | t(a, c) u(x, y)",
                "select input__file__name from t | t(input__file__name)",
                "select a from t limit 3 | t(a)",
                "select a from t tablesample (10 rows) | t(a)",
                "select a from v | v(a)",
                "select d from v | v(d)",
                "select count(*) from v | v()",
                "select * from w | w(a, d)",
                "select b from copy | copy(b)",
                "select v.a from v join t on v.d = t.c | t(c) v(a, d)",
                "select a from v tablesample (10 rows) | v(a)",
                "select a from t where a in (select d from v) | t(a) v(d)",
                "select a from (select v.*, t.b from v join t on v.a = t.a) s | t(a) v(a)",
                "from t insert into u select a, b, 1 insert into u select 1, 2, c | t(a, b, c)",
                "select 1 | ''",
            })
    void ofQueries(String query, String reads) {
        AnalysisFixture fixture = fixture();
        fixture.inserts(query);
        assertThat(String.join(" ", fixture.reads()).replace("default.", "")).isEqualTo(reads);
    }

    @Test
    void ofLateralViews() {
        AnalysisFixture fixture = fixture();
        fixture.analyze("select a, e from t1 lateral view explode(arr) x as e");
        assertThat(fixture.reads()).containsExactly("default.t1(a, arr)");
    }

    @Test
    void ofSharedCommonTables() {
        AnalysisFixture fixture = fixture();
        fixture.analyze("with s as (select * from t) select x.a, y.b from s x join s y on x.a = y.a");
        assertThat(fixture.reads()).containsExactly("default.t(a, b)");
    }

    @Test
    void ofSetOperations() {
        AnalysisFixture fixture = fixture();
        fixture.analyze("select a from t union all select x from u");
        assertThat(fixture.reads()).containsExactly("default.t(a)", "default.u(x)");
    }
}
