package io.skep.ql.optimize;

import static io.skep.ql.testing.RelFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.skep.ql.testing.RelFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which queries are answered from materialized views, and which must not be. */
final class TestMaterializedViewRewriting {
    private final RelFixture rels = new RelFixture()
            .table("sales", "item int, shop int, day date, amount decimal(10,2), pieces int, f double", 1_000_000)
            .table("shops", "id int, city string", 1_000)
            .table("items", "id int, name string", 10_000)
            .materializedView(
                    "daily",
                    "select item, shop, day, sum(amount) s, count(*) c, min(pieces) lo, max(pieces) hi, avg(f) a,"
                            + " count(pieces) cp from sales where day > '2020-01-01' group by item, shop, day",
                    10_000)
            .materializedView(
                    "by_city",
                    "select city, item, pieces, amount, shop from sales join shops on shop = id where pieces > 5",
                    5_000);

    private String algebra(String sql) {
        return text(rels.optimized(sql));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // The same groups, fewer columns, a condition on top, other names.
                "select item, shop, day, sum(amount), count(*) from sales where day > '2020-01-01'"
                        + " group by item, shop, day",
                "select item x, day, shop, sum(amount) * 2 from sales where day > '2020-06-01' and item = 7"
                        + " group by item, day, shop",
                "select shop, item, day, avg(f) from sales where day > '2020-01-01' group by item, shop, day",
                // Larger groups.
                "select shop, sum(amount), count(*), min(pieces), max(pieces) from sales where day > '2020-01-01'"
                        + " group by shop",
                "select count(*), sum(amount) from sales where day > '2020-01-01'",
                "select shop, count(pieces) from sales where day > '2021-01-01' group by shop having count(*) > 1",
                "select year(day), sum(amount) from sales where day > '2020-01-01' group by year(day)",
                "select distinct shop from sales where day > '2020-01-01'",
                // The rest of the query goes on.
                "select t.shop, t.s, i.name from (select shop, item, sum(amount) s from sales"
                        + " where day > '2020-01-01' group by shop, item) t join items i on t.item = i.id",
                "select shop, sum(amount) from sales where day > '2020-01-01' group by shop"
                        + " union all select id, 0 from shops",
                // A dimension that the view lacks.
                "select city, sum(amount) from sales join shops on shop = id where day > '2020-01-01' group by city",
            })
    void theAggregateAnswers(String sql) {
        assertThat(algebra(sql)).contains("daily").doesNotContain("[default, sales]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select city, amount from shops join sales on id = shop where pieces > 5",
                "select city, amount from sales, shops where id = shop and pieces > 10 and city = 'Ulm'",
                "select city, sum(amount) from shops join sales on id = shop where pieces > 6 group by city",
                "select name, amount from sales, shops, items where shops.id = shop and pieces > 5 and items.id = item",
            })
    void theJoinAnswers(String sql) {
        assertThat(algebra(sql)).contains("by_city").doesNotContain("[default, sales]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Rows that the view lacks.
                "select shop, sum(amount) from sales group by shop",
                "select shop, sum(amount) from sales where day > '2019-01-01' group by shop",
                "select shop, sum(amount) from sales where day >= '2020-01-01' group by shop",
                "select city, amount from shops left join sales on id = shop and pieces > 5",
                "select city, amount from shops join sales on id = shop where pieces > 5 or pieces is null",
                // Columns and functions that it lacks.
                "select pieces, count(*) from sales where day > '2020-01-01' group by pieces",
                "select shop, sum(amount) from sales where day > '2020-01-01' and f > 1 group by shop",
                "select shop, sum(pieces) from sales where day > '2020-01-01' group by shop",
                "select shop, max(amount) from sales where day > '2020-01-01' group by shop",
                "select shop, count(distinct amount) from sales where day > '2020-01-01' group by shop",
                "select shop, stddev(amount) from sales where day > '2020-01-01' group by shop",
                "select shop, sum(amount) filter_less from (select shop, amount + 1 amount, day from sales) s"
                        + " where day > '2020-01-01' group by shop",
                // An average of averages is none.
                "select shop, avg(f) from sales where day > '2020-01-01' group by shop",
                "select shop, item, sum(amount) from sales where day > '2020-01-01' group by shop, item"
                        + " grouping sets ((shop), (item))",
            })
    void noViewAnswers(String sql) {
        assertThat(algebra(sql)).contains("[default, sales]").doesNotContain("daily", "by_city");
    }

    /** Both have two keys, but those of the query are one column of the view, whose groups are smaller. */
    @Test
    void equalKeysAreOneKey() {
        RelFixture pairs = new RelFixture()
                .table("t", "a int, b int, c int", 1_000)
                .table("u", "b int", 10)
                .materializedView("v", "select t.a, c, count(*) n from t join u on t.a = u.b group by t.a, c", 10);
        assertThat(text(pairs.optimized("select t.a, u.b, count(*) from t join u on t.a = u.b group by t.a, u.b")))
                .contains("[default, t]");
        assertThat(text(pairs.optimized("select u.b, count(*) from t join u on t.a = u.b group by u.b")))
                .contains("[default, v]");
    }

    /** The rules compare values as conditions, for which NULL and FALSE are the same. */
    @Test
    void nullIsNotFalse() {
        RelFixture flags = new RelFixture()
                .table("t", "a boolean, n int", 1_000)
                .materializedView("v", "select a, count(*) n from t group by a", 3);
        assertThat(text(flags.optimized("select a, count(*) from t group by a")))
                .contains("[default, v]");
        assertThat(text(flags.optimized("select a is true, count(*) from t group by a is true")))
                .contains("[default, t]");
        assertThat(text(flags.optimized("select count(*) from t where a is true")))
                .contains("[default, v]");
    }

    /** The rules tell functions from each other by kinds, and most have none. */
    @Test
    void otherFunctionsAreNotTheSame() {
        RelFixture fixture = new RelFixture()
                .table("t", "a int, f double", 1_000)
                .materializedView("v", "select a, stddev(f) d, variance(f) w from t group by a", 10);
        assertThat(text(fixture.optimized("select a, variance(f) from t group by a")))
                .contains("[default, t]");
    }

    /** A sample has other rows than the table, and than another sample. */
    @Test
    void samplesAreNotTheTable() {
        RelFixture fixture = new RelFixture()
                .table("t", "a int, n int", 1_000_000)
                .materializedView("whole", "select a, count(*) c from t group by a", 10)
                .materializedView("part", "select n, count(*) c from t tablesample (5 percent) group by n", 10);
        for (String sample : new String[] {"5 percent", "10 percent", "100M", "7 rows"}) {
            for (String key : new String[] {"a", "n"}) {
                String sql = "select " + key + ", count(*) from t tablesample (" + sample + ") group by " + key;
                assertThat(text(fixture.optimized(sql)))
                        .contains("[default, t, ")
                        .doesNotContain("whole", "part");
            }
        }
        assertThat(text(fixture.optimized("select a, count(*) from t group by a")))
                .contains("[default, whole]");
        assertThat(text(fixture.optimized("select n, count(*) from t group by n")))
                .contains("[default, t]");
    }

    /** A view that is larger than what it replaces is of no use. */
    @Test
    void theFewestRowsAreRead() {
        RelFixture sizes = new RelFixture()
                .table("t", "a int, b int, v int", 1_000)
                .materializedView("large", "select a, b, count(*) n from t group by a, b", 2_000)
                .materializedView("medium", "select a, b, count(*) n, sum(v) s from t group by a, b", 500)
                .materializedView("small", "select a, count(*) n from t group by a", 10);
        assertThat(text(sizes.optimized("select a, count(*) from t group by a")))
                .contains("small");
        assertThat(text(sizes.optimized("select a, b, count(*) from t group by a, b")))
                .contains("medium");
        assertThat(text(sizes.optimized("select b, count(*) from t group by b")))
                .contains("medium");
    }
}
