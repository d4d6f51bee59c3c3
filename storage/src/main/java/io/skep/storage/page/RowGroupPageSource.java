package io.skep.storage.page;

import io.skep.common.vector.Vector;
import io.skep.storage.scan.ColumnChunkSource;
import io.skep.storage.scan.PageSource;
import io.skep.storage.scan.RowGroupCursor;
import io.skep.storage.scan.ScanStats;
import io.skep.storage.scan.SourceBatch;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Reads a split, row group by row group, from a column chunk source. Maps its columns to the columns of the scan. */
public final class RowGroupPageSource implements PageSource {
    private final ColumnMapping mapping;
    private final ColumnChunkSource source;
    private @Nullable RowGroupCursor cursor;
    private long rows;

    public RowGroupPageSource(ColumnMapping mapping, ColumnChunkSource source) {
        this.mapping = mapping;
        this.source = source;
    }

    @Override
    public CompletableFuture<?> blocked() {
        return cursor == null ? source.ready() : NOT_BLOCKED;
    }

    @Override
    public @Nullable SourceBatch next() {
        while (true) {
            RowGroupCursor current = cursor;
            if (current == null) {
                current = source.nextRowGroup();
                if (current == null) {
                    return null;
                }
                cursor = current;
            }
            int count = current.next();
            if (count > 0) {
                rows += count;
                return new MappedBatch(mapping, current, count);
            }
            cursor = null;
            current.close();
            if (!source.ready().isDone()) {
                return new MappedBatch(mapping, current, 0);
            }
        }
    }

    @Override
    public ScanStats stats() {
        ScanStats stats = source.stats();
        return new ScanStats(
                rows,
                stats.rowGroupsRead(),
                stats.rowGroupsSkipped(),
                stats.bytesRead(),
                stats.cacheHitBytes(),
                stats.cacheMissBytes(),
                stats.ioNanos());
    }

    @Override
    public void close() {
        RowGroupCursor current = cursor;
        cursor = null;
        try (source) {
            if (current != null) {
                current.close();
            }
        }
    }

    private static final class MappedBatch implements SourceBatch {
        private final ColumnMapping mapping;
        private final RowGroupCursor cursor;
        private final int rowCount;
        private final Map<Integer, Vector> columns = new HashMap<>();

        private MappedBatch(ColumnMapping mapping, RowGroupCursor cursor, int rowCount) {
            this.mapping = mapping;
            this.cursor = cursor;
            this.rowCount = rowCount;
        }

        @Override
        public int rowCount() {
            return rowCount;
        }

        @Override
        public Vector column(int index) {
            return columns.computeIfAbsent(
                    index, i -> rowCount == 0 ? mapping.emptyColumn(i) : mapping.column(i, cursor, rowCount));
        }

        @Override
        public Vector column(int index, int[] rows, int count) {
            return rowCount == 0 || columns.containsKey(index)
                    ? column(index).select(rows, count)
                    : mapping.column(index, cursor, rowCount, rows, count);
        }
    }
}
