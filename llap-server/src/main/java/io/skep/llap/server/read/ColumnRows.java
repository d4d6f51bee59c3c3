package io.skep.llap.server.read;

import io.skep.common.vector.Batch;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorArrays;
import io.skep.llap.server.cache.PinnedChunk;
import io.skep.llap.server.chunk.ChunkReader;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** The values of one column in one row group, held until closed. Owned by one thread at a time. */
sealed interface ColumnRows extends AutoCloseable {
    /** @param arrays for the values, where they are not shared with anything else */
    Vector decode(int from, int count, VectorArrays arrays);

    /** Decodes the rows {@code from + rows[i]} of the range {@code [from, from + span)}. */
    default Vector decode(int from, int span, int[] rows, int count, VectorArrays arrays) {
        return decode(from, span, arrays).select(rows, count);
    }

    /** Returns the same rows in the arrays, where the values are not shared with anything else. */
    default Vector retain(int from, int span, int[] rows, int count, VectorArrays arrays) {
        return decode(from, span, arrays).select(rows, count);
    }

    int rowCount();

    /** Heap bytes that only this object holds. */
    long heapBytes();

    /** Encoded bytes, or decoded bytes where the column is not encoded. */
    long bytes();

    @Override
    void close();

    /** A column in the cache. */
    final class Cached implements ColumnRows {
        private final PinnedChunk pinned;
        private final ChunkReader reader;

        Cached(PinnedChunk pinned) {
            this.pinned = pinned;
            this.reader = pinned.reader();
        }

        @Override
        public Vector decode(int from, int count, VectorArrays arrays) {
            return reader.decode(from, count, arrays);
        }

        @Override
        public Vector decode(int from, int span, int[] rows, int count, VectorArrays arrays) {
            return reader.decode(from, span, rows, count, arrays);
        }

        @Override
        public Vector retain(int from, int span, int[] rows, int count, VectorArrays arrays) {
            return reader.retain(from, span, rows, count, arrays);
        }

        @Override
        public int rowCount() {
            return reader.rowCount();
        }

        @Override
        public long heapBytes() {
            return 0;
        }

        @Override
        public long bytes() {
            return pinned.length();
        }

        @Override
        public void close() {
            pinned.close();
        }
    }

    /** An encoded column for which the cache had no room. */
    final class OnHeap implements ColumnRows {
        private final ChunkReader reader;
        private final int length;

        OnHeap(byte[] encoded) {
            this.reader = new ChunkReader(MemorySegment.ofArray(encoded));
            this.length = encoded.length;
        }

        @Override
        public Vector decode(int from, int count, VectorArrays arrays) {
            return reader.decode(from, count, arrays);
        }

        @Override
        public Vector decode(int from, int span, int[] rows, int count, VectorArrays arrays) {
            return reader.decode(from, span, rows, count, arrays);
        }

        @Override
        public Vector retain(int from, int span, int[] rows, int count, VectorArrays arrays) {
            return reader.retain(from, span, rows, count, arrays);
        }

        @Override
        public int rowCount() {
            return reader.rowCount();
        }

        @Override
        public long heapBytes() {
            return length;
        }

        @Override
        public long bytes() {
            return length;
        }

        @Override
        public void close() {}
    }

    /**
     * The batches as they were read, each of {@link Batch#TARGET_ROWS} rows. One call decodes rows of one batch only.
     */
    record Plain(List<Vector> parts) implements ColumnRows {
        @Override
        public Vector decode(int from, int count, VectorArrays arrays) {
            return parts.get(from / Batch.TARGET_ROWS).slice(from % Batch.TARGET_ROWS, count);
        }

        @Override
        public int rowCount() {
            return parts.stream().mapToInt(Vector::length).sum();
        }

        @Override
        public long heapBytes() {
            return bytes();
        }

        @Override
        public long bytes() {
            return parts.stream().mapToLong(Vector::retainedBytes).sum();
        }

        @Override
        public void close() {}
    }
}
