package io.skep.storage.orc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.vector.Batch;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.file.ReadErrors;
import io.skep.storage.scan.BatchIterator;
import io.skep.storage.scan.BlockStore;
import io.skep.storage.scan.ColumnPredicate;
import io.skep.storage.scan.ConsecutiveRowIds;
import io.skep.storage.scan.RowGroup;
import io.skep.storage.scan.RowGroupReader;
import io.skep.storage.table.Column;
import io.skep.storage.table.Split;
import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads an ORC file. A row group is a stride of the row index. A small pool keeps idle cursors open, each at the stride
 * that it would read next. Therefore reading strides in order does not return to the beginning of the stripe.
 */
public final class OrcRowGroupReader implements RowGroupReader {
    private static final int IDLE_CURSORS = 4;

    private final List<Column> fileColumns;
    private final OrcLayout layout;
    private final OrcPruning pruning;

    @GuardedBy("this")
    private final Map<OrcStripeCursor, List<Integer>> idle = new LinkedHashMap<>();

    @GuardedBy("this")
    private boolean closed;

    public OrcRowGroupReader(HadoopFileSystem files, Split split, BlockStore blocks) {
        this.fileColumns = split.fileColumns();
        this.layout = new OrcLayout(files, split, blocks);
        this.pruning = new OrcPruning(layout, fileColumns);
    }

    @Override
    public List<RowGroup> rowGroups() {
        return layout.rowGroups();
    }

    @Override
    public BatchIterator read(RowGroup rowGroup, List<Integer> columns, int batchRows) {
        return new Strides(layout.stride(rowGroup), List.copyOf(columns), batchRows);
    }

    @Override
    public boolean mayMatch(RowGroup rowGroup, List<ColumnPredicate> predicates) {
        return predicates.isEmpty() || pruning.mayMatch(layout.stride(rowGroup), predicates);
    }

    @Override
    public Optional<ConsecutiveRowIds> rowIds(RowGroup rowGroup) {
        return pruning.rowIds(layout.stride(rowGroup));
    }

    @Override
    public boolean storesRowIds() {
        return layout.storesRowIds();
    }

    @Override
    public List<Column> describedColumns() {
        try {
            return OrcTypes.columns(layout.stored());
        } catch (RuntimeException e) {
            throw ReadErrors.of(layout.file().path(), "types", e);
        }
    }

    @Override
    public long bytesRead() {
        return layout.bytesRead.get();
    }

    @Override
    public long retainedBytes() {
        return RowGroupReader.super.retainedBytes() + layout.retainedBytes();
    }

    @Override
    public long bufferBytes(RowGroup rowGroup, List<Integer> columns) {
        OrcLayout.Stride stride = layout.stride(rowGroup);
        try {
            OrcStripeCursor cursor = open(columns, 1);
            try {
                return cursor.bufferBytes(stride);
            } finally {
                discard(cursor);
            }
        } catch (IOException | RuntimeException e) {
            throw ReadErrors.of(layout.file().path(), layout.place(stride.stripe()), e);
        }
    }

    @Override
    public synchronized long idleBytes() {
        return idle.keySet().stream().mapToLong(OrcStripeCursor::retainedBytes).sum();
    }

    /** Closes the idle cursors. Each one holds its stripe's streams and buffers. */
    @Override
    public synchronized void releaseBuffers() {
        for (OrcStripeCursor cursor : idle.keySet()) {
            discard(cursor);
        }
        idle.clear();
    }

    @Override
    public synchronized void close() {
        closed = true;
        releaseBuffers();
    }

    private OrcStripeCursor take(OrcLayout.Stride stride, List<Integer> columns, int batchRows) throws IOException {
        synchronized (this) {
            for (Iterator<Map.Entry<OrcStripeCursor, List<Integer>>> entries =
                            idle.entrySet().iterator();
                    entries.hasNext(); ) {
                Map.Entry<OrcStripeCursor, List<Integer>> entry = entries.next();
                OrcStripeCursor cursor = entry.getKey();
                if (entry.getValue().equals(columns) && cursor.batchRows() == batchRows && cursor.isAt(stride)) {
                    entries.remove();
                    return cursor;
                }
            }
        }
        return open(columns, batchRows);
    }

    private OrcStripeCursor open(List<Integer> columns, int batchRows) throws IOException {
        return new OrcStripeCursor(
                layout, columns.stream().map(fileColumns::get).toList(), batchRows);
    }

    private synchronized void giveBack(OrcStripeCursor cursor, List<Integer> columns, OrcLayout.Stride last) {
        boolean more = last.indexInStripe() + 1 < layout.strideCount(last.stripe());
        if (!more || closed) {
            discard(cursor);
            return;
        }
        cursor.park();
        idle.put(cursor, columns);
        if (idle.size() > IDLE_CURSORS) {
            OrcStripeCursor oldest = idle.keySet().iterator().next();
            idle.remove(oldest);
            discard(oldest);
        }
    }

    private void discard(OrcStripeCursor cursor) {
        try {
            cursor.close();
        } catch (IOException e) {
            throw ReadErrors.of(layout.file().path(), "closing", e);
        }
    }

    /** The batches of one stride. */
    private final class Strides implements BatchIterator {
        private final OrcLayout.Stride stride;
        private final List<Integer> columns;
        private final int batchRows;
        private @Nullable OrcStripeCursor cursor;
        private int rowsRead;

        private Strides(OrcLayout.Stride stride, List<Integer> columns, int batchRows) {
            this.stride = stride;
            this.batchRows = batchRows;
            this.columns = columns;
        }

        @Override
        public boolean hasNext() {
            return rowsRead < stride.rows();
        }

        @Override
        public Batch next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            int rows = Math.min(batchRows, stride.rows() - rowsRead);
            Batch batch = columns.isEmpty() ? new Batch(List.of(), rows) : read(rows);
            rowsRead += rows;
            return batch;
        }

        @Override
        public long retainedBytes() {
            return cursor == null ? 0 : cursor.retainedBytes();
        }

        private Batch read(int rows) {
            try {
                OrcStripeCursor current = cursor;
                if (current == null) {
                    current = take(stride, columns, batchRows);
                    cursor = current;
                    current.resume();
                    current.start(stride);
                }
                Batch batch = current.read(rows);
                if (rowsRead + rows == stride.rows()) {
                    current.finish(stride);
                    cursor = null;
                    giveBack(current, columns, stride);
                }
                return batch;
            } catch (IOException | RuntimeException e) {
                close();
                throw ReadErrors.of(layout.file().path(), layout.place(stride.stripe()), e);
            }
        }

        @Override
        public void close() {
            OrcStripeCursor current = cursor;
            cursor = null;
            if (current != null) {
                discard(current);
            }
        }
    }
}
