package io.skep.ql.insert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.common.testing.Polling;
import io.skep.metastore.DroppedFiles;
import io.skep.metastore.Table;
import io.skep.ql.SqlSession;
import io.skep.ql.SqlStatement;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Tests writes whose client disconnects, or whose table disappears, before their rows are committed. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestInterruptedWrites {
    private TestingEngine engine;
    private SqlSession session;

    @BeforeAll
    void open() {
        engine = new TestingEngine(PlanningLimits.DEFAULT);
        session = engine.session();
    }

    @AfterAll
    void close() {
        engine.close();
    }

    private void run(String sql) {
        engine.run(session, sql);
    }

    /** Returns the error of a write when an event occurs after its compilation and before its commit. */
    private StandardErrorCode failureOf(String table, String write, Before before) {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        Table known = engine.catalog().table("default", table).orElseThrow();
        try (SqlStatement statement = session.compile(new QueryId("w_" + table), write)) {
            CompletableFuture<Void> holder = CompletableFuture.runAsync(() -> engine.commits()
                    .exclusively(List.of(known), "hold-" + table, () -> {
                        held.countDown();
                        await(released);
                        before.happens(statement, known);
                        return true;
                    }));
            await(held);
            CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> statement.run(line -> {}));
            released.countDown();
            holder.join();
            writer.join();
            throw new AssertionError("the write ended with success");
        } catch (CompletionException e) {
            if (e.getCause() instanceof SkepException failure) {
                return failure.code();
            }
            throw e;
        }
    }

    /**
     * Returns the error of a write that is ended while it waits for its table, which another statement keeps changing.
     */
    private SkepException failureWhileWaiting(String table, String write, Consumer<SqlStatement> departure) {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        Table known = engine.catalog().table("default", table).orElseThrow();
        FutureTask<Boolean> holder =
                new FutureTask<>(() -> engine.commits().exclusively(List.of(known), "hold-" + table, () -> {
                    held.countDown();
                    await(released);
                    return true;
                }));
        try (SqlStatement statement = session.compile(new QueryId("w_" + table), write)) {
            Thread.startVirtualThread(holder);
            await(held);
            FutureTask<Boolean> writer = new FutureTask<>(() -> statement.run(line -> {}), true);
            Thread thread = Thread.startVirtualThread(writer);
            Polling.await("it waits").until(() -> waitsForALock(thread) || writer.isDone());
            departure.accept(statement);
            return assertThatThrownBy(writer::get)
                    .cause()
                    .asInstanceOf(InstanceOfAssertFactories.type(SkepException.class))
                    .actual();
        } finally {
            released.countDown();
        }
    }

    private static boolean waitsForALock(Thread thread) {
        return thread.getState() == Thread.State.TIMED_WAITING
                && Arrays.stream(thread.getStackTrace())
                        .anyMatch(frame -> frame.getClassName().endsWith(".ListingLocks"));
    }

    @FunctionalInterface
    private interface Before {
        void happens(SqlStatement statement, Table table);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void assertNoStaging(String table) throws IOException {
        Path folder = Path.of(engine.location(table).substring("file:".length()));
        try (Stream<Path> found = Files.list(folder)) {
            assertThat(found.filter(path -> path.getFileName().toString().startsWith(".skep")))
                    .isEmpty();
        }
    }

    /** A1 of the review: the table was empty afterwards. */
    @Test
    void aWriteThatIsClosedBeforeItsCommitChangesNothing() throws IOException {
        run("create table a (x int) stored as orc");
        run("insert into a values (1), (2)");
        assertThat(failureOf("a", "insert overwrite table a select 9", (statement, table) -> statement.close()))
                .isEqualTo(StandardErrorCode.OPERATION_CANCELED);
        assertThat(engine.rows(session, "select x from a order by x")).containsExactly("1", "2");
        assertNoStaging("a");
    }

    @Test
    void aWriteThatIsCancelledBeforeItsCommitChangesNothing() throws IOException {
        run("create table b (x int) stored as orc");
        run("insert into b values (1)");
        SkepException reason = new SkepException(StandardErrorCode.TIME_LIMIT_EXCEEDED, "too late");
        assertThat(failureOf("b", "insert overwrite table b select 9", (statement, table) -> statement.cancel(reason)))
                .isEqualTo(StandardErrorCode.TIME_LIMIT_EXCEEDED);
        assertThat(engine.rows(session, "select x from b")).containsExactly("1");
        assertNoStaging("b");
    }

    @Test
    void aWriteThatIsCancelledWhileItWaitsForItsTableEndsAtOnce() throws IOException {
        run("create table i (x int) stored as orc");
        run("insert into i values (1)");
        SkepException reason = new SkepException(StandardErrorCode.TIME_LIMIT_EXCEEDED, "too late");
        assertThat(failureWhileWaiting("i", "insert into i select 9", statement -> statement.cancel(reason)))
                .isSameAs(reason);
        assertThat(engine.rows(session, "select x from i")).containsExactly("1");
        assertNoStaging("i");
    }

    @Test
    void aWriteThatIsClosedWhileItWaitsForItsTableEndsAtOnce() throws IOException {
        run("create table j (x int) stored as orc");
        assertThat(failureWhileWaiting("j", "insert into j select 9", SqlStatement::close)
                        .code())
                .isEqualTo(StandardErrorCode.OPERATION_CANCELED);
        assertThat(engine.rows(session, "select x from j")).isEmpty();
        assertNoStaging("j");
    }

    /** A5 of the review: the statement was successful, and its rows were nowhere. */
    @Test
    void aTableThatWasMadeAnewGetsNoRows() throws IOException {
        run("create table c (x int) stored as orc");
        assertThat(failureOf("c", "insert into c select 9", (statement, table) -> {
                    engine.catalog().dropTable("default", "c", DroppedFiles.PURGED);
                    engine.catalog().createTable(table);
                }))
                .isEqualTo(StandardErrorCode.TABLE_CHANGED);
        assertThat(engine.rows(session, "select x from c")).isEmpty();
        assertNoStaging("c");
    }

    @Test
    void aRowOfATableThatWasDroppedDoesNotComeBackWithALaterOne() {
        run("create table d (x int) stored as orc");
        assertThat(failureOf(
                        "d",
                        "insert into d select 9",
                        (statement, table) -> engine.catalog().dropTable("default", "d", DroppedFiles.PURGED)))
                .isEqualTo(StandardErrorCode.TABLE_NOT_FOUND);
        run("create table d (x int) stored as orc");
        assertThat(engine.rows(session, "select x from d")).isEmpty();
    }

    @Test
    void aTableThatWasAlteredGetsNoRows() {
        run("create table e (x int) stored as orc");
        assertThat(failureOf("e", "insert into e select 9", (statement, table) -> {
                    Table now = engine.catalog().table("default", "e").orElseThrow();
                    engine.catalog().dropTable("default", "e", DroppedFiles.KEPT);
                    engine.catalog().createTable(now.withProperties(now.properties()));
                }))
                .isEqualTo(StandardErrorCode.TABLE_CHANGED);
        assertThat(engine.rows(session, "select x from e")).isEmpty();
    }

    /** A2 of the review: a folder has the name that the next file would get. */
    @Test
    void aFolderOfAFilesNameDoesNotEndInLoss() throws IOException {
        run("create table f (x int) stored as orc");
        run("insert into f values (1)");
        Path folder = Path.of(engine.location("f").substring("file:".length()));
        Files.createDirectory(folder.resolve("000000_0_copy_1"));
        run("insert overwrite table f select 2");
        assertThat(engine.rows(session, "select x from f")).containsExactly("2");
    }

    @Test
    void severalDestinationsAreCommittedAtOnce() {
        run("create table g (x int) stored as orc");
        run("create table h (x int) stored as orc");
        assertThat(failureOf(
                        "h",
                        "from (select 1 x) s insert into table g select x insert into table h select x",
                        (statement, table) -> engine.catalog().dropTable("default", "h", DroppedFiles.PURGED)))
                .isEqualTo(StandardErrorCode.TABLE_NOT_FOUND);
        assertThat(engine.rows(session, "select x from g")).isEmpty();
    }
}
