package io.skep.metastore.hive;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.testing.Polling;
import io.skep.metastore.transaction.CompactionAnswer;
import io.skep.metastore.transaction.CompactionFilter;
import io.skep.metastore.transaction.CompactionJob;
import io.skep.metastore.transaction.CompactionKind;
import io.skep.metastore.transaction.CompactionStore;
import io.skep.metastore.transaction.DataOperation;
import io.skep.metastore.transaction.ListedCompaction;
import io.skep.metastore.transaction.LockComponent;
import io.skep.metastore.transaction.LockKind;
import io.skep.metastore.transaction.RequestedCompaction;
import io.skep.metastore.transaction.TransactionKind;
import io.skep.metastore.transaction.TransactionOwner;
import io.skep.metastore.transaction.TransactionStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The queue of compactions of a database that two servers share. */
interface CompactionContract {
    TransactionOwner WORKER = new TransactionOwner("hive", "host1", "worker");
    AtomicInteger NAMES = new AtomicInteger();

    TransactionStore transactions();

    TransactionStore other();

    private CompactionStore queue() {
        return transactions().compactionQueue();
    }

    private static RequestedCompaction request(String table, CompactionKind kind) {
        return new RequestedCompaction(
                "db",
                table,
                Optional.empty(),
                kind,
                Map.of(),
                OptionalInt.empty(),
                Optional.empty(),
                Optional.empty(),
                "host1-manual");
    }

    private static String newName() {
        return "c" + NAMES.incrementAndGet();
    }

    /** Empties the queue. */
    @BeforeEach
    @AfterEach
    default void refuseAll() {
        for (Optional<CompactionJob> job = queue().next("w-0", "1"); job.isPresent(); job = queue().next("w-0", "1")) {
            queue().refused(job.get(), "the test is over");
        }
    }

