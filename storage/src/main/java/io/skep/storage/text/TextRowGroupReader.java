package io.skep.storage.text;

import io.skep.storage.file.FileInput;
import io.skep.storage.file.RecordLimit;
import io.skep.storage.file.StorageFileSystem;
import io.skep.storage.scan.BatchIterator;
import io.skep.storage.scan.ColumnPredicate;
import io.skep.storage.scan.RowGroup;
import io.skep.storage.scan.RowGroupReader;
import io.skep.storage.table.Split;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads a text file as row groups. A row group is a byte range of fixed size with the lines that begin in it. A file
 * that is compressed, or has lines to skip at its end, is one row group.
 */
public final class TextRowGroupReader implements RowGroupReader {
    static final long ROW_GROUP_BYTES = 4L << 20;

    private final StorageFileSystem files;
    private final Split split;
    private final ZoneId zone;
    private final TextFormat format;
    private final boolean compressed;
    private final boolean whole;
    private final RecordLimit longestLine;
    private final List<RowGroup> rowGroups;
    private final AtomicLong bytesRead = new AtomicLong();

    /**
     * @param zone the time zone for texts of type timestamp with local time zone
     * @param longestLine the limit of a line; a longer line is an error
     */
    public TextRowGroupReader(StorageFileSystem files, Split split, ZoneId zone, RecordLimit longestLine) {
        this(files, split, zone, longestLine, ROW_GROUP_BYTES);
    }

    TextRowGroupReader(StorageFileSystem files, Split split, ZoneId zone, RecordLimit longestLine, long rowGroupBytes) {
        this.files = files;
        this.split = split;
        this.zone = zone;
        this.format = TextFormat.of(split.format(), TextBatches.fields(split));
        this.longestLine = longestLine;
        this.compressed = files.compressed(split.file().path());
        this.whole = compressed || format.footerLines() > 0;
        this.rowGroups =
                cut(split.file().length(), whole ? Math.max(1, split.file().length()) : rowGroupBytes);
        files.verify(split.file());
    }

    private static List<RowGroup> cut(long length, long size) {
        List<RowGroup> rowGroups = new ArrayList<>();
        for (long offset = 0; offset < length; offset += size) {
            rowGroups.add(new RowGroup(rowGroups.size(), offset, -1));
        }
        return rowGroups;
    }

    @Override
    public List<RowGroup> rowGroups() {
        return rowGroups;
    }

    @Override
    public BatchIterator read(RowGroup rowGroup, List<Integer> columns, int batchRows) {
        Lines lines = lines(rowGroup);
        try {
            if (rowGroup.index() == 0) {
                for (int i = 0; i < format.headerLines() && lines.next(); i++) {}
            }
            return new TextBatches(lines, format, split, columns, zone, batchRows);
        } catch (RuntimeException e) {
            lines.close();
            throw e;
        }
    }

    private Lines lines(RowGroup rowGroup) {
        if (compressed) {
            return new Lines(
                    new StreamBytes(files.openDecompressed(split.file()), split.file(), bytesRead),
                    0,
                    Long.MAX_VALUE,
                    false,
                    longestLine);
        }
        FileInput input = files.open(split.file().path());
        // Starts one byte earlier, so that a line that begins exactly here is not mistaken for the rest of an earlier
        // line.
        long from = Math.max(0, rowGroup.offset() - 1);
        boolean last = rowGroup.index() == rowGroups.size() - 1;
        long end = last
                ? split.file().length()
                : rowGroups.get(rowGroup.index() + 1).offset();
        return new Lines(new InputBytes(input, from, bytesRead), from, end - from, rowGroup.offset() > 0, longestLine);
    }

    @Override
    public boolean mayMatch(RowGroup rowGroup, List<ColumnPredicate> predicates) {
        return true;
    }

    @Override
    public long wholeFileBytes(RowGroup rowGroup) {
        return whole ? split.file().length() : 0;
    }

    @Override
    public long bytesRead() {
        return bytesRead.get();
    }

    @Override
    public void close() {}
}
