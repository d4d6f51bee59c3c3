package io.skep.ql.analyze;

import io.skep.metastore.Table;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A table or view that a statement names, and its columns that the statement reads. What the text of a view reads is
 * left out.
 *
 * @param columns in lower case, with virtual columns; empty for a statement that only counts rows
 */
public record ColumnRead(Table table, SortedSet<String> columns) {
    public ColumnRead {
        columns = Collections.unmodifiableSortedSet(new TreeSet<>(columns));
    }
}
