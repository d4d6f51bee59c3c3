package io.skep.metastore.transaction;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.hadoop.hive.common.ValidTxnList;
import org.apache.hadoop.hive.common.ValidWriteIdList;

/**
 * The transactions of transactional tables, in the tables of Hive's metastore, which other servers of Skep and Hive
 * share. A transaction that sends no heartbeat is aborted after {@link TransactionConfig#timeout()}, by any server. The
 * order of calls for a writer is that of Hive: open, allocate write ids, lock, read the snapshot, write, add dynamic
 * partitions, commit. Names of databases and tables are in lower case.
 *
 * <p>An interrupted caller of a method that reads gets OPERATION_CANCELED. One that has begun to change something waits
 * for the outcome. {@link #abort}, {@link #abortAll} and {@link #unlock} are carried out for interrupted callers too.
 * All methods fail with METASTORE_ERROR when the database does, and with TRANSACTION_NOT_FOUND or TRANSACTION_ABORTED
 * when a transaction is not open any more. Thread-safe. Uses no connection before the first call.
 */
public interface TransactionStore {
    /**
     * Opens a transaction, and returns its id. A caller that is interrupted before gets OPERATION_CANCELED, and none.
     */
    long open(TransactionOwner owner, TransactionKind kind);

    /** Keeps a transaction and its locks from timing out. */
    void heartbeat(long transaction);

    /**
     * Commits a transaction. Its files are visible from then on, and its locks are released. A second commit of the
     * same transaction does nothing.
     *
     * @param exclusiveWrites whether all writers hold locks that exclude each other; otherwise the first of two writers
     *     of the same rows wins
     * @throws SkepException TRANSACTION_ABORTED when another transaction has changed the same table or partition and
     *     has committed since this one was opened
     */
    void commit(long transaction, boolean exclusiveWrites);

    /** Aborts a transaction, and releases its locks. A transaction that is already aborted stays so. */
    void abort(long transaction);

    /**
     * Decides the outcome of a transaction whose owner does not know it, or is gone: aborts it, unless it has
     * committed.
     *
     * @return whether it has committed. A transaction that the database has forgotten has not; one that has committed
     *     is remembered for as long as any of the files that it has written is read
     */
    default boolean abortUnlessCommitted(long transaction) {
        try {
            abort(transaction);
            return false;
        } catch (SkepException e) {
            if (e.code() != StandardErrorCode.TRANSACTION_NOT_FOUND) {
                throw e;
            }
        }
        try {
            // A second commit does nothing, and says that there was a first one.
            commit(transaction, false);
            return true;
        } catch (SkepException e) {
            if (e.code() == StandardErrorCode.TRANSACTION_NOT_FOUND
                    || e.code() == StandardErrorCode.TRANSACTION_ABORTED) {
                return false;
            }
            throw e;
        }
    }

    /** Aborts those of the transactions that are open. */
    void abortAll(Collection<Long> transactions);

    /**
     * Returns the transactions that a transaction sees: those committed before this call with an id up to its own. Also
     * for 0, which sees all that have committed.
     */
    ValidTxnList validTransactions(long transaction);

    /**
     * Returns the write ids whose rows are visible, for each table.
     *
     * @param snapshot the transactions that are visible
     * @param tables names with the database, such as {@code default.t}
     */
    Map<String, ValidWriteIdList> validWriteIds(ValidTxnList snapshot, Collection<String> tables);

    /** Returns the write id of a transaction in a table; the same one for each call. */
    long allocateWriteId(long transaction, String database, String table);

    /**
     * Returns the latest transaction that has committed changes of what this transaction has requested to update or
     * delete, and that this transaction may not see. After it holds its locks, a transaction with such a conflict has
     * to be opened again, because its snapshot ends at its own id.
     */
    OptionalLong latestConflict(long transaction);

    /**
     * Requests locks for a transaction. They are released at its end. Does not wait.
     *
     * @throws SkepException TRANSACTION_ABORTED when another transaction has committed a change that conflicts with a
     *     requested SHARED_WRITE
     */
    LockResult lock(long transaction, TransactionOwner owner, List<LockComponent> components);

    /**
     * Checks again whether requested locks are granted, and is a heartbeat of their transaction.
     *
     * @throws SkepException LOCK_NOT_FOUND
     */
    LockResult checkLock(long transaction, long lock);

    /** Gives up locks that are not granted yet. Those that are granted end only with their transaction. */
    void unlock(long lock);

    /**
     * Records the partitions that a transaction has written, when its lock request did not name them.
     *
     * @param partitions their names, such as {@code ds=x}
     */
    void addPartitions(
            long transaction,
            long writeId,
            String database,
            String table,
            Collection<String> partitions,
            DataOperation operation);

    /**
     * Returns what committed transactions have done to a table, as far as the database still knows it: what compactions
     * have cleaned is forgotten, and changes of definitions are not recorded.
     *
     * @param after only of later write ids
     * @param limit the most write ids that are returned, the lowest ones
     * @return by write id, whether rows were updated, deleted or replaced; otherwise rows were only inserted
     */
    Map<Long, Boolean> committedChanges(String database, String table, long after, int limit);

    /** Lists open and aborted transactions, by id. */
    List<ListedTransaction> transactions();

    List<ListedLock> locks(LockFilter filter);

    List<ListedCompaction> compactions(CompactionFilter filter);

    /** Returns the queue of compactions of the same database. */
    CompactionStore compactionQueue();
}
