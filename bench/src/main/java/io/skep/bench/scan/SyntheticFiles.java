package io.skep.bench.scan;

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

/** A virtual file of one column, in which value {@code i} is {@link #value}. */
final class SyntheticFiles implements RowGroupReaderFactory {
    static final int GROUP_ROWS = 100_000;

    private final long rows;

    SyntheticFiles(long rows) {
        this.rows = rows;
    }

    /** Returns twenty bits that no encoding can compress. */
    static long value(long row) {
        long mixed = row * 0x9E3779B97F4A7C15L;
        return (mixed ^ mixed >>> 32) & 0xFFFFF;
    }

    @Override
    public RowGroupReader open(Split split) {
        return new Reader();
    }

    private final class Reader implements RowGroupReader {
        @Override
        public List<RowGroup> rowGroups() {
            List<RowGroup> groups = new ArrayList<>();
            for (long from = 0; from < rows; from += GROUP_ROWS) {
                groups.add(new RowGroup(groups.size(), from, Math.min(GROUP_ROWS, rows - from)));
            }
            return groups;
        }

        @Override
        public BatchIterator read(RowGroup rowGroup, List<Integer> columns, int batchRows) {
            return new Batches(rowGroup, columns.size(), batchRows);
        }

        @Override
        public boolean mayMatch(RowGroup rowGroup, List<ColumnPredicate> predicates) {
            return true;
        }

        @Override
        public long bytesRead() {
            return 0;
        }

        @Override
        public void close() {}
    }

    private static final class Batches implements BatchIterator {
        private final RowGroup rowGroup;
        private final int columns;
        private final int batchRows;
        private int done;

        Batches(RowGroup rowGroup, int columns, int batchRows) {
            this.rowGroup = rowGroup;
            this.batchRows = batchRows;
            this.columns = columns;
        }

        @Override
        public boolean hasNext() {
            return done < rowGroup.rowCount();
        }

        @Override
        public Batch next() {
            int count = (int) Math.min(batchRows, rowGroup.rowCount() - done);
            long[] values = new long[count];
            for (int i = 0; i < count; i++) {
                values[i] = value(rowGroup.offset() + done + i);
            }
            done += count;
            List<Vector> vectors = new ArrayList<>();
            for (int column = 0; column < columns; column++) {
                vectors.add(new LongVector(values, null, count));
            }
            return new Batch(vectors, count);
        }

        @Override
        public void close() {}
    }
}
