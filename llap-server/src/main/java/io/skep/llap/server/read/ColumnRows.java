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
    /** @param arrays for the values, as long as they are not shared with anything else */
    Vector decode(int from, int count, VectorArrays arrays);

    /** The rows {@code from + rows[i]} of those of {@code [from, from + span)}. */
    default Vector decode(int from, int span, int[] rows, int count, VectorArrays arrays) {
        return decode(from, span, arrays).select(rows, count);
    }

    int rowCount();

    /** Bytes of heap that only this holds. */
    long heapBytes();

    /** Encoded bytes, or decoded where it is not encoded. */
    long bytes();

    @Override
    void close();

    /** In the cache. */
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

    /** Encoded, but the cache had no place for it. */
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

    /** The batches as they were read, each of {@link Batch#TARGET_ROWS} rows; what is decoded at once is of one of them. */
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
