package io.skep.ql.optimize;

import static java.util.Objects.requireNonNull;

import io.skep.metastore.ColumnStatistics;
import io.skep.ql.rel.HiveOperators;
import io.skep.ql.rel.HiveRexBuilder;
import io.skep.ql.rel.PlanParameter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.util.Sarg;

/**
 * Estimates the share of rows that a condition keeps, from column statistics. Equality uses distinct values.
 * Comparisons use histograms or the range of values, assuming an even spread if there is no histogram (System R).
 */
final class Selectivities {
    private static final double EQUALITY = 0.05;
    private static final double COMPARISON = 0.33;
    private static final double LIKE = 0.1;
    private static final double OTHER = 0.25;
    /** The assumed minimum share of rows that a range keeps. */
    private static final double LEAST = 0.0005;
    /** The minimum share of rows for which a histogram is accurate about a single value. */
    private static final double FREQUENT = 0.03;

    /** The maximum number of values of a list that are estimated one by one. */
    private static final int MAX_POINTS = 1_000;

    private static final double MANY_POINTS = 0.5;

    private final Estimates estimates;

    Selectivities(Estimates estimates) {
        this.estimates = estimates;
    }

    double of(RexNode open, RelNode input, RelMetadataQuery metadata) {
        RexNode condition = assumed(open, input);
        if (condition.isAlwaysTrue()) {
            return 1;
        }
        if (condition.isAlwaysFalse()) {
            return 0;
        }
        if (!(condition instanceof RexCall call)) {
            return OTHER;
        }
        List<RexNode> operands = call.getOperands();
        return switch (call.getKind()) {
            case AND -> all(operands, input, metadata);
            case OR -> {
                double none = 1;
                for (RexNode operand : operands) {
                    none *= 1 - of(operand, input, metadata);
                }
                yield 1 - none;
            }
            case NOT -> 1 - of(operands.getFirst(), input, metadata);
            case SEARCH -> search(call, input, metadata);
            case EQUALS, IS_NOT_DISTINCT_FROM ->
                values(operands, input, metadata) * equality(operands, input, metadata);
            case NOT_EQUALS -> values(operands, input, metadata) * (1 - equality(operands, input, metadata));
            case IN -> Math.min(0.5, (operands.size() - 1) * equality(operands, input, metadata));
            case LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL ->
                range(condition, input, metadata)
                        .map(range -> share(range, input, metadata))
                        .orElse(COMPARISON);
            case IS_NULL -> nulls(operands.getFirst(), input, metadata);
            case IS_NOT_NULL -> 1 - nulls(operands.getFirst(), input, metadata);
            default -> {
                if (HiveOperators.isInList(call)) {
                    yield MANY_POINTS;
                }
                yield call.getOperator().getName().equals("like") ? LIKE : OTHER;
            }
        };
    }

    private double search(RexCall call, RelNode input, RelMetadataQuery metadata) {
        Sarg<?> sought = requireNonNull(((RexLiteral) call.getOperands().getLast()).getValueAs(Sarg.class));
        return sought.pointCount > MAX_POINTS
                ? sought.isPoints() ? MANY_POINTS : OTHER
                : of(RexUtil.expandSearch(input.getCluster().getRexBuilder(), null, call), input, metadata);
    }

    private static RexNode assumed(RexNode condition, RelNode input) {
        return PlanParameter.assumedValues(
                condition, (HiveRexBuilder) input.getCluster().getRexBuilder());
    }

    /**
     * Estimates a conjunction. Conjuncts are assumed to be independent, except that an upper and a lower bound of the
     * same column form a range.
     */
    private double all(List<RexNode> operands, RelNode input, RelMetadataQuery metadata) {
        double share = 1;
        Map<Integer, Known> ranges = new TreeMap<>();
        for (RexNode open : RexUtil.flattenAnd(operands)) {
            RexNode operand = assumed(open, input);
            Optional<Known> range = range(operand, input, metadata);
            range.ifPresent(found -> ranges.merge(found.column(), found, Known::and));
            share *= range.isPresent() ? 1 : of(operand, input, metadata);
        }
        for (Known range : ranges.values()) {
            share *= share(range, input, metadata);
        }
        return share;
    }

    /** The shares of a column's values below its upper bound and above its lower bound. A missing bound counts as 1. */
    private record Range(int column, double below, double above) {
        static Range of(ColumnRange condition, double share) {
            return new Range(
                    condition.column().getIndex(), condition.upper() ? share : 1, condition.upper() ? 1 : share);
        }

