package io.skep.storage.acid;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.skep.storage.scan.RowGroup;
import io.skep.storage.scan.RowGroupReader;
import io.skep.storage.scan.RowGroupReaderFactory;
import io.skep.storage.table.Column;
import io.skep.storage.table.FileVersion;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableFormat;
import java.util.List;

/** A cache of the numbers of rows in files. Thread-safe. */
public final class RowCounts {
    private static final long MAX_BYTES = 16 << 20;
    private static final int ENTRY_BYTES = 200;

    private final RowGroupReaderFactory readers;
    private final Cache<FileVersion, Long> counts = Caffeine.newBuilder()
            .maximumWeight(MAX_BYTES)
            .<FileVersion, Long>weigher(
                    (file, count) -> ENTRY_BYTES + file.path().length())
            .executor(Runnable::run)
            .build();

    /** @param readers open files whose rows must be counted */
    public RowCounts(RowGroupReaderFactory readers) {
        this.readers = readers;
    }

    /** Returns the number of rows of a file without row identifiers. May wait for the disk. */
    public long of(FileVersion file, TableFormat format, List<Column> columns) {
        Long known = counts.getIfPresent(file);
        if (known != null) {
            return known;
        }
        Split whole = new Split(file, 0, file.length(), format, columns, List.of());
        try (RowGroupReader reader = readers.open(whole)) {
            long rows =
                    reader.rowGroups().stream().mapToLong(RowGroup::rowCount).sum();
            counts.put(file, rows);
            return rows;
        }
    }
}
