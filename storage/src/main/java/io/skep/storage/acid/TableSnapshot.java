package io.skep.storage.acid;

import java.util.Optional;
import org.apache.hadoop.hive.common.ValidTxnList;
import org.apache.hadoop.hive.common.ValidWriteIdList;

/**
 * What a statement sees of a transactional table.
 *
 * @param transactions the transactions that have committed, which decide whether a compaction's folders are visible
 * @param writeIds the write ids of the table whose rows are visible
 * @param insertOnly whether the table's files are of any format and no row is ever deleted
 * @param rowIds whether the scan reads row identifiers
 * @param withDeleted whether the scan reads deleted rows too, as {@code hive.acid.fetch.deleted.rows} asks
 * @param minWriteId files that hold only rows of lower write ids may be left out; 0 for none
 * @param removedSince only delete events of later write ids than these count; empty for all events
 */
public record TableSnapshot(
        ValidTxnList transactions,
        ValidWriteIdList writeIds,
        boolean insertOnly,
        boolean rowIds,
        boolean withDeleted,
        long minWriteId,
        Optional<SeenWriteIds> removedSince) {
    public TableSnapshot(
            ValidTxnList transactions,
            ValidWriteIdList writeIds,
            boolean insertOnly,
            boolean rowIds,
            boolean withDeleted) {
        this(transactions, writeIds, insertOnly, rowIds, withDeleted, 0, Optional.empty());
    }

    /** The snapshot of an insert-only table. */
    public static TableSnapshot ofInsertOnly(ValidTxnList transactions, ValidWriteIdList writeIds) {
        return new TableSnapshot(transactions, writeIds, true, false, false);
    }

    /** The snapshot of a table with deletes and updates, for a scan that reads visible rows. */
    public static TableSnapshot of(ValidTxnList transactions, ValidWriteIdList writeIds, boolean rowIds) {
        return new TableSnapshot(transactions, writeIds, false, rowIds, false);
    }

    /** Returns the same without files that hold only rows of write ids below {@code first}. */
    public TableSnapshot from(long first) {
        return new TableSnapshot(transactions, writeIds, insertOnly, rowIds, withDeleted, first, removedSince);
    }

    /**
     * Returns the same for a scan of the rows that were removed after some write ids had been seen. It reads others
     * too, but marks only these as deleted. The scan has to compare their own write ids. Files without any may be left
     * out. The listing fails with TABLE_CHANGED if compactions have mixed or dropped such rows.
     */
    public TableSnapshot removedSince(SeenWriteIds seen) {
        if (insertOnly) {
            throw new IllegalArgumentException("no row of an insert-only table is ever removed");
        }
        return new TableSnapshot(transactions, writeIds, false, rowIds, true, 0, Optional.of(seen));
    }

    boolean committed(AcidFolder folder) {
        return folder.visibilityTxnId() == 0 || transactions.isTxnValid(folder.visibilityTxnId());
    }

    boolean needsRowIds() {
        return rowIds || withDeleted;
    }
}
