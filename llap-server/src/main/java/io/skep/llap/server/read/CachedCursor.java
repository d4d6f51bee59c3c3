package io.skep.llap.server.read;

import io.skep.common.memory.MemoryPool;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorArrays;
import io.skep.storage.scan.RowGroup;
import io.skep.storage.scan.RowGroupCursor;
import java.util.Map;

/** Walks the cached columns of one row group; decodes what is asked for. */
final class CachedCursor implements RowGroupCursor {
    private final RowGroup rowGroup;
    private final Map<Integer, ColumnRows> columns;
    private final MemoryPool memory;
    private final VectorArrays arrays;
    private final long heapBytes;
    private final int rows;
    private int from;
    private int count;
    private boolean closed;

    /**
     * @param matches false when no row is to be given
     * @param memory pays for columns that are not in the cache
     * @param arrays for the values that are decoded
     */
    CachedCursor(
            RowGroup rowGroup,
            Map<Integer, ColumnRows> columns,
            boolean matches,
            MemoryPool memory,
            VectorArrays arrays) {
        this.rowGroup = rowGroup;
        this.columns = columns;
        this.memory = memory;
        this.arrays = arrays;
        this.rows = matches ? rowCount(rowGroup, columns) : 0;
        heapBytes = columns.values().stream().mapToLong(ColumnRows::heapBytes).sum();
        memory.reserve(heapBytes);
    }

    private static int rowCount(RowGroup rowGroup, Map<Integer, ColumnRows> columns) {
        return rowGroup.rowCount() >= 0
                ? Math.toIntExact(rowGroup.rowCount())
                : columns.values().stream().mapToInt(ColumnRows::rowCount).max().orElse(0);
    }

    @Override
    public RowGroup rowGroup() {
        return rowGroup;
    }

    @Override
    public int next() {
        from += count;
        count = Math.min(Batch.TARGET_ROWS, rows - from);
        return count;
    }

    @Override
    public Vector column(int fileColumn) {
        return values(fileColumn).decode(from, count, arrays);
    }

    @Override
    public Vector column(int fileColumn, int[] wanted, int wantedCount) {
        return values(fileColumn).decode(from, count, wanted, wantedCount, arrays);
    }

    private ColumnRows values(int fileColumn) {
        ColumnRows column = columns.get(fileColumn);
        if (column == null) {
            throw new IllegalArgumentException("file column " + fileColumn + " is not read");
        }
        return column;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            columns.values().forEach(ColumnRows::close);
            memory.release(heapBytes);
        }
    }
}
