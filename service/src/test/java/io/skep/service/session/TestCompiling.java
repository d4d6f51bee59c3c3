package io.skep.service.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.config.SettingsReader;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.testing.Polling;
import io.skep.ql.execution.CompileConfig;
import io.skep.ql.execution.QueryState;
import io.skep.service.audit.AuditLog;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests statements whose compilation never finishes. They are visible, limited and cancelled, and do not block other
 * statements.
 */
@Timeout(120)
final class TestCompiling {
    private static final Executor CLIENTS = client -> Thread.ofVirtual().start(client);

    private final TestingSqlEngine engine = new TestingSqlEngine();
    private final InstantSource clock = InstantSource.system();
    private final OperationHistory history = new OperationHistory(clock);
    private ClientSessions sessions = sessions(Optional.empty(), 100);

    private ClientSessions sessions(Optional<Duration> limit, int threads) {
        return new ClientSessions(
                engine,
                SessionConfig.of(new SettingsReader(Map.of())),
                new CompileConfig(threads, 50, limit),
                history,
                AuditLog.NONE,
                clock,
                clock);
    }

    @AfterEach
    void close() {
        sessions.close();
        engine.endSpinning();
        await("all statements are closed", () -> engine.openStatements() == 0);
    }

    private ClientSession open() {
        return sessions.open("ann", "here", Map.of());
    }

    private static CompletableFuture<Operation> execute(ClientSession session, String text) {
        return CompletableFuture.supplyAsync(() -> session.execute(text, true), CLIENTS);
    }

    private static void await(String what, BooleanSupplier condition) {
        Polling.await(what).until(condition::getAsBoolean);
    }

    private static StandardErrorCode failure(CompletableFuture<Operation> execution) {
        try {
            Operation operation = execution.orTimeout(60, TimeUnit.SECONDS).join();
            throw new AssertionError(operation.text() + " was compiled");
        } catch (CompletionException e) {
            if (e.getCause() instanceof SkepException failure) {
                return failure.code();
            }
            throw e;
        }
    }

    @Test
    void aStatementThatCompilesIsSeenAndCancelledWithItsSession() {
        ClientSession session = open();
        CompletableFuture<Operation> spinning = execute(session, "spin");
        await("it compiles", () -> engine.spinning() == 1);
        await(
                "it is seen to compile",
                () -> history.running().stream().anyMatch(entry -> entry.state().equals(QueryState.COMPILING.name())));
        assertThat(history.running()).singleElement().satisfies(entry -> {
            assertThat(entry.text()).isEqualTo("spin");
            assertThat(entry.state()).isEqualTo(QueryState.COMPILING.name());
        });
        assertThat(session.operations()).hasSize(1);
        sessions.cancelAll(session.id(), "its client has gone");
        assertThat(failure(spinning)).isEqualTo(StandardErrorCode.OPERATION_CANCELED);
        await("its thread has heard of it", () -> engine.spinning() == 0);
        assertThat(session.operations()).isEmpty();
        assertThat(history.ended().getFirst().state()).isEqualTo(QueryState.CANCELLED.name());
        assertThat(session.execute("rows 5", false).fetch(10).rowCount()).isEqualTo(5);
    }

    @Test
    void aCompilationThatDoesNotListenIsCancelledToo() {
        ClientSession session = open();
        CompletableFuture<Operation> deaf = execute(session, "spin deaf");
        await("it compiles", () -> engine.spinning() == 1);
        session.close();
        assertThat(failure(deaf)).isEqualTo(StandardErrorCode.OPERATION_CANCELED);
        assertThat(engine.spinning()).as("the thread is still at work").isEqualTo(1);
        engine.endSpinning();
        await("what it made is closed", () -> engine.spinning() == 0 && engine.openStatements() == 0);
    }

