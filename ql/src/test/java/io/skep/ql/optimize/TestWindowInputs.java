package io.skep.ql.optimize;

import static io.skep.ql.testing.RelFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.skep.ql.testing.RelFixture;
import org.junit.jupiter.api.Test;

/** Windows read the columns that they and the operators above them need. */
final class TestWindowInputs {
    private final RelFixture rels = new RelFixture()
            .table("t", "a int, b string, c bigint, d string, e double", 1_000)
            .table("u", "a int, f string, g string", 1_000);

    private String algebra(String sql) {
        return text(rels.optimized(sql));
    }

    @Test
    void otherColumnsAreNotRead() {
        assertThat(algebra("select c, row_number() over (order by a) n from t"))
                .contains("LogicalProject(a=[$0], c=[$2])")
                .contains("order by [0]");
    }

    @Test
    void columnsThatConditionsBehindTheWindowNeedAreKept() {
        assertThat(algebra("select n from (select b, d, e, sum(c) over (partition by a order by c) n from t) q"
                        + " where n < 3 and b > 'x'"))
                .contains("LogicalProject(a=[$0], b=[$1], c=[$2])");
    }

    @Test
    void aWindowMayNeedNoColumn() {
        assertThat(algebra("select count(*) over () n from t")).contains("LogicalProject(zero=[0])");
    }

    @Test
    void aboveJoinsToo() {
        assertThat(algebra("select rank() over (partition by t.b order by f) r from t join u on t.a = u.a"))
                .contains("LogicalProject(a=[$0], b=[$1])", "LogicalProject(a=[$0], f=[$1])")
                .contains("LogicalProject(b=[$1], f=[$3])");
    }

    @Test
    void whereAllColumnsAreNeededNothingIsAdded() {
        assertThat(algebra("select a, f, g, lag(g) over (order by a) l from (select a, f, g from u) q"))
                .containsOnlyOnce("LogicalWindow");
    }
}
