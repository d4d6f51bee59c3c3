package io.skep.metastore.hive;

import io.skep.metastore.transaction.CompactionAnswer;
import io.skep.metastore.transaction.CompactionJob;
import io.skep.metastore.transaction.CompactionStore;
import io.skep.metastore.transaction.RequestedCompaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.hive.metastore.api.AbortCompactionRequest;
import org.apache.hadoop.hive.metastore.api.CompactionResponse;
import org.apache.hadoop.hive.metastore.api.FindNextCompactRequest;
import org.apache.hadoop.hive.metastore.txn.TxnStore;
import org.apache.hadoop.hive.metastore.txn.entities.CompactionInfo;
import org.jspecify.annotations.NullUnmarked;

/** The queue of compactions in the metastore's database, by Hive's library. */
@NullUnmarked
final class HiveCompactions implements CompactionStore {
    private final TransactionLibrary library;
    private final Runnable used;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /** @param used is called when the queue is used in a way that needs housekeeping */
    HiveCompactions(TransactionLibrary library, Runnable used) {
        this.library = library;
        this.used = used;
    }

    /** Work with a library's object for a job. */
    @FunctionalInterface
    private interface Step {
        void in(TxnStore store, CompactionInfo job) throws Exception;
    }

    private void change(String what, CompactionJob job, Step step) {
        library.write(what + " compaction " + job.id() + " of " + job.place(), store -> {
            step.in(store, CompactionConversion.toHive(job));
            return true;
        });
    }

    @Override
    public CompactionAnswer request(RequestedCompaction request) {
        CompactionAnswer answer = library.write("request a compaction of " + request.table(), store -> {
            CompactionResponse response = store.compact(CompactionConversion.toThrift(request));
            return new CompactionAnswer(
                    response.getId(),
                    response.getState(),
                    response.isAccepted(),
                    Optional.ofNullable(response.getErrormessage()));
        });
        used.run();
        listeners.forEach(Runnable::run);
        return answer;
    }

    @Override
    public void whenRequested(Runnable listener) {
        listeners.add(listener);
    }

    @Override
    public Optional<CompactionJob> next(String worker, String version) {
        FindNextCompactRequest request = new FindNextCompactRequest();
        request.setWorkerId(worker);
        request.setWorkerVersion(version);
        return library.write(
                "take a compaction",
                store -> Optional.ofNullable(store.findNextToCompact(request)).map(CompactionConversion::fromHive));
    }

    @Override
    public void begin(CompactionJob job, long transaction, long highestWriteId) {
        change("begin", job.upTo(highestWriteId), (store, info) -> store.updateCompactorState(info, transaction));
    }

    @Override
    public void compacted(CompactionJob job) {
        change("end", job, TxnStore::markCompacted);
    }

    @Override
    public void failed(CompactionJob job, String reason) {
        change("fail", job, (store, info) -> {
            info.errorMessage = CompactionConversion.shortened(reason);
            store.markFailed(info);
        });
    }

    @Override
    public List<String> abort(List<Long> ids) {
        return library.write("abort compactions", store -> {
            AbortCompactionRequest request = new AbortCompactionRequest(new ArrayList<>(ids));
            var answers = store.abortCompactions(request).getAbortedcompacts();
            return ids.stream()
                    .map(id -> answers.get(id))
                    .map(answer -> answer.getCompactionId() + " " + answer.getStatus() + ": " + answer.getMessage())
                    .toList();
        });
    }

    @Override
    public void refused(CompactionJob job, String reason) {
        change("refuse", job, (store, info) -> {
            info.errorMessage = CompactionConversion.shortened(reason);
            store.markRefused(info);
        });
    }

    @Override
    public void revoke(String workers) {
        library.write("give back compactions of " + workers, store -> {
            store.revokeFromLocalWorkers(workers);
            return true;
        });
    }

    @Override
    public void revokeTimedOut(Duration timeout) {
        library.write("give back compactions that have timed out", store -> {
            store.revokeTimedoutWorkers(timeout.toMillis());
            return true;
        });
    }

    @Override
    public List<CompactionJob> candidates(int aborts, Duration age, Duration interval) {
        return library.read(
                "look for tables to compact",
                store -> jobs(store.findPotentialCompactions(aborts, age.toMillis(), interval.toSeconds())));
    }

    private static List<CompactionJob> jobs(Collection<CompactionInfo> found) {
        List<CompactionJob> jobs = new ArrayList<>();
        found.forEach(one -> jobs.add(CompactionConversion.fromHive(one)));
        return List.copyOf(jobs);
    }

    @Override
    public boolean failsAgain(CompactionJob candidate) {
        return library.read(
                "look for failed compactions of " + candidate.place(),
                store -> store.checkFailedCompactions(CompactionConversion.toHive(candidate)));
    }

    @Override
    public long oldestTransaction() {
        return library.read("find the first open transaction", TxnStore::findMinOpenTxnIdForCleaner);
    }

    @Override
    public List<CompactionJob> readyToClean(long oldest, Duration retention) {
        return library.read(
                "look for compactions to clean up",
                store -> jobs(store.findReadyToClean(oldest, retention.toMillis())));
    }

    @Override
    public List<CompactionJob> abortsToClean(Duration age, int aborts) {
        return library.read(
                "look for aborted transactions to clean up",
                store -> jobs(store.findReadyToCleanAborts(age.toMillis(), aborts)));
    }

    @Override
    public void cleaning(CompactionJob job) {
        change("begin to clean up", job, TxnStore::markCleanerStart);
    }

    @Override
    public void cleaningAgain(CompactionJob job) {
        change("postpone the cleaning of", job, TxnStore::clearCleanerStart);
    }

    @Override
    public void cleaned(CompactionJob job) {
        change("end the cleaning of", job, TxnStore::markCleaned);
    }

    @Override
    public void cleaningFailed(CompactionJob job, String reason, Duration retry) {
        change("postpone the cleaning of", job, (store, info) -> {
            info.errorMessage = CompactionConversion.shortened(reason);
            info.retryRetention = retry.toMillis();
            store.setCleanerRetryRetentionTimeOnError(info);
        });
    }

    @Override
    public void inTurn(Turn turn, Runnable work) {
        library.inTurn(
                switch (turn) {
                    case INITIATOR -> TxnStore.MUTEX_KEY.Initiator.name();
                    case CLEANER -> TxnStore.MUTEX_KEY.Cleaner.name();
                },
                work);
    }
}
