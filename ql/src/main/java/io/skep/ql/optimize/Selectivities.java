package io.skep.ql.optimize;

import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.metastore.ColumnStatistics;
import io.skep.ql.rel.HiveRexBuilder;
import io.skep.ql.rel.LiteralMapping;
import io.skep.ql.rel.OpenValue;
import io.skep.ql.rel.TypeMapping;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;

/**
 * The share of rows that a condition lets through, from the statistics of the columns: distinct values for equality, the range
 * of values for comparisons, both under the assumption of even spread (System R). Conjuncts are taken as independent.
 */
final class Selectivities {
    private static final double EQUALITY = 0.05;
    private static final double COMPARISON = 0.33;
    private static final double LIKE = 0.1;
    private static final double OTHER = 0.25;

    private final Estimates estimates;

    Selectivities(Estimates estimates) {
        this.estimates = estimates;
    }

    double of(RexNode open, RelNode input, RelMetadataQuery metadata) {
        RexNode condition =
                OpenValue.assumed(open, (HiveRexBuilder) input.getCluster().getRexBuilder());
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
            case AND -> {
                double share = 1;
                for (RexNode operand : operands) {
                    share *= of(operand, input, metadata);
                }
                yield share;
            }
            case OR -> {
                double none = 1;
                for (RexNode operand : operands) {
                    none *= 1 - of(operand, input, metadata);
                }
                yield 1 - none;
            }
            case NOT -> 1 - of(operands.getFirst(), input, metadata);
            case SEARCH -> of(RexUtil.expandSearch(input.getCluster().getRexBuilder(), null, call), input, metadata);
            case EQUALS, IS_NOT_DISTINCT_FROM -> equality(operands, input, metadata);
            case NOT_EQUALS -> 1 - equality(operands, input, metadata);
            case IN -> Math.min(0.5, (operands.size() - 1) * equality(operands, input, metadata));
            case LESS_THAN, LESS_THAN_OR_EQUAL -> comparison(operands, true, input, metadata);
            case GREATER_THAN, GREATER_THAN_OR_EQUAL -> comparison(operands, false, input, metadata);
            case IS_NULL -> nulls(operands.getFirst(), input, metadata);
            case IS_NOT_NULL -> 1 - nulls(operands.getFirst(), input, metadata);
            default -> call.getOperator().getName().equals("like") ? LIKE : OTHER;
        };
    }

    private double equality(List<RexNode> operands, RelNode input, RelMetadataQuery metadata) {
        double share = 1;
        for (RexNode operand : operands.subList(0, 2)) {
            Optional<Double> distinct = operand instanceof RexInputRef column
                    ? estimates.origin(input, column.getIndex(), metadata).flatMap(Estimates.Origin::distinctValues)
                    : Optional.empty();
            share = Math.min(share, distinct.map(values -> 1 / values).orElse(1.0));
        }
        return share == 1 ? EQUALITY : share;
    }

    /** @param below whether the first operand has to be the smaller one */
    private double comparison(List<RexNode> operands, boolean below, RelNode input, RelMetadataQuery metadata) {
        RexNode first = operands.get(0);
        RexNode second = operands.get(1);
        OptionalDouble share = OptionalDouble.empty();
        if (first instanceof RexInputRef column && second instanceof RexLiteral bound) {
            share = shareBelow(column, bound, input, metadata);
        } else if (second instanceof RexInputRef column && first instanceof RexLiteral bound) {
            share = shareBelow(column, bound, input, metadata);
            below = !below;
        }
        if (share.isEmpty()) {
            return COMPARISON;
        }
        return Math.clamp(below ? share.getAsDouble() : 1 - share.getAsDouble(), 0.0005, 1);
    }

    private OptionalDouble shareBelow(RexInputRef column, RexLiteral bound, RelNode input, RelMetadataQuery metadata) {
        Optional<ColumnStatistics> known =
                estimates.origin(input, column.getIndex(), metadata).flatMap(Estimates.Origin::statistics);
        if (known.isEmpty() || bound.isNull()) {
            return OptionalDouble.empty();
        }
        SqlType type = TypeMapping.toSql(column.getType());
        OptionalDouble low = known.get().low().map(Selectivities::number).orElse(OptionalDouble.empty());
        OptionalDouble high = known.get().high().map(Selectivities::number).orElse(OptionalDouble.empty());
        OptionalDouble value = number(LiteralMapping.toDatum(bound, type));
        if (low.isEmpty() || high.isEmpty() || value.isEmpty() || high.getAsDouble() <= low.getAsDouble()) {
            return OptionalDouble.empty();
        }
        double range = high.getAsDouble() - low.getAsDouble();
        return OptionalDouble.of(Math.clamp((value.getAsDouble() - low.getAsDouble()) / range, 0, 1));
    }

    private static OptionalDouble number(Datum datum) {
        return switch (datum) {
            case Datum.OfLong v -> OptionalDouble.of((double) v.value());
            case Datum.OfDouble v -> OptionalDouble.of(v.value());
            case Datum.OfDecimal v -> OptionalDouble.of(v.unscaled().doubleValue());
            case Datum.OfTimestamp v -> OptionalDouble.of((double) v.seconds());
            case Datum.Null n -> OptionalDouble.empty();
            case Datum.OfBytes v -> OptionalDouble.empty();
            case Datum.OfList v -> OptionalDouble.empty();
            case Datum.OfMap v -> OptionalDouble.empty();
            case Datum.OfUnion v -> OptionalDouble.empty();
        };
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
