package io.skep.ql.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.testing.Sampling;
import io.skep.metastore.Catalog;
import io.skep.metastore.transaction.ListedTransaction;
import io.skep.metastore.transaction.LockFilter;
import io.skep.metastore.transaction.TransactionStore;
import io.skep.ql.SqlSession;
import io.skep.ql.commit.TableFiles;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Fails each change of files and of the catalog that statements on transactional tables make, one in each run, before
 * or after it is made, or aborts their transaction at that point. The rows are then those of before or those of after,
 * a statement that has succeeded has the latter, and the statement can be run again.
 */
final class TestTransactionalFailures {
    private static final String FULL = " stored as orc tblproperties ('transactional'='true')";
    private static final int MOST_STEPS = 100;

    /** One in this number of steps fails. */
    private static final int STRIDE = 5;

    private final Faults faults = new Faults();
    private final TestingEngine engine =
            new TestingEngine(PlanningLimits.DEFAULT, UnaryOperator.identity(), faults::files, faults::catalog);
    private final SqlSession session = engine.session();

    @TempDir
    private Path outside;

    /** What happens at a change. */
    private enum Fault {
        FAILS_BEFORE,
        FAILS_AFTER,
        /** Others abort the transaction before the change. */
        ABORTED
    }

    /** Counts changes, and lets one of them fail. */
    private final class Faults {
        private int left = -1;
        private Fault fault = Fault.FAILS_BEFORE;

        void arm(int step, Fault what) {
            left = step;
            fault = what;
        }

        /** @return whether the change was reached */
        boolean disarm() {
            boolean isReached = left < 0;
            left = -1;
            return isReached;
        }

        TableFiles files(TableFiles inner) {
            return wrapped(TableFiles.class, inner);
        }

        Catalog catalog(Catalog inner) {
            return wrapped(Catalog.class, inner);
        }

        private <T> T wrapped(Class<T> type, T inner) {
            return type.cast(Proxy.newProxyInstance(
                    type.getClassLoader(),
                    new Class<?>[] {type},
                    (proxy, method, arguments) ->
                            isChange(method) ? change(inner, method, arguments) : call(inner, method, arguments)));
        }

        private boolean isChange(Method method) {
            return method.getReturnType() == void.class
                    && !method.getName().matches("(invalidate|refresh|force|close).*");
        }

        private Object change(Object inner, Method method, Object[] arguments) throws Throwable {
            boolean isFailing = left == 0;
            left = left < 0 ? left : left - 1;
            if (isFailing && fault == Fault.FAILS_BEFORE) {
                throw failure(method);
            }
            if (isFailing && fault == Fault.ABORTED) {
                abortAll();
            }
            Object result = call(inner, method, arguments);
            if (isFailing && fault == Fault.FAILS_AFTER) {
                throw failure(method);
            }
            return result;
        }

        private SkepException failure(Method method) {
            return new SkepException(StandardErrorCode.METASTORE_ERROR, "injected into " + method.getName());
        }

