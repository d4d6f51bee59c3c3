package io.skep.ql.physical;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.engine.plan.PlanNode;
import io.skep.ql.testing.RelFixture;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that scans below lateral views read only the columns that are used. */
class TestTrimmedColumns {
    private final RelFixture fixture = new RelFixture()
            .table("t", "id int, a array<int>, aa array<array<int>>, m map<string,int>, j string, s string")
            .table("u", "id int, name string, note string");

    private List<String> read(String table, String sql) {
        PlanNode.Scan scan = PlanNodes.scan(table, fixture.planned(sql));
        return IntStream.range(0, scan.request().columns().size())
                .mapToObj(column -> PlanNodes.column(scan, column))
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "select id, x from t lateral view explode(a) e as x | id a",
                "select x from t lateral view explode(a) e as x | a",
                "select id, x from t lateral view outer explode(a) e as x where s = 'q' | id a s",
                "select id from t lateral view explode(array(1, 2)) e as x | id",
                "select id, k from t lateral view explode(m) e as k, v | id m",
                "select p from t lateral view json_tuple(j, 'p', 'q') e as p, q where id > 2 | id j",
                "select x, y from t lateral view explode(a) e as x lateral view explode(m) f as y, z | a m",
                "select y from t lateral view explode(aa) e as x lateral view outer explode(x) f as y | aa",
                "select y from (select m, x from t lateral view explode(a) e as x) q lateral view explode(m) f as y, z"
                        + " | a m",
                "select x, count(*) from t lateral view explode(a) e as x group by x | a",
                "select x, row_number() over (partition by x order by s) from t lateral view explode(a) e as x | a s",
                "select * from t lateral view explode(a) e as x | id a aa m j s"
            })
    void onlyUsedColumnsAreRead(String sql, String columns) {
        assertThat(read("t", sql)).containsExactlyInAnyOrder(columns.split(" "));
    }

    @Test
    void joinsBelowAndAboveLateralViewsAreTrimmed() {
        String above = "select u.name, x from t lateral view explode(a) e as x join u on t.id = u.id";
        assertThat(read("t", above)).containsExactlyInAnyOrder("id", "a");
        assertThat(read("u", above)).containsExactlyInAnyOrder("id", "name");
        String below = "select x from (select t.id, t.a, t.s, u.name from t join u on t.id = u.id) q"
                + " lateral view explode(a) e as x";
        assertThat(read("t", below)).containsExactlyInAnyOrder("id", "a");
        assertThat(read("u", below)).containsExactlyInAnyOrder("id");
    }
}
