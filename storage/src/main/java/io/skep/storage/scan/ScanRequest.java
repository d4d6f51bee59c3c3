package io.skep.storage.scan;

import io.skep.storage.table.TableLayout;
import java.util.List;

/**
 * What a scan requests from each split.
 *
 * @param columns ordinals of the layout, in output order
 * @param predicates conditions that must all hold for a row to matter
 */
public record ScanRequest(TableLayout table, List<Integer> columns, List<ColumnPredicate> predicates) {
    public ScanRequest {
        columns = List.copyOf(columns);
        predicates = List.copyOf(predicates);
    }
}