        private Object call(Object inner, Method method, Object[] arguments) throws Throwable {
            try {
                return method.invoke(inner, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }
    }

    private void abortAll() {
        store().abortAll(store().transactions().stream()
                .filter(transaction -> !transaction.isAborted())
                .map(ListedTransaction::id)
                .toList());
    }

    @AfterEach
    void close() {
        session.close();
        engine.close();
    }

    private void run(String statement) {
        engine.run(session, statement);
    }

    private List<String> rows(String query) {
        return engine.rows(session, query).stream()
                .map(row -> row.replace(" | ", "|"))
                .toList();
    }

    private static Stream<Arguments> statements() {
        String twoRows = "select a from %s order by a";
        return Stream.of(
                Arguments.of("truncate table %s", FULL, twoRows, List.of("1", "2"), List.of()),
                Arguments.of(
                        "load data inpath '%in' into table %s",
                        FULL, twoRows, List.of("1", "2"), List.of("1", "1", "2", "2")),
                Arguments.of(
                        "load data inpath '%in' overwrite into table %s",
                        FULL, twoRows, List.of("1", "2"), List.of("1", "2")),
                Arguments.of(
                        "alter table %s set tblproperties ('transactional'='true')",
                        " stored as orc", twoRows, List.of("1", "2"), List.of("1", "2")),
                Arguments.of(
                        "alter table %s set tblproperties"
                                + " ('transactional'='true', 'transactional_properties'='insert_only')",
                        " stored as textfile", twoRows, List.of("1", "2"), List.of("1", "2")),
                Arguments.of(
                        "alter table %s drop partition (d='x')",
                        " partitioned by (d string)" + FULL, twoRows, List.of("1", "2"), List.of("2")),
                Arguments.of(
                        "truncate table %s",
                        " partitioned by (d string)" + FULL, twoRows, List.of("1", "2"), List.of()),
                Arguments.of(
                        "load data inpath '%in' into table %s partition (d='w')",
                        " partitioned by (d string)" + FULL, twoRows, List.of("1", "2"), List.of("1", "1", "2", "2")),
                Arguments.of(
                        "alter table %s add partition (d='w') location '%in'",
                        " partitioned by (d string)" + FULL, twoRows, List.of("1", "2"), List.of("1", "1", "2", "2")),
                Arguments.of(
                        "alter table %s partition (d='x') rename to partition (d='w')",
                        " partitioned by (d string)" + FULL,
                        "select a, d from %s order by a",
                        List.of("1|x", "2|y"),
                        List.of("1|w", "2|y")));
    }

    @ParameterizedTest
    @MethodSource("statements")
    void oldRowsOrNewRows(String statement, String clauses, String query, List<String> before, List<String> after)
            throws IOException {
        run("create table plain (a int) stored as orc");
        run("insert into plain values (1),(2)");
        for (Fault fault : Fault.values()) {
            boolean isReached = true;
            int first = (statement.length() + fault.ordinal()) % Sampling.stride(STRIDE);
            for (int step = first; isReached && step < MOST_STEPS; step += Sampling.stride(STRIDE)) {
                String table = "t" + step + fault;
                isReached = fails(statement, clauses, table, step, fault);
                String asked = query.formatted(table);
                if (isReached) {
                    assertThat(rows(asked)).as("step %s of %s", step, statement).isIn(before, after);
                } else {
                    assertThat(rows(asked)).as(statement).isEqualTo(after);
                }
                if (rows(asked).equals(before) && !before.equals(after)) {
                    run(statement(statement, table));
                    assertThat(rows(asked))
                            .as("after step %s of %s", step, statement)
                            .isEqualTo(after);
                }
                assertThat(store().transactions()).noneMatch(transaction -> !transaction.isAborted());
                assertThat(store().locks(LockFilter.ALL)).isEmpty();
            }
            assertThat(isReached).isFalse();
        }
    }

    /** @return whether the step was reached */
    private boolean fails(String statement, String clauses, String table, int step, Fault fault) throws IOException {
        run("create table " + table + " (a int)" + clauses);
        run(
                clauses.contains("partitioned")
                        ? "insert into " + table + " partition (d) values (1,'x'),(2,'y')"
                        : "insert into " + table + " values (1),(2)");
        Path in = Files.createDirectories(outside.resolve("in-" + table));
        Files.copy(engine.folder("plain").resolve("000000_0"), in.resolve("000000_0"));
        faults.arm(step, fault);
        try {
            run(statement(statement, table));
        } catch (SkepException e) {
            if (fault != Fault.ABORTED) {
                assertThat(e.fullMessage()).contains("injected");
            }
        }
        return faults.disarm();
    }

    private String statement(String statement, String table) {
        return statement
                .replace("%in", outside.resolve("in-" + table).toString())
                .formatted(table);
    }

    private TransactionStore store() {
        return engine.transactions().store();
    }
}
