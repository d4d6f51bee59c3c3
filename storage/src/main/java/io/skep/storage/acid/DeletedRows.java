package io.skep.storage.acid;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.storage.scan.BatchIterator;
import io.skep.storage.scan.RowGroup;
import io.skep.storage.scan.RowGroupReader;
import io.skep.storage.table.AcidColumn;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.apache.hadoop.hive.common.ValidWriteIdList;
import org.jspecify.annotations.Nullable;

/** The rows that delete events name. Immutable. */
final class DeletedRows {
    static final DeletedRows NONE = new DeletedRows(Map.of());

    private static final int ENTRY_BYTES = 96;

    private record Owner(long writeId, int bucket) {}

    private final Map<Owner, RowIdSet> sets;
    private final long bytes;

    private DeletedRows(Map<Owner, RowIdSet> sets) {
        this.sets = Map.copyOf(sets);
        this.bytes = sets.values().stream()
                .mapToLong(set -> ENTRY_BYTES + set.retainedBytes())
                .sum();
    }

    boolean isEmpty() {
        return sets.isEmpty();
    }

    /** Returns the deleted rows of a write id and bucket property, or null if there are none. */
    @Nullable
    RowIdSet of(long writeId, int bucket) {
        return sets.get(new Owner(writeId, bucket));
    }

    long retainedBytes() {
        return bytes;
    }

    /** Collects delete events. Owned by one thread. */
    static final class Builder {
        private static final int FIRST_LENGTH = 16;

        private static final List<Integer> COLUMNS = List.of(
                AcidColumn.WRITE_ID.ordinal(),
                AcidColumn.BUCKET.ordinal(),
                AcidColumn.ROW_ID.ordinal(),
                AcidColumn.CURRENT_WRITE_ID.ordinal());

        /** Row ids of one owner. */
        private static final class RowIds {
            long[] values = new long[FIRST_LENGTH];
            int count;
        }

        private final @Nullable ValidWriteIdList writeIds;
        private final LongConsumer reserve;
        private final Map<Owner, RowIds> owners = new HashMap<>();

        /**
         * @param writeIds the snapshot, if events of other write ids must be left out
         * @param reserve called with the bytes before they are allocated
         */
        Builder(@Nullable ValidWriteIdList writeIds, LongConsumer reserve) {
            this.writeIds = writeIds;
            this.reserve = reserve;
        }

        /** Adds the events of a file, whose file columns are the {@link AcidColumn}s. */
        void add(String path, RowGroupReader reader) {
            for (RowGroup rowGroup : reader.rowGroups()) {
                try (BatchIterator batches = reader.read(rowGroup, COLUMNS)) {
                    while (batches.hasNext()) {
                        add(path, batches.next());
                    }
                }
            }
        }

        private void add(String path, Batch batch) {
            long[] owner = values(path, batch, AcidColumn.WRITE_ID);
            long[] bucket = values(path, batch, AcidColumn.BUCKET);
            long[] rowId = values(path, batch, AcidColumn.ROW_ID);
            long[] current = values(path, batch, AcidColumn.CURRENT_WRITE_ID);
            RowIds ids = null;
            for (int i = 0; i < batch.rowCount(); i++) {
                if (writeIds != null && !writeIds.isWriteIdValid(current[i])) {
                    continue;
                }
                if (ids == null || i > 0 && (owner[i] != owner[i - 1] || bucket[i] != bucket[i - 1])) {
                    ids = rowIds(new Owner(owner[i], Math.toIntExact(bucket[i])));
                }
                append(ids, rowId[i]);
            }
        }

        private RowIds rowIds(Owner owner) {
            RowIds known = owners.get(owner);
            if (known == null) {
                reserve.accept(ENTRY_BYTES + (long) FIRST_LENGTH * Long.BYTES);
                known = new RowIds();
                owners.put(owner, known);
            }
            return known;
        }

        private void append(RowIds ids, long rowId) {
            if (ids.count == ids.values.length) {
                reserve.accept((long) ids.count * Long.BYTES);
                ids.values = Arrays.copyOf(ids.values, Math.multiplyExact(ids.count, 2));
            }
            ids.values[ids.count++] = rowId;
        }

        private static long[] values(String path, Batch batch, AcidColumn column) {
            Vector vector = batch.column(column.ordinal());
            if (vector.mayHaveNulls() || !(vector.flatten() instanceof LongVector longs)) {
                throw new SkepException(
                                StandardErrorCode.CORRUPT_FILE,
                                "a delete event of " + path + " has no " + column.storedName())
                        .withHint("restore the file from a copy");
            }
            return longs.values();
        }

        DeletedRows build() {
            Map<Owner, RowIdSet> sets = new HashMap<>();
            owners.forEach((owner, ids) -> sets.put(owner, RowIdSet.of(ids.values, ids.count)));
            owners.clear();
            return new DeletedRows(sets);
        }
    }
}
