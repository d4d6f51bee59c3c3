package io.skep.ql.reuse;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.SkepException;
import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs statements of one shape with a grid of literals. Each answers or fails as it does when it is compiled
 * separately. A trailing comment keeps a statement from having a shape.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TestPlanReuseByLiterals {
    private static final List<String> NUMBERS = List.of(
            "0",
            "1",
            "7",
            "127",
            "128",
            "300",
            "32767",
            "32768",
            "2147483647",
            "2147483648",
            "999999999999999999",
            "9223372036854775807",
            "9223372036854775808",
            "007",
            "1.5",
            "1.50",
            "0.1",
            "7.0",
            "123456789.123456789",
            "1e3",
            "1.5e300",
            "5L",
            "5S",
            "5Y",
            "3D",
            "2.5BD",
            "null",
            "true");

    private static final List<String> TEXTS = List.of(
            "''",
            "' '",
            "'a'",
            "'a '",
            "'A'",
            "'it\\'s'",
            "\"it's\"",
            "'a\"b'",
            "'é'",
            "'日本'",
            "'😀'",
            "'a''b'",
            "'a' 'b'",
            "'\\\\'",
            "'a\\nb'",
            "'%'",
            "'5'",
            "'5.0'",
            "' 7 '",
            "'x5'",
            "'1e2'",
            "'300'",
            "'NULL'",
            "'true'",
            "'a text that is longer than the column'",
            "_UTF8'a'");

    private static final List<String> TIMES = List.of(
            "'2020-02-29'",
            "'2021-02-29'",
            "'2020-2-3'",
            "'0000-00-00'",
            "'2020-02-29 10:11:12'",
            "'9999-12-31'",
            "'12345-01-01'",
            "'-0001-01-01'",
            "' 2020-02-29'",
            "'2020-02-29 10:11:12.123456789'",
            "''",
            "date '2020-02-29'",
            "date '2020-03-01'",
            "date '2021-02-30'",
            "date 'x'",
            "timestamp '2020-02-29 10:11:12'",
            "timestamp '2020-02-29 00:00:00'",
            "timestamp 'no'");

    private static final List<String> LISTS = List.of(
            "(1)",
            "(1, 2)",
            "(1, 2, 3)",
            "(7, 7, 7)",
            "(1, 1)",
            "(300)",
            "(2147483648, 1)",
            "('1')",
            "('a')",
            "('a', 'a')",
            "('a', 'b', 'é')",
            "('', 'it\\'s')",
            "('5', 'x5')",
            "(1.5)",
            "(1.5, 7.0)",
            "(1, null)",
            "(1, 'a')",
            "(1, 1.5)",
            "('2020-02-29')",
            "('2020-02-29', '2021-02-29')",
            "('2020-02-29', '2020-03-01')",
            "(date '2020-02-29')",
            "(-1, 7)",
            "('a text that is longer than the column', 'a')");

    /** The number of literals of each list to try, and the seed of their order. */
    private static final int LITERALS = Integer.getInteger("skep.reuse.literals", 8);

    private static final long SEED = Long.getLong("skep.reuse.seed", 1);

    private final TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
    private final SqlSession session = engine.session();
    private int failures;
    private int compared;

    @BeforeAll
    void makeTables() {
        engine.run(
                session,
                "create table t (n tinyint, h smallint, i int, b bigint, f float, d double, c decimal(10, 2), s string,"
                        + " v varchar(5), k char(5), t date, ts timestamp, o boolean) partitioned by (part string)");
        engine.run(
                session,
                "insert into t partition (part = 'a') values "
                        + "(1, 1, 1, 1, 1.5, 1.5, 1.5, 'a', 'a', 'a', '2020-02-29', '2020-02-29 10:11:12', true), "
                        + "(7, 7, 7, 7, 7, 7, 7, 'it\\'s', 'é', 'a', '2020-03-01', '2020-02-29 00:00:00', false)");
        engine.run(
                session,
                "insert into t partition (part = '5') values "
                        + "(127, 300, 2147483647, 2147483648, 0.1, 0.1, 0.1, '', '', '', '9999-12-31',"
                        + " '2020-02-29 10:11:12.123456789', true), (5, 5, 5, 5, 5, 5, 5, '5', '5', '5',"
                        + " '2020-02-03', null, null)");
        engine.run(
                session,
                "insert into t partition (part = 'é') values "
                        + "(null, null, null, null, null, null, null, null, null, null, null, null, null), "
                        + "(-1, -1, -1, -1, -1, -1, -1, '日本', '日本', '😀', '2020-02-28', '2020-02-29 10:11:12', true)");
    }

    @AfterAll
    void close() {
        session.close();
        engine.close();
    }

    private String outcome(String query) {
        try {
            return engine.rows(session, query).stream().sorted().collect(Collectors.joining("\n"));
        } catch (AssertionError e) {
            throw new AssertionError(query, e);
        } catch (SkepException e) {
            failures++;
            return e.code() + " " + e.position() + " " + e.getMessage();
        }
    }

    /** Compares a query's outcome with a cached plan, if there is one, and without it. */
    private void compare(String query) {
        compared++;
        String alone = outcome(query + " -- has no shape");
        assertThat(outcome(query)).as(query).isEqualTo(alone);
    }

    private void compare(Random random, String before, String operator, List<String> literals) {
        List<String> some = new ArrayList<>(literals);
        Collections.shuffle(some, random);
        for (String literal : some.subList(0, Math.min(LITERALS, some.size()))) {
            compare(before + " " + operator + " " + literal);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"n", "h", "i", "b", "f", "d", "c", "s", "v", "k", "t", "ts", "o", "part"})
    void answersAsByItself(String column) {
        Random random = new Random(SEED + column.hashCode());
        String before = "select i, " + column + " from t where " + column;
        List<String> operators = List.of("=", "<>", "<", "<=", ">", ">=", "= -", "<=>");
        for (List<String> literals : List.of(NUMBERS, TEXTS, TIMES)) {
            compare(random, before, operators.get(random.nextInt(operators.size())), literals);
        }
        compare(random, before, random.nextBoolean() ? "in" : "not in", LISTS);
        for (int i = 0; i < LITERALS; i++) {
            List<String> bounds = List.of(NUMBERS, TEXTS, TIMES).get(i % 3);
            compare(before + " between " + bounds.get(random.nextInt(bounds.size())) + " and "
                    + bounds.get(random.nextInt(bounds.size())));
        }
    }

    @Test
    void answersConditionsTogether() {
        Random random = new Random(SEED);
        for (int i = 0; i < 10 * LITERALS; i++) {
            String first = NUMBERS.get(random.nextInt(4));
            String second = NUMBERS.get(random.nextInt(4));
            String text = TEXTS.get(random.nextInt(TEXTS.size()));
            String query = switch (i % 5) {
                case 0 -> "select i from t where i = " + first + " and i = " + second;
                case 1 -> "select i from t where i > " + first + " and i < " + second;
                case 2 -> "select x.i from t x left join t y on x.i = y.i and y.s = " + text + " where y.i = " + second;
                case 3 -> "select s, count(*) from t where s = " + text + " and s <> " + text + " group by s";
                default ->
                    "select i, (select max(y.b) from t y where y.i = t.i and y.i <> " + first
                            + ") from t where part in ('a', " + text + ") or i = " + second;
            };
            compare(query);
        }
        assertThat(compared).isPositive();
    }

    @Test
    void takesAnyLimit() {
        for (String limit : List.of(
                "3",
                "1",
                "0",
                "2",
                "100",
                "2147483648",
                "9223372036854775808",
                "'1'",
                "1.5",
                "0, 2",
                "2, 0",
                "1, 2",
                "3, 1")) {
            compare("select i from t where i is not null order by i limit " + limit);
            compare("select s from t order by s limit " + limit);
        }
    }

    @Test
    void usesOnePlanForListsOfAnyLength() {
        String query = "select i from t where i in (%s) and s in (%s)";
        compare(String.format(query, "1", "'a', 'b'"));
        long hits = engine.plans().hits();
        for (int length : new int[] {2, 3, 100}) {
            String numbers =
                    IntStream.range(0, length).mapToObj(Integer::toString).collect(Collectors.joining(", "));
            String texts = IntStream.range(0, length)
                    .mapToObj(i -> i % 2 == 0 ? "'a'" : "'x" + i + "'")
                    .collect(Collectors.joining(", "));
            compare(String.format(query, numbers, texts));
            assertThat(engine.plans().hits()).as(query + length).isEqualTo(++hits);
        }
    }

    @Test
    void usesOnePlanForEachKind() {
        for (String[] pair : new String[][] {
            {"s = 'a'", "s = 'it\\'s'"},
            {"v = 'a'", "v = 'é'"},
            {"k = 'a '", "k = ''"},
            {"t >= '2020-02-29' and t < '2020-03-01'", "t >= '2019-01-01' and t < '2021-01-01'"},
            {"t = date '2020-02-29'", "t = date '2020-03-01'"},
            {"ts >= timestamp '2020-02-29 10:11:12'", "ts >= timestamp '2020-02-29 00:00:00'"},
            {"ts < '2020-02-29 10:11:12'", "ts < '2020-03-01'"},
            {"t in ('2020-02-29', '2020-03-01')", "t in ('2020-02-03')"},
            {"c between 1.5 and 6.25", "c between 0.1 and 1.50"},
            {"d < 1.75", "d < 123456.5"},
            {"n = 7", "n = 5"},
            {"i = -1", "i = -7"},
            {"part = 'a'", "part = '5'"},
            {"part <> 'a' and not s = 'x'", "part <> 'é' and not s = '5'"},
            {"i = '7'", "i = '5'"},
            {"s like 'a%' and i = 1", "s like 'a%' and i = 7"}
        }) {
            long hits = engine.plans().hits();
            compare("select count(i), max(s) from t where " + pair[0]);
            compare("select count(i), max(s) from t where " + pair[1]);
            assertThat(engine.plans().hits()).as(pair[1]).isEqualTo(hits + 1);
        }
    }

    @Test
    void findsAPlanAgainAfterAValueThatHadNone() {
        String query = "select i from t where t = '%s' and n < %s";
        compare(String.format(query, "2020-02-30", "300"));
        compare(String.format(query, "2020-02-29", "5"));
        long hits = engine.plans().hits();
        compare(String.format(query, "2020-03-01", "8"));
        assertThat(engine.plans().hits()).isEqualTo(hits + 1);
        compare(String.format(query, "2020-02-30", "300"));
        compare(String.format(query, "2020-02-03", "6"));
        assertThat(engine.plans().hits()).isEqualTo(hits + 2);
    }

    @Test
    void saysWhatIsWrongWithThisStatement() {
        compare("select i from t where t = date '2020-02-29' and i > 5");
        String wrong = "select i from t where t = date '2020-02-30' and i > 5";
        int before = failures;
        compare(wrong);
        assertThat(failures).isEqualTo(before + 2);
        assertThat(outcome(wrong)).contains("1:" + wrong.indexOf("date '"));
    }
}
