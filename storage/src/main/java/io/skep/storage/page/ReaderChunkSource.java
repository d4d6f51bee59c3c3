package io.skep.storage.page;

import io.skep.storage.acid.AcidRows;
import io.skep.storage.file.StorageFileSystem;
import io.skep.storage.scan.ColumnChunkSource;
import io.skep.storage.scan.ColumnPredicate;
import io.skep.storage.scan.PageSource;
import io.skep.storage.scan.RowGroup;
import io.skep.storage.scan.RowGroupCursor;
import io.skep.storage.scan.RowGroupReader;
import io.skep.storage.scan.ScanStats;
import io.skep.storage.table.Split;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Provides the row groups of a split directly from the file's reader. */
final class ReaderChunkSource implements ColumnChunkSource {
    private final ColumnMapping mapping;
    private final RowGroupReader reader;
    private final StorageFileSystem files;
    private final Iterator<RowGroup> rowGroups;
    private @Nullable ReaderCursor cursor;
    private long read;
    private long skipped;

    ReaderChunkSource(ColumnMapping mapping, RowGroupReader reader, StorageFileSystem files) {
        this.mapping = mapping;
        this.reader = reader;
        this.files = files;
        this.rowGroups = inSplit(reader.rowGroups(), mapping.fileSplit()).iterator();
    }

    /** Returns the row groups that begin in a split. */
    static List<RowGroup> inSplit(List<RowGroup> all, Split split) {
        List<RowGroup> inside = new ArrayList<>();
        for (RowGroup rowGroup : all) {
            if (rowGroup.offset() >= split.start() && rowGroup.offset() < split.start() + split.length()) {
                inside.add(rowGroup);
            }
        }
        return inside;
    }

    @Override
    public CompletableFuture<?> ready() {
        return PageSource.NOT_BLOCKED;
    }

    @Override
    public @Nullable RowGroupCursor nextRowGroup() {
        while (rowGroups.hasNext()) {
            RowGroup rowGroup = rowGroups.next();
            if (!mapping.empty() && reader.mayMatch(rowGroup, mapping.filePredicates())) {
                mapping.acidRows().ifPresent(rows -> prepare(rows, rowGroup));
                read++;
                ReaderCursor opened = new ReaderCursor(reader, rowGroup, columnSets(rowGroup), mapping.batchRows());
                cursor = opened;
                return opened;
            }
            skipped++;
        }
        files.verify(mapping.fileSplit().file());
        return null;
    }

    private void prepare(AcidRows rows, RowGroup rowGroup) {
        if (read == 0) {
            rows.load(reader);
        }
        rows.prepare(reader, rowGroup);
    }

    /**
     * Returns the sets of columns that are read together. Columns with predicates form one set, since filters need them
     * first. The other columns form the second set.
     */
    private List<List<Integer>> columnSets(RowGroup rowGroup) {
        List<Integer> first = new ArrayList<>();
        List<Integer> rest = new ArrayList<>();
        List<Integer> filtered =
                mapping.filePredicates().stream().map(ColumnPredicate::column).toList();
        for (int column : mapping.fileColumns()) {
            boolean onePass = rowGroup.rowCount() < 0 || filtered.isEmpty();
            (onePass || filtered.contains(column) ? first : rest).add(column);
        }
        // Which rows are deleted is known before they are filtered.
        mapping.acidRows().ifPresent(rows -> first.addAll(rows.columns(rowGroup)));
        return List.of(first, rest);
    }

    @Override
    public long retainedBytes() {
        return cursor == null ? 0 : cursor.retainedBytes();
    }

    @Override
    public ScanStats stats() {
        return new ScanStats(0, read, skipped, reader.bytesRead(), 0, 0, 0);
    }

    @Override
    public void close() {
        reader.close();
    }
}
