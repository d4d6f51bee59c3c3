package io.skep.storage.compaction;

import io.skep.storage.table.Column;
import io.skep.storage.table.TableFormat;
import io.skep.storage.table.TableLayout;
import java.util.List;

/**
 * A table without partitions, or a partition, that is compacted.
 *
 * @param location its folder
 * @param table what is written: the columns of the files, the format and the properties; without partition columns
 * @param readFormat how files are read
 * @param fileColumns the columns of files that do not name them
 * @param insertOnly whether rows have no identifiers
 */
public record CompactedPlace(
        String location, TableLayout table, TableFormat readFormat, List<Column> fileColumns, boolean insertOnly) {
    public CompactedPlace {
        fileColumns = List.copyOf(fileColumns);
        if (!table.partitionColumns().isEmpty()) {
            throw new IllegalArgumentException("files have no partition columns");
        }
    }
}
