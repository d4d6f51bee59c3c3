package io.skep.ql.optimize;

import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.metastore.ColumnStatistics;
import io.skep.ql.rel.LiteralMapping;
import io.skep.ql.rel.TypeMapping;
import io.skep.storage.statistics.Histogram;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;

/**
 * A range condition: the comparison of a column with a constant.
 *
 * @param upper whether the constant is the upper bound of the selected values
 * @param inclusive whether the constant is itself selected
 */
record ColumnRange(RexInputRef column, RexLiteral bound, boolean upper, boolean inclusive) {
    static Optional<ColumnRange> of(RexNode condition) {
        if (!(condition instanceof RexCall call) || call.getOperands().size() != 2) {
            return Optional.empty();
        }
        SqlKind kind = call.getKind();
        List<RexNode> operands = call.getOperands();
        boolean turned = operands.getFirst() instanceof RexLiteral;
        RexNode first = operands.get(turned ? 1 : 0);
        RexNode second = operands.get(turned ? 0 : 1);
        boolean less = kind == SqlKind.LESS_THAN || kind == SqlKind.LESS_THAN_OR_EQUAL;
        boolean greater = kind == SqlKind.GREATER_THAN || kind == SqlKind.GREATER_THAN_OR_EQUAL;
        boolean inclusive = kind == SqlKind.LESS_THAN_OR_EQUAL || kind == SqlKind.GREATER_THAN_OR_EQUAL;
        return (less || greater)
                        && first instanceof RexInputRef column
                        && second instanceof RexLiteral bound
                        && !bound.isNull()
                ? Optional.of(new ColumnRange(column, bound, less != turned, inclusive))
                : Optional.empty();
    }

    /** Returns the share of the column's values that the range selects, according to its histogram. */
    Optional<Double> countedShare(ColumnStatistics statistics) {
        OptionalDouble value = value();
        return value.isEmpty()
                ? Optional.empty()
                : statistics
                        .histogram()
                        .map(histogram -> histogram.below(value.getAsDouble(), upper == inclusive))
                        .map(below -> upper ? below : 1 - below);
    }

    /**
     * Returns the share of the column's values that the range selects, assuming an even spread between their bounds.
     */
    Optional<Double> evenShare(ColumnStatistics statistics) {
        SqlType type = type();
        OptionalDouble value = value();
        OptionalDouble low = position(statistics.low(), type);
        OptionalDouble high = position(statistics.high(), type);
        if (value.isEmpty() || low.isEmpty() || high.isEmpty() || high.getAsDouble() <= low.getAsDouble()) {
            return Optional.empty();
        }
        double range = high.getAsDouble() - low.getAsDouble();
        double below = Math.clamp((value.getAsDouble() - low.getAsDouble()) / range, 0, 1);
        return Optional.of(upper ? below : 1 - below);
    }

    private SqlType type() {
        return TypeMapping.toSql(column.getType());
    }

    private OptionalDouble value() {
        return Histogram.position(LiteralMapping.toDatum(bound, type()), type());
    }

    private static OptionalDouble position(Optional<Datum> value, SqlType type) {
        return value.isEmpty() ? OptionalDouble.empty() : Histogram.position(value.get(), type);
    }
}
