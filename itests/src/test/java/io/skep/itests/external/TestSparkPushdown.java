package io.skep.itests.external;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What Spark leaves to the server, beside what Spark computes from the same rows in its own memory: nulls, NaN, spaces,
 * quotes, variables, digits below the microsecond, least and greatest values.
 */
@ExtendWith(SharedSpark.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
final class TestSparkPushdown {
    private static final String SKEP = "skep.default.tricky";

    /** Predicates that the server evaluates. */
    private static final List<String> PUSHED = List.of(
            "i = 1",
            "i <> 1",
            "i < 0",
            "NOT i >= 1",
            "l >= 1",
            "l = 9223372036854775807",
            "t <= 0Y",
            "t IN (1Y, 127Y)",
            "i IN (0, 1, 2147483647)",
            "i NOT IN (0, 1)",
            "i <=> 1",
            "x = ''",
            "x <> ''",
            "x > 'a'",
            "x <= 'it''s'",
            "x <=> 'it\\'s'",
            "x = 'a\\nb'",
            "x = concat('$', '{system:user.name}\\\\')",
            "x IN ('', 'ä😀', 'it\\'s')",
            "x < 'ä'",
            "x LIKE 'a%'",
            "x LIKE '%b'",
            "contains(x, '\\n')",
            "startswith(x, 'it\\'')",
            "endswith(x, '😀')",
            "contains(x, concat('$', '{'))",
            "v = 'a'",
            "v = 'a '",
            "v < 'ab'",
            "v > 'ab'",
            "v LIKE 'a%'",
            "endswith(v, ' ')",
            "v IN ('a', 'ab ')",
            "dt = DATE '0001-01-01'",
            "dt > DATE '1970-01-01'",
            "dt IN (DATE '9999-12-31', DATE '2020-02-29')",
            "p = 1.50",
            "p > 1.49",
            "p <= 0",
            "p IN (1.5, -0.01)",
            "b",
            "NOT b",
            "b <=> false",
            "x IS NULL",
            "d IS NOT NULL",
            "i < id",
            "ts = TIMESTAMP '1970-01-01 00:00:00'",
            "ts <> TIMESTAMP '1970-01-01 00:00:00'",
            "ts < TIMESTAMP '1970-01-01 00:00:00.000001'",
            "ts <= TIMESTAMP '1970-01-01 00:00:00.000001'",
            "ts > TIMESTAMP '1970-01-01 00:00:00'",
            "ts >= TIMESTAMP '1970-01-01 00:00:00.000001'",
            "ts > TIMESTAMP '1969-12-31 23:59:59.999998'",
            "(i = 1 OR x IS NULL) AND NOT (v = 'B')");

    /** Predicates that Spark evaluates. */
    private static final List<String> NOT_PUSHED = List.of(
            "d > 1.0",
            "d = double('NaN')",
            "d = 0.0",
            "c = 'a'",
            "c = 'a    '",
            "c > 'a'",
            "i = -2147483648",
            "l = -9223372036854775808",
            "x LIKE '100\\%%'",
            "contains(x, '_')",
            "contains(x, '\\\\')",
            "x = v",
            "i = l",
            "length(x) > 2",
            "ts <=> TIMESTAMP '1970-01-01 00:00:00'",
            "ts = TIMESTAMP '9999-12-31 23:59:59.999999'",
            "d > 1.0 OR i = 1");

    /** Aggregates that the server computes. */
    private static final List<String> AGGREGATES = List.of(
            "count(*), count(i), count(d)",
            "min(t), max(t), min(i), max(i), min(l), max(l)",
            "min(x), max(x), min(v), max(v)",
            "min(dt), max(dt), min(p), max(p)",
            "sum(t), sum(i), sum(p)",
            "count(DISTINCT x)",
            "avg(i)");

    /** Aggregates that Spark computes. */
    private static final List<String> OTHER_AGGREGATES = List.of(
            "max(d)",
            "min(c)",
            "min(ts), max(ts)",
            "sum(d)",
            "sum(DISTINCT i)",
            "count(DISTINCT ts)",
            "try_sum(l)",
            "count(c)",
            "count(*) FILTER (WHERE d > 1)");

    private static final List<String> GROUPS = List.of("x", "v", "i", "dt", "p", "c", "ts", "d", "x, i", "length(x)");

    private SparkSite site;

    @BeforeAll
    void open(SparkSite shared) throws Exception {
        site = shared;
        site.run(
                "create table tricky (id int, t tinyint, i int, l bigint, d double, x string, v varchar(5), c char(5),"
                        + " dt date, ts timestamp, p decimal(10,2), b boolean) stored as orc",
                "insert into tricky select 0, null, null, null, null, null, null, null, null, null, null, null",
                row("1, -128Y, -2147483647 - 1, -9223372036854775807L - 1L, cast('NaN' as double), '', 'a', 'a',"
                        + " date '0001-01-01', timestamp '1969-12-31 23:59:59.999999999', -0.01, true"),
                row("2, 0Y, 0, 0L, 0.0D, 'it\\'s', 'a ', 'a ', date '1970-01-01',"
                        + " timestamp '1970-01-01 00:00:00.000000500', 0.00, false"),
                row("3, 1Y, 1, 1L, -0.0D, 'a\\nb', 'ab', 'ab', date '1970-01-02',"
                        + " timestamp '1970-01-01 00:00:00.000001', 1.50, true"),
                row("4, 127Y, 2147483647, 9223372036854775807L, cast('Infinity' as double), '100%_', 'ab ', ' a',"
                        + " date '9999-12-31', timestamp '9999-12-31 23:59:59.999999', 99999999.99, false"),
                row("5, 1Y, 1, 9223372036854775807L, 1.5D, '$\\u007bsystem:user.name}\\\\', 'B', 'B',"
                        + " date '2020-02-29', timestamp '1970-01-01 00:00:00', 1.49, null"),
                row("6, 1Y, 7, 7L, -1.5D, 'ä😀', 'ä', 'ä', date '2020-03-01',"
                        + " timestamp '1970-01-01 00:00:00.0000019', 1.51, true"),
                "grant select on table tricky to user ann");
        // Spark's pruning of its own batches does not know NaN.
        site.spark().run("SET spark.sql.inMemoryColumnarStorage.partitionPruning=false");
        site.spark().run("CACHE TABLE local AS SELECT *, 1 AS more FROM " + SKEP);
    }

    private static String row(String values) {
        return "insert into tricky select " + values;
    }

    @Test
    void predicatesOfTheServerHoldForTheSameRows() throws Exception {
        assertThat(serverRows(PUSHED)).isEqualTo(localRows(PUSHED));
        assertThat(plan(union(PUSHED))).doesNotContain("Filter ");
    }

    @Test
    void otherPredicatesAreThoseOfSpark() throws Exception {
        assertThat(serverRows(NOT_PUSHED)).isEqualTo(localRows(NOT_PUSHED));
        assertThat(count(plan(union(NOT_PUSHED)), "Filter ")).isEqualTo(NOT_PUSHED.size());
    }

    /** Returns one query for all predicates: a predicate's position and a row's. */
    private static String union(List<String> predicates) {
        return IntStream.range(0, predicates.size())
                .mapToObj(i -> "SELECT " + i + ", id FROM " + SKEP + " WHERE " + predicates.get(i))
                .collect(Collectors.joining(" UNION ALL "));
    }

    private Map<String, List<String>> serverRows(List<String> predicates) throws IOException {
        List<List<String>> rows = none(predicates);
        for (String row : site.spark().run(union(predicates))) {
            String[] values = row.split("\t");
            rows.get(Integer.parseInt(values[0])).add(values[1]);
        }
        return named(predicates, rows);
    }

    /** Returns what Spark computes from the rows in its memory. */
    private Map<String, List<String>> localRows(List<String> predicates) throws IOException {
        List<List<String>> rows = none(predicates);
        for (String row : site.spark().run("SELECT id, " + String.join(", ", predicates) + " FROM local")) {
            String[] values = row.split("\t");
            for (int i = 0; i < predicates.size(); i++) {
                if (values[i + 1].equals("true")) {
                    rows.get(i).add(values[0]);
                }
            }
        }
        return named(predicates, rows);
    }

    private static List<List<String>> none(List<String> predicates) {
        List<List<String>> rows = new ArrayList<>();
        predicates.forEach(predicate -> rows.add(new ArrayList<>()));
        return rows;
    }

    private static Map<String, List<String>> named(List<String> predicates, List<List<String>> rows) {
        Map<String, List<String>> named = new LinkedHashMap<>();
        for (int i = 0; i < predicates.size(); i++) {
            named.put(predicates.get(i), rows.get(i).stream().sorted().toList());
        }
        return named;
    }

    @Test
    void aggregatesOfTheServerAreThoseOfSpark() throws Exception {
        List<String> queries = new ArrayList<>();
        for (String functions : AGGREGATES) {
            for (String rest : List.of("", " WHERE id < 0", " WHERE id < 5 GROUP BY i")) {
                queries.add("SELECT to_json(struct(" + functions + ")) FROM %s" + rest);
            }
        }
        assertThat(answers(queries, SKEP)).isEqualTo(answers(queries, "local"));
        assertThat(plan(union(queries, SKEP))).doesNotContain("Aggregate(");
    }

    @Test
    void otherAggregatesAreThoseOfSpark() throws Exception {
        List<String> queries = OTHER_AGGREGATES.stream()
                .map(functions -> "SELECT to_json(struct(" + functions + ")) FROM %s")
                .toList();
        assertThat(answers(queries, SKEP)).isEqualTo(answers(queries, "local"));
        assertThat(plan(union(queries, SKEP)).split("BatchScan"))
                .hasSize(queries.size() + 1)
                .allSatisfy(scan -> assertThat(scan).doesNotContain("SELECT count", "SELECT max", "SELECT sum"));
    }

    @Test
    void groupsAreThoseOfSpark() throws Exception {
        List<String> queries = GROUPS.stream()
                .map(keys -> "SELECT to_json(struct(" + keys + ", count(*), max(id))) FROM %s GROUP BY " + keys)
                .toList();
        assertThat(answers(queries, SKEP)).isEqualTo(answers(queries, "local"));
    }

    private static String union(List<String> queries, String table) {
        return IntStream.range(0, queries.size())
                .mapToObj(i -> "SELECT " + i + ", * FROM (" + queries.get(i).formatted(table) + ")")
                .collect(Collectors.joining(" UNION ALL "));
    }

    /** Returns the rows of each query, as a text of its position and its values. */
    private List<String> answers(List<String> queries, String table) throws IOException {
        return site.spark().run(union(queries, table)).stream().sorted().toList();
    }

    /** HiveQL's sums of integers wrap around, and try_sum has the same form as sum in Spark's interface. */
    @Test
    void aSumThatDoesNotFitIsAnError() throws Exception {
        for (String table : List.of(SKEP, "local")) {
            assertThat(site.spark().error("SELECT sum(l) FROM " + table + " WHERE id > 3"))
                    .as(table)
                    .containsAnyOf("ARITHMETIC_OVERFLOW", "CAST_OVERFLOW");
        }
    }

    private String plan(String query) throws IOException {
        return String.join("\n", site.spark().run("EXPLAIN " + query));
    }

    private static long count(String text, String part) {
        return text.split(Pattern.quote(part), -1).length - 1L;
    }
}
