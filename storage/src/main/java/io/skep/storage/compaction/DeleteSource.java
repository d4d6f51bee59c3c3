package io.skep.storage.compaction;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.StructVector;
import io.skep.common.vector.Vector;
import io.skep.storage.scan.BatchIterator;
import io.skep.storage.scan.RowGroup;
import io.skep.storage.scan.RowGroupReader;
import io.skep.storage.table.AcidColumn;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.hive.common.ValidWriteIdList;
import org.jspecify.annotations.Nullable;

/** The delete events of a file whose write ids a snapshot contains. */
final class DeleteSource implements EventSource {
    private static final List<Integer> COLUMNS = List.of(
            AcidColumn.WRITE_ID.ordinal(),
            AcidColumn.BUCKET.ordinal(),
            AcidColumn.ROW_ID.ordinal(),
            AcidColumn.CURRENT_WRITE_ID.ordinal());

    private final String path;
    private final RowGroupReader reader;
    private final ValidWriteIdList writeIds;
    private final Iterator<RowGroup> rowGroups;
    private @Nullable BatchIterator batches;

    /** @param reader the file, whose columns are the {@link AcidColumn}s */
    DeleteSource(String path, RowGroupReader reader, ValidWriteIdList writeIds) {
        this.path = path;
        this.reader = reader;
        this.writeIds = writeIds;
        this.rowGroups = reader.rowGroups().iterator();
    }

    @Override
    public @Nullable EventBatch next() {
        while (true) {
            BatchIterator current = batches;
            if (current == null) {
                if (!rowGroups.hasNext()) {
                    return null;
                }
                batches = reader.read(rowGroups.next(), COLUMNS);
            } else if (current.hasNext()) {
                EventBatch batch = visible(current.next());
                if (batch.count() > 0) {
                    return batch;
                }
            } else {
                current.close();
                batches = null;
            }
        }
    }

    private EventBatch visible(Batch events) {
        long[] current = values(events.column(AcidColumn.CURRENT_WRITE_ID.ordinal()));
        int[] kept = new int[events.rowCount()];
        int count = 0;
        for (int i = 0; i < events.rowCount(); i++) {
            if (writeIds.isWriteIdValid(current[i])) {
                kept[count++] = i;
            }
        }
        Batch visible = count == events.rowCount() ? events : events.select(kept, count);
        LongVector owner = longs(visible, AcidColumn.WRITE_ID);
        LongVector bucket = longs(visible, AcidColumn.BUCKET);
        LongVector rowId = longs(visible, AcidColumn.ROW_ID);
        StructVector ids = new StructVector(List.of(owner, bucket, rowId), null, count);
        return new EventBatch(
                Batch.of(count, ids, longs(visible, AcidColumn.CURRENT_WRITE_ID)),
                owner.values(),
                bucket.values(),
                rowId.values());
    }

    private LongVector longs(Batch events, AcidColumn column) {
        return new LongVector(values(events.column(column.ordinal())), null, events.rowCount());
    }

    private long[] values(Vector vector) {
        if (vector.mayHaveNulls() || !(vector.flatten() instanceof LongVector longs)) {
            throw new SkepException(
                            StandardErrorCode.CORRUPT_FILE, "a delete event of " + path + " has no complete identifier")
                    .withHint("restore the file from a copy");
        }
        return longs.values();
    }

    @Override
    public void close() {
        try (reader) {
            BatchIterator current = batches;
            if (current != null) {
                current.close();
            }
        }
    }
}
