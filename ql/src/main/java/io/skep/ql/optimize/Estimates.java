package io.skep.ql.optimize;

import io.skep.metastore.ColumnStatistics;
import io.skep.metastore.Table;
import io.skep.ql.rel.SkepTable;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.metadata.RelColumnOrigin;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;

/** Estimates that use the statistics of the columns that values come from. */
final class Estimates {
    private final TableStatistics statistics;

    Estimates(TableStatistics statistics) {
        this.statistics = statistics;
    }

    /**
     * Columns of a join's two sides that are compared for equality. Each index counts from the first column of its own
     * side.
     */
    record KeyPair(int left, int right) {
        /**
         * Returns the columns of both sides that a conjunct of a join's condition compares. Empty if the comparison is
         * not one of the kinds, or if the conjunct has another form.
         */
        static Optional<KeyPair> of(RexNode conjunct, Set<SqlKind> kinds, int leftColumns) {
            if (!kinds.contains(conjunct.getKind())
                    || !(conjunct instanceof RexCall call)
                    || !(call.getOperands().get(0) instanceof RexInputRef first)
                    || !(call.getOperands().get(1) instanceof RexInputRef second)) {
                return Optional.empty();
            }
            int low = Math.min(first.getIndex(), second.getIndex());
            int high = Math.max(first.getIndex(), second.getIndex());
            return low < leftColumns && high >= leftColumns
                    ? Optional.of(new KeyPair(low, high - leftColumns))
                    : Optional.empty();
        }
    }

    /** A table column that a column of an expression comes from, with its statistics. */
    record Origin(Table table, Optional<ColumnStatistics> statistics, double tableRows) {
        /** Returns the number of distinct values of the column in its table, if known. */
        Optional<Double> distinctValues() {
            return statistics.filter(known -> known.distinctValues() > 0).map(known -> (double) known.distinctValues());
        }
    }

    Optional<Origin> origin(RelNode rel, int column, RelMetadataQuery metadata) {
        RelColumnOrigin origin = metadata.getColumnOrigin(rel, column);
        if (origin == null || origin.isDerived()) {
            return Optional.empty();
        }
        SkepTable table = origin.getOriginTable().unwrap(SkepTable.class);
        return table == null
                ? Optional.empty()
                : Optional.of(new Origin(
                        table.table(),
                        statistics.column(table.table(), origin.getOriginColumnOrdinal()),
                        statistics.rows(table.table())));
    }

    static double rows(RelNode rel, RelMetadataQuery metadata) {
        Double rows = metadata.getRowCount(rel);
        return rows == null ? 1e6 : Math.max(1, rows);
    }
}
