package io.skep.storage.page;

import io.skep.common.vector.Batch;
import io.skep.common.vector.Vector;
import io.skep.storage.scan.BatchIterator;
import io.skep.storage.scan.RowGroup;
import io.skep.storage.scan.RowGroupCursor;
import io.skep.storage.scan.RowGroupReader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over one row group of a reader. Each set of columns is read in a separate pass, which begins when one of its
 * columns is requested.
 */
final class ReaderCursor implements RowGroupCursor {
    private final RowGroup rowGroup;
    private final List<Pass> passes = new ArrayList<>();
    private final int batchRows;
    private long rowsGiven;
    private int batch = -1;

    ReaderCursor(RowGroupReader reader, RowGroup rowGroup, List<List<Integer>> columnSets, int batchRows) {
        this.rowGroup = rowGroup;
        this.batchRows = batchRows;
        for (List<Integer> columns : columnSets) {
            passes.add(new Pass(reader, rowGroup, columns, batchRows));
        }
    }

    @Override
    public RowGroup rowGroup() {
        return rowGroup;
    }

    @Override
    public int next() {
        batch++;
        int count = rowGroup.rowCount() < 0
                ? passes.getFirst().rows(batch)
                : (int) Math.min(batchRows, rowGroup.rowCount() - rowsGiven);
        rowsGiven += count;
        return count;
    }

    @Override
    public Vector column(int fileColumn) {
        for (Pass pass : passes) {
            int index = pass.columns.indexOf(fileColumn);
            if (index >= 0) {
                return pass.at(batch).column(index);
            }
        }
        throw new IllegalArgumentException("file column " + fileColumn + " is not read");
    }

    /** Returns the heap bytes of the readers' buffers. */
    long retainedBytes() {
        return passes.stream().mapToLong(Pass::retainedBytes).sum();
    }

    @Override
    public void close() {
        passes.forEach(Pass::close);
    }

    private static final class Pass {
        private final RowGroupReader reader;
        private final RowGroup rowGroup;
        private final List<Integer> columns;
        private final int batchRows;
        private @Nullable BatchIterator batches;
        private @Nullable Batch current;
        private int position = -1;

        private Pass(RowGroupReader reader, RowGroup rowGroup, List<Integer> columns, int batchRows) {
            this.reader = reader;
            this.rowGroup = rowGroup;
            this.columns = columns;
            this.batchRows = batchRows;
        }

        private Batch at(int wanted) {
            Batch found = advance(wanted);
            if (found == null) {
                throw new IllegalStateException("row group " + rowGroup + " ends before batch " + wanted);
            }
            return found;
        }

        private int rows(int wanted) {
            Batch found = advance(wanted);
            return found == null ? 0 : found.rowCount();
        }

        private @Nullable Batch advance(int wanted) {
            BatchIterator iterator = batches;
            if (iterator == null) {
                iterator = reader.read(rowGroup, columns, batchRows);
                batches = iterator;
            }
            while (position < wanted) {
                current = iterator.hasNext() ? iterator.next() : null;
                position++;
            }
            return current;
        }

        private long retainedBytes() {
            return batches == null ? 0 : batches.retainedBytes();
        }

        private void close() {
            BatchIterator iterator = batches;
            batches = null;
            if (iterator != null) {
                iterator.close();
            }
        }
    }
}
