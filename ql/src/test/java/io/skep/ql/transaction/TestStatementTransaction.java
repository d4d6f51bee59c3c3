package io.skep.ql.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.config.KnownSettings;
import io.skep.common.config.Property;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.testing.Polling;
import io.skep.metastore.Table;
import io.skep.metastore.testing.TestingMetastore;
import io.skep.metastore.transaction.DataOperation;
import io.skep.metastore.transaction.ListedTransaction;
import io.skep.metastore.transaction.LockComponent;
import io.skep.metastore.transaction.LockFilter;
import io.skep.metastore.transaction.LockKind;
import io.skep.metastore.transaction.TransactionConfig;
import io.skep.metastore.transaction.TransactionKind;
import io.skep.metastore.transaction.TransactionOwner;
import io.skep.metastore.transaction.TransactionStore;
import io.skep.ql.session.SessionSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hive.conf.HiveConf;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestStatementTransaction {
    private static final TransactionConfig CONFIG =
            new TransactionConfig(Duration.ofMinutes(5), Duration.ofMinutes(1), Duration.ofMinutes(1));

    private final AtomicInteger tables = new AtomicInteger();
    private final List<SkepException> cancellations = new ArrayList<>();
    private final TransactionSettings settings = settings(Map.of());
    private TestingMetastore metastore;
    private TransactionStore store;
    private StatementTransactions transactions;

    @BeforeAll
    void open() {
        metastore = TestingMetastore.open();
        store = metastore.metastore().transactions();
        transactions = new StatementTransactions(store, CONFIG, "host");
    }

    @AfterAll
    void close() {
        transactions.close();
        metastore.close();
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("transaction-") || name.startsWith("metastore-transaction"));
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(openTransactions()).isEmpty();
        assertThat(store.locks(LockFilter.ALL)).isEmpty();
        assertThat(transactions.active()).isZero();
        assertThat(cancellations).isEmpty();
    }

    private static TransactionSettings settings(Map<String, String> server) {
        return TransactionSettings.of(new SessionSettings(KnownSettings.NONE, server));
    }

    private List<Long> openTransactions() {
        return store.transactions().stream()
                .filter(one -> !one.isAborted())
                .map(ListedTransaction::id)
                .toList();
    }

    private Table newTable() {
        return TransactionalTable.named("t" + tables.incrementAndGet());
    }

    private StatementTransaction begin(TableUse... uses) {
        return begin(transactions, uses);
    }

    private StatementTransaction begin(StatementTransactions server, TableUse... uses) {
        return server.begin("alice", "query", List.of(uses), settings, cancellations::add);
    }

    /** Returns a server whose calls are intercepted. */
    private StatementTransactions intercepted(InterceptedTransactions interception) {
        return new StatementTransactions(InterceptedTransactions.of(store, interception), CONFIG, "host");
    }

    private static void fails(StandardErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void whatIsCommittedIsSeenByLaterStatements() {
        Table table = newTable();
        StatementTransaction before = begin(TableUse.of(table, TableAccess.READ));
        StatementTransaction writer = begin(TableUse.of(table, TableAccess.INSERT));
        assertThat(writer.writeId(table)).isEqualTo(1);
        assertThat(writer.snapshot(table).isWriteIdValid(1)).as("its own rows").isTrue();
        writer.commit();
        writer.abort();
        assertThat(before.snapshot(table).isWriteIdValid(1)).isFalse();
        before.commit();
        try (StatementTransaction after = begin(TableUse.of(table, TableAccess.READ))) {
            assertThat(after.snapshot(table).isWriteIdValid(1)).isTrue();
            assertThat(after.visibleTransactions().isTxnValid(writer.id())).isTrue();
        }
    }

    @Test
    void whatIsAbortedIsNeverSeen() {
        Table table = newTable();
        StatementTransaction writer = begin(TableUse.of(table, TableAccess.UPDATE));
        writer.close();
        writer.close();
        fails(StandardErrorCode.OPERATION_CANCELED, writer::commit);
        fails(StandardErrorCode.OPERATION_CANCELED, () -> writer.writeId(newTable()));
        try (StatementTransaction after = begin(TableUse.of(table, TableAccess.READ))) {
            assertThat(after.snapshot(table).isWriteIdAborted(1)).isTrue();
        }
    }

    @Test
    void aTableThatIsCreatedGetsAWriteIdLater() {
        Table read = newTable();
        Table created = newTable();
        StatementTransaction transaction =
                begin(TableUse.of(read, TableAccess.READ), TableUse.of(created, TableAccess.DEFINE_EXCLUSIVE));
        assertThat(transaction.writeId(created)).isEqualTo(1);
        assertThat(transaction.writeId(created)).isEqualTo(1);
        transaction.commit();
    }

    @Test
    void readersTakeSharedLocksAndWritersExclusiveOnes() {
        Table table = newTable();
        try (StatementTransaction writer = begin(TableUse.of(table, TableAccess.UPDATE));
                StatementTransaction reader = begin(TableUse.of(table, TableAccess.READ))) {
            assertThat(store.locks(LockFilter.ALL)).hasSize(2).allMatch(lock -> lock.isAcquired());
            assertThat(store.locks(LockFilter.ALL))
                    .anyMatch(lock -> lock.transaction() == writer.id() && lock.kind() == LockKind.EXCL_WRITE)
                    .anyMatch(lock -> lock.transaction() == reader.id() && lock.kind() == LockKind.SHARED_READ);
        }
    }

    @Test
    void aStatementWaitsForItsLocks() throws Exception {
        Table table = newTable();
        StatementTransaction first = begin(TableUse.of(table, TableAccess.UPDATE));
        CompletableFuture<StatementTransaction> second = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> second.complete(begin(TableUse.of(table, TableAccess.UPDATE))));
        Polling.await("the second one to wait")
                .until(() -> store.locks(LockFilter.ALL).size() == 2);
        assertThat(second).isNotDone();
        first.commit();
        StatementTransaction next = second.get();
        assertThat(next.snapshot(table).isWriteIdValid(first.writeId(table))).isTrue();
        next.commit();
    }

    @Test
    void anInterruptEndsTheWait() throws Exception {
        Table table = newTable();
        try (StatementTransaction first = begin(TableUse.of(table, TableAccess.UPDATE))) {
            CompletableFuture<Throwable> failure = new CompletableFuture<>();
            Thread waiting = Thread.ofPlatform().start(() -> {
                try {
                    begin(TableUse.of(table, TableAccess.UPDATE));
                } catch (SkepException e) {
                    failure.complete(e);
                }
            });
            Polling.await("the second one to wait")
                    .until(() -> store.locks(LockFilter.ALL).size() == 2);
            waiting.interrupt();
            assertThat(failure.get())
                    .isInstanceOfSatisfying(
                            SkepException.class,
                            e -> assertThat(e.code()).isEqualTo(StandardErrorCode.OPERATION_CANCELED));
            waiting.join();
            assertThat(store.locks(LockFilter.ALL)).hasSize(1);
            assertThat(openTransactions()).containsExactly(first.id());
        }
    }

    @Test
    void aWaitHasALimit() {
        Table table = newTable();
        TransactionSettings impatient =
                settings(Map.of("hive.lock.numretries", "2", "hive.lock.sleep.between.retries", "1ms"));
        try (StatementTransaction first = begin(TableUse.of(table, TableAccess.UPDATE))) {
            assertThatThrownBy(() -> transactions.begin(
                            "bob",
                            "query2",
                            List.of(TableUse.of(table, TableAccess.UPDATE)),
                            impatient,
                            cancellations::add))
                    .isInstanceOfSatisfying(
                            SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.LOCK_TIMED_OUT))
                    .hasMessageContaining("txnid:" + first.id() + " of user alice on host");
        }
    }

    /** A statement that is cancelled, or whose metastore fails, before or in any of the calls leaves nothing. */
    @Test
    void aBeginThatEndsAtAnyStepLeavesNothing() {
        Table table = newTable();
        int steps = 0;
        for (boolean interrupts : List.of(true, false)) {
            boolean begun = false;
            for (int last = 1; !begun; last++) {
                AtomicInteger calls = new AtomicInteger();
                AtomicBoolean armed = new AtomicBoolean(true);
                int wanted = last;
                StatementTransactions faulty = intercepted((_, call) -> {
                    if (armed.get() && calls.incrementAndGet() == wanted) {
                        if (!interrupts) {
                            throw new SkepException(StandardErrorCode.METASTORE_ERROR, "injected");
                        }
                        Thread.currentThread().interrupt();
                    }
                    return call.proceed();
                });
                try (StatementTransaction whole = begin(
                        faulty, TableUse.of(table, TableAccess.UPDATE), TableUse.of(newTable(), TableAccess.READ))) {
                    begun = calls.get() < wanted;
                    armed.set(false);
                    assertThat(begun).as("begun though call %s failed", wanted).isTrue();
                    assertThat(whole.writeId(table)).isPositive();
                } catch (SkepException e) {
                    assertThat(e.code())
                            .isEqualTo(
                                    interrupts
                                            ? StandardErrorCode.OPERATION_CANCELED
                                            : StandardErrorCode.METASTORE_ERROR);
                    steps++;
                } finally {
                    assertThat(Thread.interrupted()).isEqualTo(interrupts && !begun);
                }
                assertThat(faulty.active()).isZero();
                faulty.close();
                nothingIsLeft();
            }
        }
        assertThat(steps).as("calls of a begin, twice").isEqualTo(12);
    }

    /** Another statement begins later, is faster, and changes the table. */
    @Test
    void aSnapshotThatIsOutdatedIsTakenAgain() {
        Table table = newTable();
        AtomicInteger competitors = new AtomicInteger(1);
        StatementTransactions slow = intercepted((method, call) -> {
            if (method.equals("lock") && competitors.getAndDecrement() > 0) {
                begin(TableUse.of(table, TableAccess.UPDATE)).commit();
            }
            return call.proceed();
        });
        try (StatementTransaction begun = begin(slow, TableUse.of(table, TableAccess.UPDATE))) {
            assertThat(begun.writeId(table)).as("the second try").isEqualTo(3);
            assertThat(begun.snapshot(table).isWriteIdValid(2))
                    .as("the competitor's rows")
                    .isTrue();
            assertThat(begun.snapshot(table).isWriteIdAborted(1))
                    .as("the first try")
                    .isTrue();
            begun.commit();
        }
        competitors.set(100);
        fails(StandardErrorCode.TRANSACTION_ABORTED, () -> begin(slow, TableUse.of(table, TableAccess.DELETE)));
        competitors.set(1);
        begin(slow, TableUse.of(table, TableAccess.INSERT)).commit();
        slow.close();
    }

    @Test
    void aHeartbeatThatFindsTheTransactionAbortedCancelsTheStatement() {
        TransactionConfig quick =
                new TransactionConfig(Duration.ofMillis(20), Duration.ofMinutes(1), Duration.ofMinutes(1));
        AtomicReference<SkepException> cancelled = new AtomicReference<>();
        try (StatementTransactions server = new StatementTransactions(store, quick, "host")) {
            StatementTransaction lost = server.begin(
                    "alice", "query", List.of(TableUse.of(newTable(), TableAccess.UPDATE)), settings, cancelled::set);
            store.abortAll(List.of(lost.id()));
            Polling.await("the cancellation").until(() -> cancelled.get() != null);
            assertThat(cancelled.get().code()).isEqualTo(StandardErrorCode.TRANSACTION_ABORTED);
            fails(StandardErrorCode.TRANSACTION_ABORTED, lost::check);
            fails(StandardErrorCode.TRANSACTION_ABORTED, lost::commit);
            lost.close();
            assertThat(server.active()).isZero();
        }
    }

    @Test
    void heartbeatsGoOnWhileTheMetastoreFails() {
        TransactionConfig quick =
                new TransactionConfig(Duration.ofMillis(20), Duration.ofMinutes(1), Duration.ofMinutes(1));
        AtomicInteger beats = new AtomicInteger();
        TransactionStore failing = InterceptedTransactions.of(store, (method, call) -> {
            if (method.equals("heartbeat") && beats.incrementAndGet() < 3) {
                throw new SkepException(StandardErrorCode.METASTORE_ERROR, "injected");
            }
            return call.proceed();
        });
        try (StatementTransactions server = new StatementTransactions(failing, quick, "host")) {
            StatementTransaction kept = begin(server, TableUse.of(newTable(), TableAccess.UPDATE));
            Polling.await("heartbeats").until(() -> beats.get() > 4);
            kept.commit();
        }
    }

    @Test
    void aCommitWhoseAnswerIsLostIsACommit() {
        Table table = newTable();
        AtomicInteger commits = new AtomicInteger();
        StatementTransactions faulty = intercepted((method, call) -> {
            Object answer = call.proceed();
            if (method.equals("commit") && commits.incrementAndGet() == 1) {
                throw new SkepException(StandardErrorCode.METASTORE_ERROR, "injected");
            }
            return answer;
        });
        begin(faulty, TableUse.of(table, TableAccess.INSERT)).commit();
        faulty.close();
        try (StatementTransaction after = begin(TableUse.of(table, TableAccess.READ))) {
            assertThat(after.snapshot(table).isWriteIdValid(1)).isTrue();
        }
    }

    @Test
    void aCommitThatFailsAborts() {
        Table table = newTable();
        StatementTransactions faulty = intercepted((method, call) -> {
            if (method.equals("commit")) {
                throw new SkepException(StandardErrorCode.METASTORE_ERROR, "injected");
            }
            return call.proceed();
        });
        StatementTransaction writer = begin(faulty, TableUse.of(table, TableAccess.INSERT));
        fails(StandardErrorCode.METASTORE_ERROR, writer::commit);
        faulty.close();
        try (StatementTransaction after = begin(TableUse.of(table, TableAccess.READ))) {
            assertThat(after.snapshot(table).isWriteIdAborted(1)).isTrue();
        }
    }

    /** A delete with a lower write id than that of the row would not count in Hive. */
    @Test
    void changesHaveHigherWriteIdsThanTheRowsThatTheySee() throws Exception {
        Table table = newTable();
        TransactionOwner owner = new TransactionOwner("other", "host", "q");
        long first = store.open(owner, TransactionKind.DEFAULT);
        LockComponent lock = new LockComponent(
                LockKind.EXCL_WRITE,
                DataOperation.UPDATE,
                table.database(),
                Optional.of(table.name()),
                Optional.empty(),
                true,
                false);
        store.lock(first, owner, List.of(lock));
        CompletableFuture<StatementTransaction> second =
                CompletableFuture.supplyAsync(() -> begin(TableUse.of(table, TableAccess.UPDATE)));
        Polling.await("the second lock").until(() -> store.locks(LockFilter.ALL).size() == 2);
        assertThat(store.allocateWriteId(first, table.database(), table.name())).isEqualTo(2);
        store.commit(first, true);
        try (StatementTransaction begun = second.get()) {
            assertThat(begun.snapshot(table).isWriteIdValid(2)).isTrue();
            assertThat(begun.writeId(table)).isEqualTo(3);
        }
    }

    /** The database commits and does not answer any more, so the files of the statement must stay. */
    @Test
    void aCommitAfterWhichTheDatabaseIsGoneHasNoKnownOutcome() {
        Table table = newTable();
        AtomicBoolean isGone = new AtomicBoolean();
        StatementTransactions faulty = intercepted((method, call) -> {
            if (isGone.get()) {
                throw new SkepException(StandardErrorCode.METASTORE_ERROR, "injected");
            }
            Object answer = call.proceed();
            if (method.equals("commit")) {
                isGone.set(true);
                throw new SkepException(StandardErrorCode.METASTORE_ERROR, "injected");
            }
            return answer;
        });
        StatementTransaction writer = begin(faulty, TableUse.of(table, TableAccess.INSERT));
        fails(StandardErrorCode.METASTORE_ERROR, writer::commit);
        assertThat(writer.isOutcomeUnknown()).isTrue();
        faulty.close();
        try (StatementTransaction after = begin(TableUse.of(table, TableAccess.READ))) {
            assertThat(after.snapshot(table).isWriteIdValid(1)).isTrue();
        }
    }

    @Test
    void theFirstOfTwoSharedWritersWins() {
        Table table = newTable();
        TransactionSettings shared = settings(Map.of("hive.txn.xlock.write", "false"));
        List<TableUse> update = List.of(TableUse.ofDynamicPartitions(table, TableAccess.UPDATE));
        StatementTransaction first = transactions.begin("alice", "q1", update, shared, cancellations::add);
        StatementTransaction second = transactions.begin("alice", "q2", update, shared, cancellations::add);
        first.addPartitions(table, List.of("p=1"), TableAccess.UPDATE);
        second.addPartitions(table, List.of("p=1"), TableAccess.UPDATE);
        first.commit();
        fails(StandardErrorCode.TRANSACTION_ABORTED, second::commit);
    }

    @Test
    void aCommitAndAnAbortHaveOneOutcome() throws Exception {
        Table table = newTable();
        for (int round = 0; round < 10; round++) {
            StatementTransaction writer = begin(TableUse.of(table, TableAccess.INSERT));
            long id = writer.writeId(table);
            CompletableFuture<Boolean> committed = new CompletableFuture<>();
            Thread committer = Thread.ofPlatform().start(() -> {
                try {
                    writer.commit();
                    committed.complete(true);
                } catch (SkepException e) {
                    committed.complete(false);
                }
            });
            writer.abort();
            boolean outcome = committed.get();
            committer.join();
            try (StatementTransaction after = begin(TableUse.of(table, TableAccess.READ))) {
                assertThat(after.snapshot(table).isWriteIdValid(id)).isEqualTo(outcome);
            }
        }
    }

    @Test
    void aServerThatStopsBeginsNothing() {
        StatementTransactions stopped = new StatementTransactions(store, CONFIG, "host");
        stopped.close();
        fails(StandardErrorCode.OPERATION_CANCELED, () -> begin(stopped, TableUse.of(newTable(), TableAccess.READ)));
    }

    @Test
    void settingsWithoutTransactionsAreRefused() {
        TransactionSettings dummy =
                settings(Map.of("hive.txn.manager", "org.apache.hadoop.hive.ql.lockmgr.DummyTxnManager"));
        assertThatThrownBy(() -> transactions.begin(
                        "alice",
                        "query",
                        List.of(TableUse.of(newTable(), TableAccess.READ)),
                        dummy,
                        cancellations::add))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.client().number()).isEqualTo(10265));
        assertThatThrownBy(() -> settings(Map.of("hive.support.concurrency", "false")))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.client().number()).isEqualTo(10264));
        fails(StandardErrorCode.INVALID_CONFIGURATION, () -> settings(Map.of("hive.lock.numretries", "many")));
        assertThat(TransactionSettings.PROPERTIES)
                .extracting(Property::name)
                .allMatch(name -> HiveConf.getConfVars(name) != null);
    }
}
