package io.skep.ql.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.testing.Sampling;
import io.skep.metastore.Catalog;
import io.skep.metastore.transaction.LockFilter;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Writes to transactional tables whose file system fails at one step of many ({@link Sampling}), once or for good. A
 * statement that fails has changed nothing, and one that succeeds everything.
 */
final class TestFailedTransactionalWrites {
    private static final int NEVER = Integer.MAX_VALUE;

    /** One in this number of steps fails. */
    private static final int STRIDE = 5;

    /** The number of changes of files that still work. */
    private final AtomicInteger working = new AtomicInteger(NEVER);

    private volatile boolean isOutage;

    private volatile boolean breaksJournals;

    private final TestingEngine engine =
            new TestingEngine(PlanningLimits.DEFAULT, UnaryOperator.identity(), this::faulty, this::breaking);
    private final SqlSession session = engine.session();

    private TableFiles faulty(TableFiles files) {
        return (TableFiles) Proxy.newProxyInstance(
                TableFiles.class.getClassLoader(), new Class<?>[] {TableFiles.class}, (_, method, arguments) -> {
                    if (method.getReturnType() == void.class) {
                        step(method.getName());
                    }
                    return call(files, method, arguments);
                });
    }

    private Catalog breaking(Catalog catalog) {
        return (Catalog) Proxy.newProxyInstance(
                Catalog.class.getClassLoader(), new Class<?>[] {Catalog.class}, (_, method, arguments) -> {
                    Object answer = call(catalog, method, arguments);
                    if (breaksJournals && List.of("alterTable", "recordWrite").contains(method.getName())) {
                        breakJournals();
                    }
                    return answer;
                });
    }

    /** Replaces journals by folders, which the server cannot delete. */
    private void breakJournals() throws IOException {
        for (Path journal : journals()) {
            Files.delete(journal);
            Files.createFile(Files.createDirectory(journal).resolve("file"));
        }
    }

    private List<Path> journals() throws IOException {
        try (Stream<Path> found = Files.list(engine.data().resolve("commits"))) {
            return found.filter(path -> path.toString().endsWith(".commit")).toList();
        }
    }

    private void step(String name) {
        int left = working.getAndUpdate(count -> count == NEVER || count < 0 ? count : count - 1);
        if (left == 0 || left < 0 && isOutage) {
            throw new SkepException(StandardErrorCode.FILE_SYSTEM_ERROR, "injected into " + name);
        }
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    @AfterEach
    void close() {
        session.close();
        engine.close();
    }

    private List<String> rows(String query) {
        return engine.rows(session, query);
    }

    private long filesOfData() throws IOException {
        try (Stream<Path> found = Files.walk(engine.folder("p"))) {
            return found.filter(Files::isRegularFile)
                    .filter(path -> path.getFileName().toString().startsWith("bucket_"))
                    .filter(path -> !path.toString().contains("/."))
                    .count();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "insert into p values (10, 'x'), (11, 'y'), (12, 'z')",
                "insert overwrite table p partition (d) select a + 10, d from p",
                "update p set a = a + 10",
                "delete from p where a > 1",
                "merge into p using s on p.a = s.b when matched and s.b = 1 then delete"
                        + " when matched then update set a = 20 when not matched then insert values (s.b, 'w')"
            })
    void changeAllOrNothing(String statement) throws IOException {
        engine.run(session, "create table s (b int) stored as orc");
        engine.run(session, "insert into s values (1), (2), (30)");
        // Outages are tried with one statement, to keep the test short.
        for (boolean outage : statement.startsWith("merge") ? List.of(false, true) : List.of(false)) {
            int step = statement.length() % Sampling.stride(STRIDE);
            while (fails(statement, step, outage)) {
                step += Sampling.stride(STRIDE);
            }
            assertThat(step).as("steps of " + statement).isGreaterThanOrEqualTo(5);
        }
    }

    @Test
    void anInsertWhoseJournalCannotBeDeletedHasSucceeded() throws IOException {
        engine.run(session, "create table t (a int) stored as orc tblproperties ('transactional'='true')");
        breaksJournals = true;
        engine.run(session, "insert into t values (1), (2)");
        breaksJournals = false;
        List<Path> broken = journals();
        assertThat(broken).hasSize(1).allSatisfy(journal -> assertThat(journal).isDirectory());
        for (Path journal : broken) {
            Files.delete(journal.resolve("file"));
            Files.delete(journal);
        }
        assertThat(rows("select a from t order by a")).containsExactly("1", "2");
        engine.run(session, "insert into t values (3)");
        assertThat(rows("select a from t order by a")).containsExactly("1", "2", "3");
        assertThat(journals()).isEmpty();
    }

    /** Returns whether the statement reaches the step, at which it fails. */
    private boolean fails(String statement, int step, boolean outage) throws IOException {
        engine.run(session, "drop table if exists p");
        engine.run(
                session,
                "create table p (a int) partitioned by (d string) stored as orc"
                        + " tblproperties ('transactional'='true')");
        engine.run(session, "insert into p values (1, 'x'), (2, 'y')");
        List<String> before = rows("select a, d from p order by a, d");
        long files = filesOfData();
        boolean hasFailed = false;
        working.set(step);
        isOutage = outage;
        try {
            engine.run(session, statement);
        } catch (SkepException e) {
            hasFailed = true;
        }
        boolean isReached = working.get() < 0;
        working.set(NEVER);
        List<String> after = rows("select a, d from p order by a, d");
        if (hasFailed) {
            assertThat(after).as("failed at step " + step).isEqualTo(before);
            if (!outage) {
                assertThat(filesOfData()).as("failed at step " + step).isEqualTo(files);
            }
        } else {
            assertThat(after).as("succeeded with a failure at step " + step).isNotEqualTo(before);
        }
        assertThat(engine.transactions().store().transactions()).noneMatch(transaction -> !transaction.isAborted());
        assertThat(engine.transactions().store().locks(LockFilter.ALL)).isEmpty();
        engine.run(session, "insert into p values (99, 'later')");
        assertThat(rows("select a from p where d = 'later'")).containsExactly("99");
        return isReached;
    }
}