    private ListedCompaction listed(long id) {
        List<ListedCompaction> found = other().compactions(CompactionFilter.ofId(id));
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    /** Returns a write id that has been committed. */
    private long write(String table) {
        long transaction = transactions().open(WORKER, TransactionKind.DEFAULT);
        long writeId = transactions().allocateWriteId(transaction, "db", table);
        LockComponent lock = LockComponent.ofTable(LockKind.SHARED_READ, DataOperation.INSERT, "db", table);
        assertThat(transactions().lock(transaction, WORKER, List.of(lock)).isAcquired())
                .isTrue();
        transactions().commit(transaction, true);
        return writeId;
    }

    private long lockToCompact(String table) {
        long transaction = transactions().open(WORKER, TransactionKind.COMPACTION);
        LockComponent lock = LockComponent.ofTable(LockKind.SHARED_READ, DataOperation.SELECT, "db", table);
        assertThat(transactions().lock(transaction, WORKER, List.of(lock)).isAcquired())
                .isTrue();
        return transaction;
    }

    @Test
    default void aCompactionIsRequestedTakenCommittedAndCleaned() {
        String table = newName();
        long writeId = write(table);
        CompactionAnswer answer = queue().request(new RequestedCompaction(
                "db",
                table,
                Optional.empty(),
                CompactionKind.REBALANCE,
                Map.of("tblprops.orc.compress", "NONE"),
                OptionalInt.of(7),
                Optional.of("order by `a` desc nulls last"),
                Optional.empty(),
                "host1-manual"));
        assertThat(answer.isAccepted()).isTrue();
        assertThat(other().compactionQueue().request(request(table, CompactionKind.MINOR)))
                .satisfies(second -> {
                    assertThat(second.isAccepted()).isFalse();
                    assertThat(second.refusal().orElseThrow()).contains("already scheduled");
                });
        CompactionJob job = other().compactionQueue().next("host2-7", "1.0").orElseThrow();
        assertThat(job.id()).isEqualTo(answer.id());
        assertThat(job.kind()).contains(CompactionKind.REBALANCE);
        assertThat(job.buckets()).hasValue(7);
        assertThat(job.order()).contains("order by `a` desc nulls last");
        assertThat(job.properties()).containsEntry("tblprops.orc.compress", "NONE");
        assertThat(queue().next("host1-1", "1.0")).isEmpty();
        assertThat(listed(job.id()).worker()).contains("host2-7");

        long reader = transactions().open(WORKER, TransactionKind.READ_ONLY);
        long transaction = lockToCompact(table);
        queue().begin(job, transaction, writeId);
        queue().compacted(job);
        transactions().commit(transaction, true);
        assertThat(listed(job.id()).state()).isEqualTo("ready for cleaning");
        assertThat(listed(job.id()).transaction()).hasValue(transaction);
        assertThat(listed(job.id()).next().orElseThrow()).isGreaterThanOrEqualTo(transaction);
        assertThat(ready(job)).as("while an older reader is open").isEmpty();
        transactions().commit(reader, true);
        long later = transactions().open(WORKER, TransactionKind.READ_ONLY);
        // The library waits a second for older transactions that may not be visible yet.
        Polling.await("the compaction").until(() -> ready(job).isPresent());
        CompactionJob cleaned = ready(job).orElseThrow();
        assertThat(cleaned.highestWriteId()).isEqualTo(writeId);
        assertThat(cleaned.next()).isPositive().isLessThanOrEqualTo(later);
        transactions().commit(later, true);
        queue().cleaning(cleaned);
        queue().cleaned(cleaned);
        assertThat(listed(job.id()).state()).isEqualTo("succeeded");
        assertThat(ready(job)).isEmpty();
    }

    private Optional<CompactionJob> ready(CompactionJob job) {
        return queue().readyToClean(queue().oldestTransaction(), Duration.ZERO).stream()
                .filter(one -> one.id() == job.id())
                .findFirst();
    }

    @Test
    default void failedAndRefusedOnesSayWhy() {
        String table = newName();
        write(table);
        for (boolean refused : List.of(true, false)) {
            long id = queue().request(request(table, CompactionKind.MINOR)).id();
            CompactionJob job = queue().next("host1-1", "1.0").orElseThrow();
            if (refused) {
                queue().refused(job, "no need");
            } else {
                queue().failed(job, "no space");
            }
            assertThat(listed(id).state()).isEqualTo(refused ? "refused" : "failed");
            assertThat(listed(id).error()).contains(refused ? "no need" : "no space");
        }
    }

    @Test
    default void whatAKilledServerHadTakenIsGivenBack() {
        String table = newName();
        long id = queue().request(request(table, CompactionKind.MAJOR)).id();
        assertThat(queue().next("host1.a-1", "1.0")).isPresent();
        queue().revoke("host1.b-");
        assertThat(queue().next("host1.b-1", "1.0")).isEmpty();
        queue().revoke("host1.a-");
        assertThat(queue().next("host1.b-1", "1.0"))
                .hasValueSatisfying(job -> assertThat(job.id()).isEqualTo(id));
        queue().revokeTimedOut(Duration.ofHours(1));
        assertThat(queue().next("host1.c-1", "1.0")).isEmpty();
        queue().revoke("host1.b-");
    }

    @Test
    default void changedTablesAreCandidates() {
        String table = newName();
        write(table);
        assertThat(queue().candidates(1000, Duration.ofHours(12), Duration.ofSeconds(-1)))
                .anySatisfy(candidate -> {
                    assertThat(candidate.table()).isEqualTo(table);
                    assertThat(candidate.tooManyAborts()).isFalse();
                    assertThat(queue().failsAgain(candidate)).isFalse();
                });
    }

    /** The folder of an aborted compaction is to be deleted before its transaction is forgotten. */
    @Test
    default void abortedCompactionsStayKnownUntilTheyAreCleanedUp() {
        String table = newName();
        long writeId = write(table);
        queue().request(request(table, CompactionKind.MAJOR));
        CompactionJob job = queue().next("host1-1", "1.0").orElseThrow();
        long transaction = lockToCompact(table);
        queue().begin(job, transaction, writeId);
        transactions().abort(transaction);
        queue().failed(job, "killed");
        CompactionJob aborted = queue().abortsToClean(Duration.ZERO, 0).stream()
                .filter(one -> one.table().equals(table))
                .findFirst()
                .orElseThrow();
        assertThat(aborted.kind()).isEmpty();
        assertThat(transactions().validTransactions(0).isTxnAborted(transaction))
                .isTrue();
        queue().cleaned(aborted.upTo(writeId));
        assertThat(queue().abortsToClean(Duration.ZERO, 0))
                .noneMatch(one -> one.table().equals(table));
    }

    @Test
    default void workInTurnIsDone() {
        AtomicInteger done = new AtomicInteger();
        queue().inTurn(CompactionStore.Turn.CLEANER, done::incrementAndGet);
        queue().inTurn(CompactionStore.Turn.INITIATOR, () -> queue().oldestTransaction());
        other().compactionQueue().inTurn(CompactionStore.Turn.CLEANER, done::incrementAndGet);
        assertThat(done).hasValue(2);
    }
}
