package io.skep.storage.compaction;

import io.skep.common.vector.Batch;

/**
 * Rows or delete events with their identifiers, which ascend. Valid until the next batch of the same source.
 *
 * @param rows as {@link io.skep.storage.write.PageSinkFactory#createMerged} takes them
 */
@SuppressWarnings("ArrayRecordComponent")
record EventBatch(Batch rows, long[] writeIds, long[] buckets, long[] rowIds) {
    int count() {
        return rows.rowCount();
    }

    EventId id(int row) {
        return new EventId(writeIds[row], buckets[row], rowIds[row]);
    }

    /** Returns the first position from a given one on whose identifier is at least a given one. */
    int firstAtLeast(EventId bound, int from) {
        return first(bound, from, 0);
    }

    /** Returns the first position from a given one on whose identifier is above a given one. */
    int firstAbove(EventId bound, int from) {
        return first(bound, from, 1);
    }

    private int first(EventId bound, int from, int least) {
        int low = from;
        int high = count();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (compare(middle, bound) < least) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private int compare(int row, EventId other) {
        int order = Long.compare(writeIds[row], other.writeId());
        if (order == 0) {
            order = Long.compare(buckets[row], other.bucket());
        }
        return order == 0 ? Long.compare(rowIds[row], other.rowId()) : order;
    }
}
