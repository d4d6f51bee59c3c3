package io.skep.metastore.hive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.testing.Polling;
import io.skep.metastore.transaction.CompactionFilter;
import io.skep.metastore.transaction.DataOperation;
import io.skep.metastore.transaction.ListedCompaction;
import io.skep.metastore.transaction.ListedLock;
import io.skep.metastore.transaction.ListedTransaction;
import io.skep.metastore.transaction.LockComponent;
import io.skep.metastore.transaction.LockFilter;
import io.skep.metastore.transaction.LockKind;
import io.skep.metastore.transaction.LockResult;
import io.skep.metastore.transaction.TransactionKind;
import io.skep.metastore.transaction.TransactionOwner;
import io.skep.metastore.transaction.TransactionStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hive.common.ValidTxnList;
import org.apache.hadoop.hive.common.ValidWriteIdList;
import org.apache.hadoop.hive.metastore.api.CommitTxnRequest;
import org.apache.hadoop.hive.metastore.api.CompactionRequest;
import org.apache.hadoop.hive.metastore.api.CompactionType;
import org.apache.hadoop.hive.metastore.api.DataOperationType;
import org.apache.hadoop.hive.metastore.api.LockLevel;
import org.apache.hadoop.hive.metastore.api.LockRequest;
import org.apache.hadoop.hive.metastore.api.LockState;
import org.apache.hadoop.hive.metastore.api.LockType;
import org.apache.hadoop.hive.metastore.api.OpenTxnRequest;
import org.apache.hadoop.hive.metastore.api.TxnInfo;
import org.apache.hadoop.hive.metastore.txn.TxnStore;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests transactions on every database, with a second server and with Hive's own class beside them. */
interface TransactionContract {
    TransactionOwner ALICE = new TransactionOwner("alice", "host1", "query1");
    TransactionOwner BOB = new TransactionOwner("bob", "host2", "query2");
    AtomicInteger TABLES = new AtomicInteger();

    TransactionStore transactions();

    /** Returns the transactions of another server on the same database. */
    TransactionStore other();

    /** Returns Hive's own class on the same database. */
    TxnStore hive();

    private static String newTable() {
        return "t" + TABLES.incrementAndGet();
    }

    private static long open(TransactionStore store) {
        return store.open(ALICE, TransactionKind.DEFAULT);
    }