    @Test
    void aQuerysTimeLimitCountsFromItsArrival() {
        ClientSession session = open();
        assertThatThrownBy(() -> session.execute("spin", true, Duration.ofMillis(50)))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(StandardErrorCode.TIME_LIMIT_EXCEEDED));
        assertThat(history.ended().getFirst().state()).isEqualTo(QueryState.TIMED_OUT.name());
    }

    @Test
    void compilationHasALimitOfItsOwn() {
        sessions.close();
        sessions = sessions(Optional.of(Duration.ofMillis(50)), 100);
        ClientSession session = open();
        assertThatThrownBy(() -> session.execute("spin", true)).isInstanceOfSatisfying(SkepException.class, e -> {
            assertThat(e.code()).isEqualTo(StandardErrorCode.TIME_LIMIT_EXCEEDED);
            assertThat(e.fullMessage()).contains("skep.compile.time-limit");
        });
    }

    @Test
    void aBystanderIsServedWhileTwiceAsManyAsCoresCompileForEver() {
        int stuck = 2 * Math.max(2, Runtime.getRuntime().availableProcessors());
        List<CompletableFuture<Operation>> spinning = new ArrayList<>();
        for (int i = 0; i < stuck; i++) {
            spinning.add(execute(open(), "spin deaf"));
        }
        await("all compile", () -> engine.spinning() == stuck);
        ClientSession bystander = open();
        for (int i = 0; i < 20; i++) {
            Operation operation = bystander.execute("rows 5", false);
            assertThat(operation.fetch(10).rowCount()).isEqualTo(5);
            bystander.close(operation.id());
        }
        assertThat(spinning).noneMatch(CompletableFuture::isDone);
        // A compilation is counted until shortly after its statement is there.
        await("only the others compile", () -> sessions.compiling().compiling() == stuck);
        engine.endSpinning();
        spinning.forEach(execution -> execution.orTimeout(60, TimeUnit.SECONDS).join());
    }

    @Test
    void statementsWaitWhenAllThreadsAreTakenAndAreCancelledThere() {
        sessions.close();
        sessions = sessions(Optional.empty(), 1);
        CompletableFuture<Operation> first = execute(open(), "spin");
        await("the only thread is taken", () -> engine.spinning() == 1);
        ClientSession other = open();
        CompletableFuture<Operation> second = execute(other, "rows 5");
        await("the second waits", () -> sessions.compiling().waiting() == 1);
        other.cancelAll("its client has gone");
        assertThat(failure(second)).isEqualTo(StandardErrorCode.OPERATION_CANCELED);
        CompletableFuture<Operation> third = execute(other, "rows 5");
        engine.endSpinning();
        assertThat(third.orTimeout(60, TimeUnit.SECONDS).join().await(Duration.ofSeconds(60)))
                .isTrue();
        first.join();
    }

    @Test
    void moreThanMayWaitAreRefused() {
        sessions.close();
        sessions = sessions(Optional.empty(), 1);
        List<CompletableFuture<Operation>> all = new ArrayList<>();
        all.add(execute(open(), "spin"));
        await("the only thread is taken", () -> engine.spinning() == 1);
        for (int i = 0; i < 50; i++) {
            all.add(execute(open(), "rows 5"));
        }
        await("as many wait as may", () -> sessions.compiling().waiting() == 50);
        assertThatThrownBy(() -> open().execute("rows 5", true))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.QUEUE_FULL));
        engine.endSpinning();
        all.forEach(execution -> execution.orTimeout(60, TimeUnit.SECONDS).join());
    }

    @Test
    void aCommitIsNeitherCancelledNorShownAsCancelled() {
        ClientSession session = open();
        Operation kept = session.execute("commit", true);
        Operation closed = session.execute("commit", true);
        await("both commit", () -> Stream.of(kept, closed).allMatch(op -> op.state() == QueryState.COMMITTING));
        kept.cancel("its user does not want it");
        kept.timeOut(Duration.ofSeconds(1));
        session.close(closed.id());
        assertThat(kept.state()).isEqualTo(QueryState.COMMITTING);
        assertThat(history.ended()).as("nobody knows how it ends").isEmpty();
        engine.endSpinning();
        assertThat(kept.await(Duration.ofSeconds(60))).isTrue();
        assertThat(kept.failure()).isEmpty();
        await("its end is known", () -> history.ended().size() == 1);
        assertThat(history.ended().getFirst().state()).isNotEqualTo(QueryState.CANCELLED.name());
    }

    @Test
    void anOperationThatFailsToCloseLeavesNoOtherOpen() {
        ClientSession session = open();
        session.execute("badclose 1", false);
        session.execute("rows 5", false);
        session.execute("wait", true);
        session.execute("badclose 2", false);
        session.close();
        await("all are closed", () -> engine.openStatements() == 0 && engine.openSessions() == 0);
    }

    @Test
    void closingWhatDoesNotEndKeepsNobodyWaiting() {
        ClientSession session = open();
        Operation stuck = session.execute("stuckclose", false);
        long begin = System.nanoTime();
        assertThat(session.close(stuck.id())).isTrue();
        session.close();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(20));
        assertThat(engine.openStatements()).isEqualTo(1);
        engine.endSpinning();
        await("it is closed in the background", () -> engine.openStatements() == 0);
    }
}
