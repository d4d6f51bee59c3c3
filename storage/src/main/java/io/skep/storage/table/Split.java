package io.skep.storage.table;

import java.util.List;
import java.util.Optional;

/**
 * A part of a table to read: the row groups that begin in a byte range of a file. A partition's files may have another
 * format and other columns than the table.
 *
 * @param fileColumns the data columns at the time when the partition was created, in file order
 * @param partitionValues the text of each partition column's value, absent for Hive's default partition (null)
 */
public record Split(
        FileVersion file,
        long start,
        long length,
        TableFormat format,
        List<Column> fileColumns,
        List<Optional<String>> partitionValues) {
    public Split {
        fileColumns = List.copyOf(fileColumns);
        partitionValues = List.copyOf(partitionValues);
    }
}
