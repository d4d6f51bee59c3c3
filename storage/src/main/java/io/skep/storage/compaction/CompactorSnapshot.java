package io.skep.storage.compaction;

import io.skep.storage.acid.AcidFolder;
import io.skep.storage.acid.AcidState;
import io.skep.storage.acid.TableSnapshot;
import io.skep.storage.file.FileEntry;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hive.common.ValidReaderWriteIdList;
import org.apache.hadoop.hive.common.ValidTxnList;
import org.apache.hadoop.hive.common.ValidWriteIdList;

/**
 * What a compaction sees of a table: all writes below the first open one. None of these changes any more, so all later
 * readers see the same of them.
 *
 * @param writeIds without open ones
 */
public record CompactorSnapshot(ValidTxnList transactions, ValidWriteIdList writeIds) {
    /**
     * Returns the part of a reader's snapshot that does not change any more.
     *
     * @param limit the last write id of the part, if there are later ones
     */
    public static CompactorSnapshot of(ValidTxnList transactions, ValidWriteIdList reader, long limit) {
        Long firstOpen = reader.getMinOpenWriteId();
        long last = Math.min(reader.getHighWatermark(), limit);
        for (long writeId : reader.getInvalidWriteIds()) {
            if (!reader.isWriteIdAborted(writeId)) {
                last = Math.min(last, writeId - 1);
            }
        }
        if (firstOpen != null) {
            last = Math.min(last, firstOpen - 1);
        }
        List<Long> aborted = new ArrayList<>();
        for (long writeId : reader.getInvalidWriteIds()) {
            if (writeId <= last) {
                aborted.add(writeId);
            }
        }
        BitSet all = new BitSet();
        all.set(0, aborted.size());
        long[] exceptions = aborted.stream().mapToLong(Long::longValue).sorted().toArray();
        return new CompactorSnapshot(
                transactions, new ValidReaderWriteIdList(reader.getTableName(), exceptions, all, last));
    }

    public long highestWriteId() {
        return writeIds.getHighWatermark();
    }

    TableSnapshot ofTable(boolean insertOnly) {
        return insertOnly
                ? TableSnapshot.ofInsertOnly(transactions, writeIds)
                : TableSnapshot.of(transactions, writeIds, true);
    }

    /** Leaves out folders that may contain later writes. */
    List<FileEntry> below(String location, List<FileEntry> tree) {
        List<FileEntry> below = new ArrayList<>();
        for (FileEntry entry : tree) {
            Optional<AcidFolder> folder = AcidState.folderOf(location, entry);
            if (folder.isEmpty() || folder.get().maxWriteId() <= highestWriteId()) {
                below.add(entry);
            }
        }
        return below;
    }
}
