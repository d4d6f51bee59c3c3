package io.skep.ql.insert;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Table;
import io.skep.ql.analyze.AnalyzedInsert;
import io.skep.ql.rel.PolicyBarrier;
import io.skep.ql.rel.SkepTable;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;

/**
 * Refuses an INSERT OVERWRITE of a table with rows of this table by a user from whom a row filter or a mask hides
 * something: hidden rows and values would be lost.
 */
final class HiddenRows {
    private HiddenRows() {}

    /** @throws SkepException ACCESS_DENIED with the table */
    static void refuseLoss(List<AnalyzedInsert> parts, List<Destination> destinations) {
        for (int i = 0; i < destinations.size(); i++) {
            Destination destination = destinations.get(i);
            Table table = destination.table();
            if (destination.overwrite()
                    && !destination.isDirectory()
                    && parts.stream().anyMatch(part -> hides(part.query().rel(), table))) {
                throw new SkepException(
                                StandardErrorCode.ACCESS_DENIED,
                                "INSERT OVERWRITE of " + table.qualifiedName()
                                        + " from itself would lose what its row filter or masks hide from this user")
                        .withHint("INSERT INTO another table, or let a user do it who sees all rows and values")
                        .at(destination.syntax().position());
            }
        }
    }

    private static boolean hides(RelNode query, Table table) {
        Search search = new Search(table);
        search.look(query, false);
        return search.found;
    }

    /** Looks for scans of a table below barriers, also in subqueries. */
    private static final class Search {
        private final Table table;
        private boolean found;

        private Search(Table table) {
            this.table = table;
        }

        private void look(RelNode root, boolean hidden) {
            boolean below = hidden || root instanceof PolicyBarrier;
            SkepTable scanned = root.getTable() == null ? null : root.getTable().unwrap(SkepTable.class);
            found |= below && scanned != null && scanned.table().qualifiedName().equals(table.qualifiedName());
            root.accept(new RexShuttle() {
                @Override
                public RexNode visitSubQuery(RexSubQuery query) {
                    look(query.rel, below);
                    return super.visitSubQuery(query);
                }
            });
            root.getInputs().forEach(input -> look(input, below));
        }
    }
}
