package io.skep.ql.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.ErrorKind;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.common.testing.Bystander;
import io.skep.common.testing.Polling;
import io.skep.common.vector.Batch;
import io.skep.ql.ResultStream;
import io.skep.ql.SqlSession;
import io.skep.ql.SqlStatement;
import io.skep.ql.execution.Compilation;
import io.skep.ql.execution.CompileConfig;
import io.skep.ql.execution.CompilePool;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests statements of the sizes that programs generate. Each returns its rows, or is rejected with a remedy. Its
 * compilation ends when it is cancelled at any time. {@code -Dskep.large.full=true} tests the sizes that are promised
 * and prints their times.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestLargeStatements {
    private static final boolean FULL = Boolean.getBoolean("skep.large.full");

    /** Guards against compilations that never end; one that takes this time has failed. */
    private static final Duration PATIENCE = Duration.ofMinutes(FULL ? 3 : 1);

    private static final int REFUSED = -1;
    private static final int CANCELLATIONS = FULL ? 8 : 2;

    private final TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
    private final SqlSession session = engine.session();
    private final CompilePool pool = new CompilePool(new CompileConfig(1, 10, Optional.empty()));

    /** @param rows the number of its rows, or {@link #REFUSED} */
    record Large(String name, String text, int rows) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static int size(int promised) {
        return FULL ? promised : Math.max(100, promised / 10);
    }

    private static String repeat(int count, String separator, IntFunction<String> part) {
        return IntStream.range(0, count).mapToObj(part).collect(Collectors.joining(separator));
    }

    static Stream<Large> statements() {
        return Stream.of(conditions(), shapes(), unions(), texts()).flatMap(Function.identity());
    }

    private static Stream<Large> conditions() {
        int many = size(10_000);
        String in = repeat(size(1_000_000), ", ", i -> Integer.toString(i * 3));
        String text = repeat(size(100_000), ", ", i -> "'" + i * 3 + "'");
        String nested = repeat(size(3_000), "", i -> "case when a = " + (i + 5) + " then " + i + " else ");
        String ends = repeat(size(3_000), "", _ -> " end");
        return Stream.of(
                new Large("in", "select a from t where a in (" + in + ")", 1),
                new Large("not in", "select a from t where a not in (" + in + ")", 2),
                new Large("in texts", "select a from t where cast(a as string) in (" + text + ")", 1),
                new Large("or", "select a from t where " + repeat(many, " or ", i -> "a = " + i), 3),
                new Large(
                        "or of and",
                        "select 1 from t where " + repeat(many, " or ", i -> "(a = " + i + " and b > 9)"),
                        0),
                new Large(
                        "or of ranges",
                        "select a from t where "
                                + repeat(many, " or ", i -> "a between " + i * 10 + " and " + (i * 10 + 3)),
                        3),
                new Large("and", "select a from t where " + repeat(many, " and ", i -> "a <> " + (i + 100)), 3),
                new Large("nested case", "select " + nested + "0" + ends + " from t", 3));
    }

    private static Stream<Large> shapes() {
        int columns = size(10_000);
        String joins = repeat(100, "", i -> " join t t" + (i + 1) + " on t" + i + ".a = t" + (i + 1) + ".a");
        return Stream.of(
                new Large("joins", "select t0.a from t t0" + joins, 3),
                new Large("columns", "select " + repeat(columns, ", ", i -> "a + " + i) + " from t", 3),
                new Large(
                        "table",
                        "create table w" + columns + " (" + repeat(columns, ", ", i -> "c" + i + " int") + ")",
                        0),
                new Large(
                        "table of a query",
                        "create table q" + columns + " stored as orc as select "
                                + repeat(columns, ", ", i -> i + " as c" + i),
                        0));
    }

    private static Stream<Large> unions() {
        int branches = size(1_000);
        String all = " union all ";
        String constants = repeat(branches, all, i -> "select " + i + " as n from t");
        String filters = repeat(branches, all, i -> "select a as n from t where b > " + i);
        return Stream.of(
                new Large("union all", filters, 6),
                new Large("union", repeat(branches, " union ", i -> "select " + i + " as a"), branches),
                new Large("union of tables", repeat(branches, " union ", i -> "select a from t where b > " + i), 3),
                new Large("union of constants", repeat(branches, all, i -> "select " + i), branches),
                new Large("filtered union", "select * from (" + constants + ") u where n = 7", 3),
                new Large("filtered union of filters", "select * from (" + filters + ") u where n = 2", 2));
    }

    private static Stream<Large> texts() {
        int many = size(1_000_000);
        int huge = size(100_000_000);
        return Stream.of(
                new Large("long text", "select length('" + "x".repeat(huge) + "')", FULL ? REFUSED : 1),
                new Large("long comment", "select 1 -- " + "x".repeat(huge), 1),
                new Large("comments", "select " + "/* x */".repeat(many) + " 1", 1),
                new Large("spaces", "select 1" + " ".repeat(huge) + "+ 1", 1),
                new Large("name", "select " + "x".repeat(many) + " from t", REFUSED),
                new Large("parentheses", "select " + "(".repeat(many / 10) + "1" + ")".repeat(many / 10), REFUSED),
                new Large(
                        "late error",
                        "select a from t where a in (" + repeat(many, ", ", Integer::toString) + ") )",
                        REFUSED),
                new Large("no statement", "'".repeat(many + 1), REFUSED));
    }

    @BeforeAll
    void create() {
        engine.run(session, "create table t (a int, b int) stored as orc");
        engine.run(session, "insert into t values (1, 1), (2, 2), (3, 3)");
    }

    @AfterAll
    void close() {
        pool.close();
        session.close();
        engine.close();
    }

    @ParameterizedTest
    @MethodSource("statements")
    void givesItsRowsOrIsRefused(Large large) throws Exception {
        long start = System.nanoTime();
        int rows;
        try (SqlSession other = engine.session();
                Bystander _ = new Bystander(() -> engine.rows(other, "select 1"));
                SqlStatement statement = compile(large, new CountDownLatch(1))
                        .result()
                        .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            print(large, "compiled in", start);
            statement.run(_ -> {});
            rows = statement.schema().isPresent() ? count(statement.results()) : 0;
        } catch (ExecutionException e) {
            assertThat(e.getCause()).isInstanceOfSatisfying(SkepException.class, refusal -> {
                assertThat(refusal.code().kind()).isNotEqualTo(ErrorKind.INTERNAL);
                print(large, "refused with " + refusal.code() + " in", start);
            });
            rows = REFUSED;
        }
        assertThat(rows).isEqualTo(large.rows());
    }

    /** Cancels a compilation at different points: first before it has read anything, then after some time. */
    @ParameterizedTest
    @MethodSource("statements")
    void endsWhenItIsCancelled(Large large) throws Exception {
        for (int i = 0; i < CANCELLATIONS; i++) {
            CountDownLatch begun = new CountDownLatch(1);
            Compilation<SqlStatement> compilation = compile(large, begun);
            begun.await();
            try {
                compilation
                        .result()
                        .get(i * (FULL ? 300L : 30L), TimeUnit.MILLISECONDS)
                        .close();
            } catch (TimeoutException | ExecutionException e) {
                // It is still compiling, or has been rejected.
            }
            long start = System.nanoTime();
            compilation.cancel(new SkepException(StandardErrorCode.OPERATION_CANCELED, "its client has gone"));
            Polling.await("it ends").atMost(PATIENCE).until(() -> pool.stats().compiling() == 0);
            print(large, "cancelled in", start);
        }
    }

    private Compilation<SqlStatement> compile(Large large, CountDownLatch begun) {
        return pool.submit(
                this,
                () -> {
                    begun.countDown();
                    return session.compile(new QueryId("large"), large.text());
                },
                SqlStatement::close);
    }

    private static int count(ResultStream results) {
        int rows = 0;
        for (Optional<Batch> batch = results.next(); batch.isPresent(); batch = results.next()) {
            rows += batch.get().rowCount();
        }
        return rows;
    }

    private static void print(Large large, String what, long start) {
        if (FULL) {
            System.out.printf("%s: %s %d ms%n", large, what, (System.nanoTime() - start) / 1_000_000);
        }
    }
}
