package io.skep.ql.optimize;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Table;
import io.skep.ql.rel.RelFactory;
import io.skep.ql.transaction.SourceChanges;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;

/**
 * The rows with which a materialized view becomes that of its tables' present rows, computed from the view's own rows
 * and from the rows that the tables have gained and lost.
 *
 * @param rows rows of the view
 * @param replaces whether these are all rows of the view; otherwise they are added to those that it has
 */
public record IncrementalRows(RelNode rows, boolean replaces) {
    /** After which changes of its tables the rows of a view can be computed in this way. */
    public enum Scope {
        NONE,
        INSERTS,
        ALL
    }

    /**
     * Returns the rows of a view; empty if they cannot be computed in this way.
     *
     * @param query the view's query, with the columns of the view in their order and types
     */
    public static Optional<IncrementalRows> of(Table view, RelNode query, SourceChanges changes, RelFactory factory) {
        Optional<IncrementalGroups> groups = IncrementalGroups.of(query);
        if (groups.isPresent()) {
            return groups.get().combined(view, changes, factory).map(rows -> new IncrementalRows(rows, true));
        }
        return ChangedRows.of(query, changes)
                .filter(changed -> changed.removed().isEmpty())
                .map(changed -> new IncrementalRows(changed.gained(), false));
    }

    public static Scope scope(RelNode query) {
        return IncrementalGroups.of(query)
                .map(IncrementalGroups::scope)
                .orElseGet(() -> ChangedRows.isDerivable(query) ? Scope.INSERTS : Scope.NONE);
    }

    /** Whether the rows could not be computed because it is not known whether a sum of 0 is one of no values. */
    public static boolean isUnknownSum(SkepException failure) {
        return failure.code() == StandardErrorCode.CONSTRAINT_VIOLATED;
    }
}
