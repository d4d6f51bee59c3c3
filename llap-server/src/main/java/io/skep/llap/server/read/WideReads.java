package io.skep.llap.server.read;

import io.skep.common.vector.BatchRows;
import io.skep.storage.scan.RowGroup;
import java.util.ArrayList;
import java.util.List;

/**
 * Divides the columns of a row group into groups that are read one after the other if there are many columns. So not
 * all rows of all columns are on the heap at once before they are encoded. Where the number of rows is unknown, the row
 * group is a byte range of text, which is short.
 */
final class WideReads {
    /** The limit on the bytes of values that are read at once. */
    private static final long MAX_BYTES = 4 * BatchRows.MAX_BYTES;

    private WideReads() {}

    /**
     * Returns the columns that are read together. A group has {@link BatchRows#MANY_COLUMNS} columns whatever the
     * number of rows, and more where there are few rows.
     */
    static List<List<Integer>> groups(RowGroup rowGroup, List<Integer> columns) {
        if (columns.size() <= BatchRows.MANY_COLUMNS || rowGroup.rowCount() < 0) {
            return List.of(columns);
        }
        long most = MAX_BYTES / BatchRows.VALUE_BYTES / Math.max(1, rowGroup.rowCount());
        int size = Math.clamp(most, BatchRows.MANY_COLUMNS, columns.size());
        List<List<Integer>> groups = new ArrayList<>();
        for (int from = 0; from < columns.size(); from += size) {
            groups.add(List.copyOf(columns.subList(from, Math.min(columns.size(), from + size))));
        }
        return groups;
    }
}
