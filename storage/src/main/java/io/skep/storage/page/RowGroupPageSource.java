package io.skep.storage.page;

import io.skep.common.vector.Vector;
import io.skep.storage.acid.AcidBatch;
import io.skep.storage.acid.AcidRows;
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
    /** The row group of the last batch, and the number of its rows until then. A row group may have several cursors. */
    private int rowGroup = -1;

    private long position;

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
                MappedBatch batch = batch(current, count);
                rows += batch.rowCount();
                if (batch.rowCount() > 0) {
                    return batch;
                }
                continue;
            }
            cursor = null;
            current.close();
            if (!source.ready().isDone()) {
                return new MappedBatch(mapping, current, 0, null);
            }
        }
    }

    private MappedBatch batch(RowGroupCursor current, int count) {
        AcidRows acid = mapping.acidRows().orElse(null);
        if (acid == null) {
            return new MappedBatch(mapping, current, count, null);
        }
        int index = current.rowGroup().index();
        if (index != rowGroup) {
            rowGroup = index;
            position = 0;
        }
        AcidBatch decided = acid.batch(current, position, count);
        position += count;
        return new MappedBatch(mapping, current, count, decided);
    }

    @Override
    public long retainedBytes() {
        return source.retainedBytes();
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
        } finally {
            mapping.acidRows().ifPresent(AcidRows::close);
        }
    }

    private static final class MappedBatch implements SourceBatch {
        private final ColumnMapping mapping;
        private final RowGroupCursor cursor;
        private final int cursorRows;
        private final @Nullable AcidBatch acid;
        private final Map<Integer, Vector> columns = new HashMap<>();

        private MappedBatch(ColumnMapping mapping, RowGroupCursor cursor, int cursorRows, @Nullable AcidBatch acid) {
            this.mapping = mapping;
            this.cursor = cursor;
            this.cursorRows = cursorRows;
            this.acid = acid;
        }

        @Override
        public int rowCount() {
            return acid == null ? cursorRows : acid.count();
        }

        /** Returns the positions of the batch's rows among those of the cursor, or null if these are the same. */
        private int @Nullable [] positions() {
            return acid == null ? null : acid.positions();
        }

        @Override
        public Vector column(int index) {
            return columns.computeIfAbsent(index, this::read);
        }

        private Vector read(int index) {
            if (cursorRows == 0) {
                return mapping.emptyColumn(index);
            }
            int[] positions = positions();
            return positions == null
                    ? mapping.column(index, cursor, cursorRows, acid)
                    : mapping.retained(index, cursor, cursorRows, acid, positions, rowCount());
        }

        @Override
        public Vector column(int index, int[] rows, int count) {
            if (cursorRows == 0 || columns.containsKey(index)) {
                return column(index).select(rows, count);
            }
            int[] positions = positions();
            if (positions == null) {
                return mapping.column(index, cursor, cursorRows, acid, rows, count);
            }
            int[] both = new int[count];
            for (int i = 0; i < count; i++) {
                both[i] = positions[rows[i]];
            }
            return mapping.column(index, cursor, cursorRows, acid, both, count);
        }
    }
}
