package io.skep.ql.analyze;

import io.skep.ql.rel.HiveOperators;
import io.skep.ql.rel.PolicyBarrier;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;

/** Finds the table column that a value comes from, if only projections and filters lie between them. */
final class ColumnOrigin {
    /** Functions that are named after the type that they convert to. */
    private static final Set<String> TYPES = Set.of(
            "boolean",
            "tinyint",
            "smallint",
            "int",
            "bigint",
            "float",
            "double",
            "string",
            "date",
            "timestamp",
            "binary");

    private ColumnOrigin() {}

    /** Returns the name of the table column that a conversion converts. */
    static Optional<String> ofConversion(RexNode value, Resolver resolver) {
        if (!(resolver instanceof Scope scope)) {
            return Optional.empty();
        }
        RexNode converted =
                isConversion(value) ? ((RexCall) value).getOperands().getFirst() : value;
        return converted instanceof RexInputRef column ? name(scope.rel(), column.getIndex()) : Optional.empty();
    }

    private static boolean isConversion(RexNode value) {
        return value instanceof RexCall call
                && (call.getKind() == SqlKind.CAST
                        || call.getOperator().getName().equals(HiveOperators.CAST)
                        || TYPES.contains(call.getOperator().getName()));
    }

    private static Optional<String> name(RelNode rel, int column) {
        return switch (rel) {
            case TableScan scan ->
                Optional.of(scan.getRowType().getFieldList().get(column).getName());
            case Filter filter -> name(filter.getInput(), column);
            case PolicyBarrier barrier -> name(barrier.getInput(), column);
            case Project project ->
                project.getProjects().get(column) instanceof RexInputRef below
                        ? name(project.getInput(), below.getIndex())
                        : Optional.empty();
            default -> Optional.empty();
        };
    }
}