    private static void fails(StandardErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    private static LockResult lock(TransactionStore store, long transaction, LockKind kind, String table) {
        DataOperation operation = kind == LockKind.SHARED_READ ? DataOperation.SELECT : DataOperation.UPDATE;
        return store.lock(transaction, BOB, List.of(LockComponent.ofTable(kind, operation, "db", table)));
    }

    private static ValidWriteIdList visible(TransactionStore store, long transaction, String table) {
        Map<String, ValidWriteIdList> rows =
                store.validWriteIds(store.validTransactions(transaction), List.of("db." + table));
        assertThat(rows).containsOnlyKeys("db." + table);
        return rows.values().iterator().next();
    }

    @AfterEach
    default void endAll() {
        transactions()
                .abortAll(transactions().transactions().stream()
                        .filter(one -> !one.isAborted())
                        .map(ListedTransaction::id)
                        .toList());
    }

    @Test
    default void aSnapshotHasNeitherOpenNorLaterNorAbortedTransactions() {
        String table = newTable();
        long committed = open(transactions());
        long aborted = open(other());
        long open = open(transactions());
        for (long one : List.of(committed, aborted, open)) {
            other().allocateWriteId(one, "db", table);
        }
        transactions().commit(committed, true);
        transactions().abort(aborted);
        long reader = open(transactions());
        long later = open(other());
        transactions().allocateWriteId(later, "db", table);
        other().commit(later, true);

        ValidTxnList snapshot = transactions().validTransactions(reader);
        assertThat(snapshot.getHighWatermark()).isEqualTo(reader);
        assertThat(snapshot.isTxnValid(committed)).isTrue();
        assertThat(snapshot.isTxnAborted(aborted)).isTrue();
        assertThat(snapshot.isTxnValid(open)).isFalse();
        assertThat(snapshot.isTxnValid(later)).isFalse();
        ValidWriteIdList rows = visible(transactions(), reader, table);
        assertThat(rows.isWriteIdValid(1)).isTrue();
        assertThat(rows.isWriteIdAborted(2)).isTrue();
        assertThat(rows.isWriteIdValid(3)).isFalse();
        assertThat(rows.isWriteIdValid(4)).isFalse();
        // All that has committed by now.
        assertThat(transactions().validTransactions(0).isTxnValid(later)).isTrue();
    }

    @Test
    default void aTableThatNobodyHasWrittenHasNoRows() {
        long reader = transactions().open(ALICE, TransactionKind.READ_ONLY);
        ValidWriteIdList rows = visible(transactions(), reader, newTable());
        assertThat(rows.getHighWatermark()).isZero();
        assertThat(transactions().validWriteIds(transactions().validTransactions(reader), List.of()))
                .isEmpty();
        transactions().commit(reader, true);
    }

    @Test
    default void writeIdsAreOfOneTableAndTransaction() {
        String first = newTable();
        String second = newTable();
        long one = open(transactions());
        long two = open(transactions());
        assertThat(transactions().allocateWriteId(two, "db", first)).isEqualTo(1);
        assertThat(transactions().allocateWriteId(one, "db", first)).isEqualTo(2);
        assertThat(other().allocateWriteId(one, "db", first)).isEqualTo(2);
        assertThat(transactions().allocateWriteId(one, "db", second)).isEqualTo(1);
        assertThat(visible(transactions(), one, first).isWriteIdValid(2))
                .as("its own rows")
                .isTrue();
        transactions().commit(one, true);
        fails(StandardErrorCode.TRANSACTION_NOT_FOUND, () -> transactions().allocateWriteId(one, "db", newTable()));
    }

    @Test
    default void locksWaitForTheTransactionsThatHoldThem() {
        String table = newTable();
        long writer = open(transactions());
        assertThat(lock(transactions(), writer, LockKind.EXCL_WRITE, table).isAcquired())
                .isTrue();
        long reader = open(other());
        assertThat(lock(other(), reader, LockKind.SHARED_READ, table).isAcquired())
                .as("beside a writer")
                .isTrue();
        long second = open(other());
        LockResult waiting = lock(other(), second, LockKind.EXCL_WRITE, table);
        assertThat(waiting.isAcquired()).isFalse();
        assertThat(other().checkLock(second, waiting.lock()).isAcquired()).isFalse();
        transactions().commit(writer, true);
        assertThat(other().checkLock(second, waiting.lock()).isAcquired()).isTrue();

        long dropper = open(transactions());
        LockResult drop = lock(transactions(), dropper, LockKind.EXCLUSIVE, table);
        assertThat(drop.isAcquired()).isFalse();
        other().abort(second);
        assertThat(transactions().checkLock(dropper, drop.lock()).isAcquired())
                .as("while it is read")
                .isFalse();
        other().commit(reader, true);
        assertThat(transactions().checkLock(dropper, drop.lock()).isAcquired()).isTrue();
        long late = open(transactions());
        assertThat(lock(transactions(), late, LockKind.SHARED_READ, table).isAcquired())
                .isFalse();
    }

    @Test
    default void waitingLocksCanBeGivenUp() {
        String table = newTable();
        long writer = open(transactions());
        lock(transactions(), writer, LockKind.EXCL_WRITE, table);
        long second = open(transactions());
        LockResult waiting = lock(transactions(), second, LockKind.EXCL_WRITE, table);
        transactions().unlock(waiting.lock());
        fails(StandardErrorCode.LOCK_NOT_FOUND, () -> transactions().checkLock(second, waiting.lock()));
        assertThat(locksOf(table)).hasSize(1);
    }

    private List<ListedLock> locksOf(String table) {
        return transactions().locks(LockFilter.of("db", Optional.of(table), Optional.empty()));
    }

    /** The first updater has a later id, so the other one's snapshot would miss its rows. */
    @Test
    default void anUpdateThatASnapshotMissesIsAConflict() {
        String table = newTable();
        long early = open(transactions());
        long late = open(other());
        other().allocateWriteId(late, "db", table);
        assertThat(lock(other(), late, LockKind.EXCL_WRITE, table).isAcquired()).isTrue();
        other().commit(late, true);
        transactions().allocateWriteId(early, "db", table);
        assertThat(lock(transactions(), early, LockKind.EXCL_WRITE, table).isAcquired())
                .isTrue();
        assertThat(transactions().latestConflict(early)).hasValue(late);
        transactions().abort(early);

        long next = open(transactions());
        lock(transactions(), next, LockKind.EXCL_WRITE, table);
        assertThat(transactions().latestConflict(next)).isEmpty();
    }

    /** What an earlier transaction has committed before the locks are granted, the later one sees. */
    @Test
    default void anUpdateThatASnapshotHasIsNoConflict() {
        String table = newTable();
        long early = open(transactions());
        long late = open(other());
        transactions().allocateWriteId(early, "db", table);
        lock(transactions(), early, LockKind.EXCL_WRITE, table);
        LockResult waiting = lock(other(), late, LockKind.EXCL_WRITE, table);
        assertThat(waiting.isAcquired()).isFalse();
        transactions().commit(early, true);
        assertThat(other().checkLock(late, waiting.lock()).isAcquired()).isTrue();
        assertThat(other().latestConflict(late)).isEmpty();
        assertThat(visible(other(), late, table).isWriteIdValid(1)).isTrue();
    }

    @Test
    default void theSecondOfTwoSharedWritersFails() {
        String table = newTable();
        long first = open(transactions());
        long second = open(other());
        assertThat(lock(transactions(), first, LockKind.SHARED_WRITE, table).isAcquired())
                .isTrue();
        assertThat(lock(other(), second, LockKind.SHARED_WRITE, table).isAcquired())
                .isTrue();
        transactions().commit(first, false);
        fails(StandardErrorCode.TRANSACTION_ABORTED, () -> other().commit(second, false));
        assertThat(transactions().transactions()).anyMatch(listed -> listed.id() == second && listed.isAborted());
    }

    @Test
    default void whatCommittedTransactionsHaveDoneIsKnown() {
        String table = newTable();
        long inserted = change(table, DataOperation.INSERT, true);
        long deleted = change(table, DataOperation.DELETE, true);
        change(table, DataOperation.DELETE, false);
        long updated = change(table, DataOperation.UPDATE, true);
        long last = change(table, DataOperation.INSERT, true);
        change(newTable(), DataOperation.INSERT, true);
        assertThat(transactions().committedChanges("db", table, 0, 10))
                .isEqualTo(Map.of(inserted, false, deleted, true, updated, true, last, false));
        assertThat(other().committedChanges("db", table, inserted, 1)).isEqualTo(Map.of(deleted, true));
        assertThat(other().committedChanges("db", table, last, 10)).isEmpty();
    }

    /** Changes a table in a transaction of its own, and returns the write id. */
    private long change(String table, DataOperation operation, boolean commits) {
        long transaction = open(transactions());
        long writeId = transactions().allocateWriteId(transaction, "db", table);
        LockKind kind = operation == DataOperation.INSERT ? LockKind.SHARED_WRITE : LockKind.EXCL_WRITE;
        transactions().lock(transaction, ALICE, List.of(LockComponent.ofTable(kind, operation, "db", table)));
        if (commits) {
            transactions().commit(transaction, true);
        } else {
            transactions().abort(transaction);
        }
        return writeId;
    }

    @Test
    default void writersOfDifferentPartitionsDoNotConflict() {
        String table = newTable();
        List<Long> writers = List.of(open(transactions()), open(transactions()), open(transactions()));
        for (long writer : writers) {
            LockComponent lock = LockComponent.ofTable(LockKind.SHARED_WRITE, DataOperation.UPDATE, "db", table);
            assertThat(transactions()
                            .lock(writer, ALICE, List.of(lock.withDynamicPartitions()))
                            .isAcquired())
                    .isTrue();
        }
        List<String> partitions = List.of("DS=x", "ds=y", "ds=x");
        for (int i = 0; i < writers.size(); i++) {
            long id = transactions().allocateWriteId(writers.get(i), "db", table);
            transactions()
                    .addPartitions(writers.get(i), id, "db", table, List.of(partitions.get(i)), DataOperation.UPDATE);
        }
        transactions().commit(writers.get(0), false);
        transactions().commit(writers.get(1), false);
        fails(StandardErrorCode.TRANSACTION_ABORTED, () -> transactions().commit(writers.get(2), false));
    }

    @Test
    default void whatHasEndedSaysSo() {
        long committed = open(transactions());
        transactions().commit(committed, true);
        transactions().commit(committed, true);
        fails(StandardErrorCode.TRANSACTION_NOT_FOUND, () -> transactions().heartbeat(committed));
        long aborted = open(transactions());
        other().abort(aborted);
        other().abort(aborted);
        fails(StandardErrorCode.TRANSACTION_ABORTED, () -> transactions().heartbeat(aborted));
        fails(StandardErrorCode.TRANSACTION_ABORTED, () -> transactions().commit(aborted, true));
        fails(
                StandardErrorCode.TRANSACTION_ABORTED,
                () -> lock(transactions(), aborted, LockKind.SHARED_READ, newTable()));
        fails(StandardErrorCode.TRANSACTION_NOT_FOUND, () -> transactions().commit(1L << 40, true));
        fails(StandardErrorCode.TRANSACTION_NOT_FOUND, () -> transactions().abort(1L << 40));
        long open = open(transactions());
        fails(StandardErrorCode.LOCK_NOT_FOUND, () -> transactions().checkLock(open, 1L << 40));
    }

    @Test
    default void anInterruptedCallerLeavesNoTransaction() {
        long open = open(transactions());
        int before = transactions().transactions().size();
        Thread.currentThread().interrupt();
        fails(StandardErrorCode.OPERATION_CANCELED, () -> open(transactions()));
        transactions().abort(open);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(transactions().transactions())
                .hasSize(before)
                .noneMatch(one -> one.id() == open && !one.isAborted());
    }

    @Test
    default void transactionsAndLocksAreListed() {
        String table = newTable();
        long one = open(transactions());
        lock(transactions(), one, LockKind.EXCL_WRITE, table);
        long two = open(transactions());
        LockResult waiting = lock(transactions(), two, LockKind.EXCL_WRITE, table);
        transactions()
                .lock(
                        two,
                        ALICE,
                        List.of(
                                LockComponent.ofDatabase(LockKind.SHARED_READ, "db"),
                                LockComponent.ofTable(LockKind.SHARED_READ, DataOperation.SELECT, "db", "p" + table)
                                        .withPartition("DS=x")));
        assertThat(other().transactions()).anySatisfy(listed -> {
            assertThat(listed.id()).isEqualTo(one);
            assertThat(listed.isAborted()).isFalse();
            assertThat(listed.user()).isEqualTo("alice");
            assertThat(listed.host()).isEqualTo("host1");
            assertThat(listed.started()).isPositive();
            assertThat(listed.lastHeartbeat()).isGreaterThanOrEqualTo(listed.started());
        });
        assertThat(locksOf(table)).hasSize(2).anySatisfy(lock -> {
            assertThat(lock.lock()).isEqualTo(waiting.lock());
            assertThat(lock.isAcquired()).isFalse();
            assertThat(lock.blockedBy()).isPresent();
            assertThat(lock.kind()).isEqualTo(LockKind.EXCL_WRITE);
            assertThat(lock.transaction()).isEqualTo(two);
            assertThat(lock.user()).isEqualTo("bob");
            assertThat(lock.agent()).contains("query2");
        });
        assertThat(transactions().locks(LockFilter.of("db", Optional.of("p" + table), Optional.of("ds=x"))))
                .singleElement()
                .satisfies(lock -> assertThat(lock.partition()).contains("ds=x"));
        assertThat(transactions().locks(LockFilter.ALL)).hasSizeGreaterThanOrEqualTo(4);
    }

    @Test
    default void compactionsAreListed() throws Exception {
        String table = newTable();
        CompactionFilter ofTable = new CompactionFilter(
                CompactionFilter.ALL.id(),
                Optional.of("db"),
                Optional.of(table),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                CompactionFilter.ALL.limit());
        assertThat(transactions().compactions(ofTable)).isEmpty();
        CompactionRequest request = new CompactionRequest("db", table, CompactionType.MAJOR);
        request.setPartitionname("ds=x");
        long id = hive().compact(request).getId();
        assertThat(transactions().compactions(ofTable)).singleElement().satisfies(listed -> {
            assertThat(listed.id()).isEqualTo(id);
            assertThat(listed.kind()).isEqualTo("MAJOR");
            assertThat(listed.state()).isEqualTo("initiated");
            assertThat(listed.partition()).contains("ds=x");
            assertThat(listed.started()).isEmpty();
        });
        assertThat(transactions().compactions(CompactionFilter.ALL))
                .extracting(ListedCompaction::id)
                .contains(id);
    }

    @Test
    default void hiveSeesTransactionsAndLocksOfThisServer() throws Exception {
        String table = newTable();
        long own = open(transactions());
        transactions().allocateWriteId(own, "db", table);
        lock(transactions(), own, LockKind.EXCLUSIVE, table);
        assertThat(hive().getOpenTxnsInfo().getOpen_txns())
                .extracting(TxnInfo::getId)
                .contains(own);
        List<Long> opened =
                hive().openTxns(new OpenTxnRequest(1, "hive", "host3")).getTxn_ids();
        long hives = Objects.requireNonNull(opened).getFirst();
        var component =
                new org.apache.hadoop.hive.metastore.api.LockComponent(LockType.SHARED_READ, LockLevel.TABLE, "db");
        component.setTablename(table);
        component.setOperationType(DataOperationType.SELECT);
        LockRequest request = new LockRequest(new ArrayList<>(List.of(component)), "hive", "host3");
        request.setTxnid(hives);
        assertThat(hive().lock(request).getState()).isEqualTo(LockState.WAITING);
        assertThat(transactions().transactions())
                .anyMatch(one -> one.id() == hives && one.user().equals("hive"));
        // Hive ends a transaction of this server, and this server one of Hive.
        hive().commitTxn(new CommitTxnRequest(own));
        fails(StandardErrorCode.TRANSACTION_NOT_FOUND, () -> transactions().heartbeat(own));
        long reader = open(transactions());
        assertThat(visible(transactions(), reader, table).isWriteIdValid(1)).isTrue();
        transactions().abortAll(List.of(hives));
        assertThat(locksOf(table)).isEmpty();
    }

    @Test
    default void manyWritersTakeTurns() throws Exception {
        String table = newTable();
        int threads = 4;
        int rounds = 3;
        Set<Long> ids = new HashSet<>();
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<List<Long>>> done = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                TransactionStore server = i % 2 == 0 ? transactions() : other();
                done.add(pool.submit(() -> writeInTurn(server, table, rounds)));
            }
            for (Future<List<Long>> one : done) {
                ids.addAll(one.get());
            }
        }
        assertThat(ids).hasSize(threads * rounds);
        long reader = open(transactions());
        ValidWriteIdList rows = visible(transactions(), reader, table);
        assertThat(ids).allMatch(rows::isWriteIdValid);
    }

    private static List<Long> writeInTurn(TransactionStore server, String table, int rounds) {
        List<Long> ids = new ArrayList<>();
        while (ids.size() < rounds) {
            long transaction = open(server);
            long id = server.allocateWriteId(transaction, "db", table);
            LockResult asked = lock(server, transaction, LockKind.EXCL_WRITE, table);
            Polling.await("the lock")
                    .until(() -> asked.isAcquired()
                            || server.checkLock(transaction, asked.lock()).isAcquired());
            if (server.latestConflict(transaction).isPresent()) {
                server.abort(transaction);
            } else {
                ValidWriteIdList rows = visible(server, transaction, table);
                assertThat(ids).allMatch(rows::isWriteIdValid);
                server.commit(transaction, true);
                ids.add(id);
            }
        }
        return ids;
    }
}