        Range and(Range other) {
            return new Range(column, Math.min(below, other.below), Math.min(above, other.above));
        }

        double share() {
            return Math.max(0, below + above - 1);
        }
    }

    /**
     * The same range in two estimates: by the histogram, if there is one, and with an even spread, if the bounds are
     * known.
     */
    private record Known(Optional<Range> counted, Optional<Range> even) {
        int column() {
            return counted.or(() -> even).orElseThrow().column();
        }

        Known and(Known other) {
            return new Known(
                    counted.flatMap(mine -> other.counted.map(mine::and)),
                    even.flatMap(mine -> other.even.map(mine::and)));
        }

        /** Returns the share of rows in the range. A histogram cannot distinguish small shares. */
        double share() {
            double spread = even.map(Range::share).orElse(FREQUENT);
            return counted.map(Range::share)
                    .map(share -> share >= FREQUENT ? share : Math.min(spread, FREQUENT))
                    .orElse(spread);
        }
    }

    private Optional<Known> range(RexNode condition, RelNode input, RelMetadataQuery metadata) {
        return ColumnRange.of(condition).flatMap(found -> {
            Optional<ColumnStatistics> statistics = statistics(found.column(), input, metadata);
            Known known = new Known(
                    statistics.flatMap(found::countedShare).map(share -> Range.of(found, share)),
                    statistics.flatMap(found::evenShare).map(share -> Range.of(found, share)));
            return known.counted().isPresent() || known.even().isPresent() ? Optional.of(known) : Optional.empty();
        });
    }

    private double share(Known range, RelNode input, RelMetadataQuery metadata) {
        double values = 1 - nulls(RexInputRef.of(range.column(), input.getRowType()), input, metadata);
        return Math.clamp(range.share() * values, LEAST, 1);
    }

    private Optional<ColumnStatistics> statistics(RexInputRef column, RelNode input, RelMetadataQuery metadata) {
        return estimates.origin(input, column.getIndex(), metadata).flatMap(Estimates.Origin::statistics);
    }

    /** Returns the share of rows in which no operand is null, as far as statistics are available. */
    private double values(List<RexNode> operands, RelNode input, RelMetadataQuery metadata) {
        double share = 1;
        for (RexNode operand : operands) {
            share *= operand instanceof RexInputRef column
                            && statistics(column, input, metadata).isPresent()
                    ? 1 - nulls(operand, input, metadata)
                    : 1;
        }
        return share;
    }

    /** Returns the share of rows in which the operands are equal. */
    private double equality(List<RexNode> operands, RelNode input, RelMetadataQuery metadata) {
        double share = 1;
        for (RexNode operand : operands.subList(0, 2)) {
            Optional<Double> distinct = operand instanceof RexInputRef column
                    ? estimates.origin(input, column.getIndex(), metadata).flatMap(Estimates.Origin::distinctValues)
                    : Optional.empty();
            share = Math.min(share, distinct.map(values -> 1 / values).orElse(1.0));
        }
        double even = share == 1 ? EQUALITY : share;
        return frequent(operands.get(0), operands.get(1), input, metadata)
                .or(() -> frequent(operands.get(1), operands.get(0), input, metadata))
                .filter(known -> known > even)
                .orElse(even);
    }

    /** Returns the share of a value that is frequent enough to show in a histogram. */
    private Optional<Double> frequent(RexNode one, RexNode other, RelNode input, RelMetadataQuery metadata) {
        if (!(one instanceof RexInputRef column) || !(other instanceof RexLiteral value) || value.isNull()) {
            return Optional.empty();
        }
        return statistics(column, input, metadata)
                .flatMap(known -> new ColumnRange(column, value, true, true)
                        .countedShare(known)
                        .flatMap(upTo -> new ColumnRange(column, value, true, false)
                                .countedShare(known)
                                .map(below -> upTo - below)))
                .filter(share -> share >= FREQUENT);
    }

    private double nulls(RexNode operand, RelNode input, RelMetadataQuery metadata) {
        if (!(operand instanceof RexInputRef column)) {
            return 0.1;
        }
        Optional<Estimates.Origin> origin = estimates.origin(input, column.getIndex(), metadata);
        return origin.flatMap(known ->
                        known.statistics().map(statistics -> Math.min(1, statistics.nullCount() / known.tableRows())))
                .orElse(0.1);
    }
}
