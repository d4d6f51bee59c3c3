package io.skep.llap.server.read;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.storage.scan.BatchIterator;
import io.skep.storage.scan.ColumnPredicate;
import io.skep.storage.scan.RowGroup;
import io.skep.storage.scan.RowGroupReader;
import io.skep.storage.scan.RowGroupReaderFactory;
import io.skep.storage.table.Split;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Simulated files in which column {@code c} of row {@code r} of row group {@code g} is
 * {@code g * 1,000,000 + r * 10 + c + modification time}. Counts the opened and closed files and the reads.
 */
final class CountingFiles implements RowGroupReaderFactory {
    static final long GROUP_BYTES = 100;

    final AtomicInteger opened = new AtomicInteger();
    final AtomicInteger closed = new AtomicInteger();
    final AtomicLong columnsRead = new AtomicLong();
    final AtomicInteger reads = new AtomicInteger();
    final int rowsOfGroup;
    final boolean countsKnown;

    /** Whether the files report which row groups cannot match: all but the third. */
    volatile boolean prunes = true;

    /** A row group whose reading fails; -1 for none. */
    volatile int broken = -1;

    /** A row group whose reads find no memory, as often as {@link #refusals} specifies. */
    int large = -1;

    final AtomicInteger refusals = new AtomicInteger();

    /** Bytes of a file that is reported as one row group. */
    long wholeFileBytes;

    /** Bytes of buffers that reading a row group is reported to need. */
    long bufferBytes;

    /** Whether every other batch is empty, including the first and the last one. */
    boolean givesEmptyBatches;

    CountingFiles(int rowsOfGroup, boolean countsKnown) {
        this.rowsOfGroup = rowsOfGroup;
        this.countsKnown = countsKnown;
    }

    @Override
    public RowGroupReader open(Split split) {
        opened.incrementAndGet();
        return new Reader(split);
    }

    private final class Reader implements RowGroupReader {
        private final Split split;
        private final AtomicLong bytes = new AtomicLong();
        private volatile boolean gone;

        Reader(Split split) {
            this.split = split;
        }

        @Override
        public List<RowGroup> rowGroups() {
            List<RowGroup> groups = new ArrayList<>();
            for (int i = 0; i < split.file().length() / GROUP_BYTES; i++) {
                groups.add(new RowGroup(i, i * GROUP_BYTES, countsKnown ? rowsOfGroup : -1));
            }
            return groups;
        }

        @Override
        public BatchIterator read(RowGroup rowGroup, List<Integer> columns, int batchRows) {
            if (gone) {
                throw new IllegalStateException("read after close");
            }
            if (rowGroup.index() == broken) {
                throw new SkepException(StandardErrorCode.CORRUPT_FILE, "row group " + broken + " is damaged");
            }
            if (rowGroup.index() == large && refusals.getAndDecrement() > 0) {
                throw new SkepException(StandardErrorCode.MEMORY_LIMIT_EXCEEDED, "no room for row group " + large);
            }
            if (columns.stream().anyMatch(column -> column < 0)) {
                throw new IllegalArgumentException("there are no columns " + columns);
            }
            columnsRead.addAndGet(columns.size());
            reads.incrementAndGet();
            bytes.addAndGet(GROUP_BYTES);
            return new Batches(rowGroup, columns, batchRows);
        }

        @Override
        public boolean mayMatch(RowGroup rowGroup, List<ColumnPredicate> predicates) {
            return !prunes || predicates.isEmpty() || rowGroup.index() == 2;
        }

        @Override
        public long wholeFileBytes(RowGroup rowGroup) {
            return wholeFileBytes;
        }

        @Override
        public long bufferBytes(RowGroup rowGroup, List<Integer> columns) {
            return bufferBytes;
        }

        @Override
        public long bytesRead() {
            return bytes.get();
        }

        @Override
        public void close() {
            gone = true;
            closed.incrementAndGet();
        }

        private final class Batches implements BatchIterator {
            private final RowGroup rowGroup;
            private final List<Integer> columns;
            private final int batchRows;
            private int row;
            private boolean empty;

            Batches(RowGroup rowGroup, List<Integer> columns, int batchRows) {
                this.rowGroup = rowGroup;
                this.batchRows = batchRows;
                this.columns = columns;
            }

            @Override
            public boolean hasNext() {
                return row < rowsOfGroup || givesEmptyBatches && !empty;
            }

            @Override
            public Batch next() {
                empty = givesEmptyBatches && !empty;
                int count = empty ? 0 : Math.min(batchRows, rowsOfGroup - row);
                List<Vector> vectors = new ArrayList<>();
                for (int column : columns) {
                    long[] values = new long[count];
                    for (int i = 0; i < count; i++) {
                        values[i] = value(split.file().modificationTime(), rowGroup.index(), row + i, column);
                    }
                    vectors.add(new LongVector(values, null, count));
                }
                row += count;
                return new Batch(vectors, count);
            }

            @Override
            public void close() {}
        }
    }

    static long value(long modificationTime, int rowGroup, int row, int column) {
        return rowGroup * 1_000_000L + row * 10L + column + modificationTime;
    }
}
