package io.skep.metastore.transaction;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The queue of compactions in the tables of Hive's metastore, which other servers of Skep and Hive share. A compaction
 * is requested, taken by a worker, carried out in a transaction of its own, and cleaned up when no transaction is open
 * that may read the replaced files. Names of databases and tables are in lower case. Methods fail with METASTORE_ERROR
 * when the database does. Thread-safe.
 */
public interface CompactionStore {
    /** Work of which one server does one kind at a time. */
    enum Turn {
        /** Looks for tables that need a compaction. */
        INITIATOR,
        /** Deletes replaced files. */
        CLEANER
    }

    CompactionAnswer request(RequestedCompaction request);

    /** Calls a listener after each request of this server, on the requesting thread. */
    void whenRequested(Runnable listener);

    /**
     * Takes the next compaction that waits for a worker without a pool.
     *
     * @param worker the id of the worker, as {@code host-number}
     */
    Optional<CompactionJob> next(String worker, String version);

    /**
     * Records the transaction of a compaction, before it writes anything. What the transaction has written is then
     * known until it is cleaned up, also when the transaction is aborted.
     */
    void begin(CompactionJob job, long transaction, long highestWriteId);

    /** Marks a compaction as ready to be cleaned up, just before its transaction commits. */
    void compacted(CompactionJob job);

    void failed(CompactionJob job, String reason);

    /**
     * Takes compactions out of the queue that no worker has begun. Others go on.
     *
     * @return for each id what has happened, in Hive's words
     */
    List<String> abort(List<Long> ids);

    void refused(CompactionJob job, String reason);

    /** Gives back the compactions that workers have taken whose ids begin like this. */
    void revoke(String workers);

    /** Gives back the compactions that were taken longer ago. */
    void revokeTimedOut(Duration timeout);

    /**
     * Returns the tables and partitions that have been changed since their last compaction.
     *
     * @param aborts the number of aborted transactions from which on there are too many
     * @param age the age of an aborted transaction from which on it is too old
     * @param interval only changes that are at most so old are looked at
     */
    List<CompactionJob> candidates(int aborts, Duration age, Duration interval);

    /** Whether the last compactions of a candidate failed, so that another one is not worth a try. */
    boolean failsAgain(CompactionJob candidate);

    /** Returns the first transaction that is open, for {@link #readyToClean}. */
    long oldestTransaction();

    /**
     * Returns compactions whose replaced files no open transaction can read.
     *
     * @param oldest {@link #oldestTransaction}
     * @param retention the least age of the compactions
     */
    List<CompactionJob> readyToClean(long oldest, Duration retention);

    /** Returns the tables and partitions with more aborted transactions, or with older ones. */
    List<CompactionJob> abortsToClean(Duration age, int aborts);

    void cleaning(CompactionJob job);

    /** Leaves a compaction ready to be cleaned up. */
    void cleaningAgain(CompactionJob job);

    /** Ends a job, and forgets the aborted transactions up to {@link CompactionJob#highestWriteId()}. */
    void cleaned(CompactionJob job);

    /**
     * Postpones a job whose cleaning has failed.
     *
     * @param retry the time until the next attempt
     */
    void cleaningFailed(CompactionJob job, String reason, Duration retry);

    /**
     * Runs work while no other server or metastore does work of the same kind. Waits for its turn. A server that is
     * suspended for a minute may lose its turn, so the work must be harmless when it is done twice at once.
     */
    void inTurn(Turn turn, Runnable work);
}
