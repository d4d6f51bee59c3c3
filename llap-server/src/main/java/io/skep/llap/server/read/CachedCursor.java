package io.skep.llap.server.read;

import io.skep.common.memory.MemoryPool;
import io.skep.common.memory.ScratchMemory;
import io.skep.common.vector.Batch;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorArrays;
import io.skep.llap.server.cache.FileSchema;
import io.skep.storage.scan.RowGroup;
import io.skep.storage.scan.RowGroupCursor;
import java.util.Map;

/** Iterates over the cached columns of one row group, and decodes the requested values. */
final class CachedCursor implements RowGroupCursor {
    private static final long COUNT_STEP = 1 << 20;

    private final RowGroup rowGroup;
    private final Map<Integer, ColumnRows> columns;
    private final MemoryPool memory;
    private final VectorArrays arrays;
    private final int batchRows;
    private final long heapBytes;
    private final long rows;
    private long from;
    private int count;
    private long uncounted;
    private boolean closed;

    /**
     * @param matches false when no row may be returned
     * @param memory account of columns that are not in the cache
     * @param heapBytes bytes reserved for them; released by closing
     * @param arrays for the decoded values
     * @param batchRows rows of a batch: a part of {@link Batch#TARGET_ROWS}
     */
    CachedCursor(
            RowGroup rowGroup,
            Map<Integer, ColumnRows> columns,
            boolean matches,
            MemoryPool memory,
            long heapBytes,
            VectorArrays arrays,
            int batchRows) {
        this.rowGroup = rowGroup;
        this.columns = columns;
        this.memory = memory;
        this.arrays = arrays;
        this.batchRows = batchRows;
        this.rows = matches ? rowCount(rowGroup, columns) : 0;
        this.heapBytes = heapBytes;
    }

    private static long rowCount(RowGroup rowGroup, Map<Integer, ColumnRows> columns) {
        if (rowGroup.rowCount() >= 0) {
            return rowGroup.rowCount();
        }
        ColumnRows counted = columns.get(FileSchema.ROW_COUNT);
        return counted == null
                ? columns.values().stream().mapToInt(ColumnRows::rowCount).max().orElse(0)
                : ((LongVector) counted.decode(0, 1, VectorArrays.NEW).flatten()).value(0);
    }

    @Override
    public RowGroup rowGroup() {
        return rowGroup;
    }

    @Override
    public int next() {
        from += count;
        count = (int) Math.min(batchRows, rows - from);
        return count;
    }

    @Override
    public Vector column(int fileColumn) {
        return counted(values(fileColumn).decode(Math.toIntExact(from), count, arrays));
    }

    @Override
    public Vector column(int fileColumn, int[] wanted, int wantedCount) {
        return counted(values(fileColumn).decode(Math.toIntExact(from), count, wanted, wantedCount, arrays));
    }

    @Override
    public Vector retained(int fileColumn, int[] wanted, int wantedCount) {
        return counted(values(fileColumn).retain(Math.toIntExact(from), count, wanted, wantedCount, arrays));
    }

    /** Accounts for the vectors of a wide batch together while they are created, because they are small and many. */
    private Vector counted(Vector decoded) {
        if (batchRows < Batch.TARGET_ROWS) {
            uncounted += decoded.retainedBytes();
            if (uncounted >= COUNT_STEP) {
                ScratchMemory.count(uncounted);
                uncounted = 0;
            }
        }
        return decoded;
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
