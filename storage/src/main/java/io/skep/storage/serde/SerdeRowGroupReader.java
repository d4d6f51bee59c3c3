package io.skep.storage.serde;

import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.scan.BatchIterator;
import io.skep.storage.scan.ColumnPredicate;
import io.skep.storage.scan.RowGroup;
import io.skep.storage.scan.RowGroupReader;
import io.skep.storage.serde.container.ContainerReader;
import io.skep.storage.serde.container.RecordReaders;
import io.skep.storage.table.Split;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads a file through a SerDe, as row groups. Plain text is divided into byte ranges with the lines that begin in
 * them. Any other file is one row group.
 */
public final class SerdeRowGroupReader implements RowGroupReader {
    private static final long TEXT_BYTES = 4L << 20;

    private final HadoopFileSystem files;
    private final Split split;
    private final ZoneId zone;
    private final RecordReaders readers;
    private final boolean lines;
    private final List<RowGroup> rowGroups = new ArrayList<>();
    private final long step;
    private final AtomicLong bytesRead = new AtomicLong();

    /**
     * @param zone the time zone for texts of type timestamp with local time zone
     * @param lines whether records are lines of text
     */
    SerdeRowGroupReader(
            HadoopFileSystem files, Split split, ZoneId zone, Optional<ContainerReader> container, boolean lines) {
        this.files = files;
        this.split = split;
        this.zone = zone;
        this.readers = new RecordReaders(files, container);
        this.lines = lines;
        files.verify(split.file());
        long length = split.file().length();
        this.step = divisible() ? TEXT_BYTES : Math.max(1, length);
        for (long offset = 0; offset < length; offset += step) {
            rowGroups.add(new RowGroup(rowGroups.size(), offset, -1));
        }
    }

    private boolean divisible() {
        Map<String, String> properties = split.format().properties();
        return lines
                && !files.compressed(split.file().path())
                && !properties.containsKey("skip.header.line.count")
                && !properties.containsKey("skip.footer.line.count");
    }

    @Override
    public List<RowGroup> rowGroups() {
        return rowGroups;
    }

    @Override
    public BatchIterator read(RowGroup rowGroup, List<Integer> columns, int batchRows) {
        long length = Math.min(step, split.file().length() - rowGroup.offset());
        return new SerdeBatches(readers, split, rowGroup.offset(), length, columns, batchRows, zone, bytesRead);
    }

    @Override
    public boolean mayMatch(RowGroup rowGroup, List<ColumnPredicate> predicates) {
        return true;
    }

    @Override
    public long wholeFileBytes(RowGroup rowGroup) {
        return divisible() ? 0 : split.file().length();
    }

    @Override
    public long bytesRead() {
        return bytesRead.get();
    }

    @Override
    public void close() {}
}
