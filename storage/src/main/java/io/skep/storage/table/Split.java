package io.skep.storage.table;

import java.util.List;
import java.util.Optional;

/**
 * A part of a table to read: the row groups that begin in a byte range of a file. A partition's files may have another
 * format and other columns than the table.
 *
 * @param fileColumns the data columns at the time when the partition was created, in file order
 * @param partitionValues the text of each partition column's value, absent for Hive's default partition (null)
 * @param acid what readers must know of a file whose rows have identifiers and may be deleted; absent for other tables
 *     and for insert-only tables
 */
public record Split(
        FileVersion file,
        long start,
        long length,
        TableFormat format,
        List<Column> fileColumns,
        List<Optional<String>> partitionValues,
        Optional<AcidInfo> acid) {
    public Split {
        fileColumns = List.copyOf(fileColumns);
        partitionValues = List.copyOf(partitionValues);
    }

    /** Returns the same split with another format, which says how its rows are laid out. */
    public Split withFormat(TableFormat other) {
        return new Split(file, start, length, other, fileColumns, partitionValues, acid);
    }

    /** Creates a split of a file whose rows have no identifiers. */
    public Split(
            FileVersion file,
            long start,
            long length,
            TableFormat format,
            List<Column> fileColumns,
            List<Optional<String>> partitionValues) {
        this(file, start, length, format, fileColumns, partitionValues, Optional.empty());
    }

    /** Returns the same part of the file with other file columns. */
    public Split withColumns(List<Column> columns) {
        return new Split(file, start, length, format, columns, partitionValues, acid);
    }

    /** Returns the first part of the split. */
    public Split withLength(long bytes) {
        return bytes == length ? this : new Split(file, start, bytes, format, fileColumns, partitionValues, acid);
    }

    /** Whether the file has {@link AcidColumn}s, and the table's columns as the fields of a struct beside them. */
    public boolean storesRowIds() {
        return acid.isPresent() && acid.get().stored();
    }
}
