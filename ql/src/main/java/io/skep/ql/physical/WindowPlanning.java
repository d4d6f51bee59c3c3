package io.skep.ql.physical;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.engine.function.FunctionCatalog.AggregateSignature;
import io.skep.engine.function.FunctionCatalog.Argument;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.SortKey;
import io.skep.engine.plan.WindowCall;
import io.skep.ql.rel.HiveAggFunction;
import io.skep.ql.rel.LiteralMapping;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Window;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexWindowBound;
import org.jspecify.annotations.Nullable;

/**
 * Plans windows. Each group of calls with the same partitioning and order gets one operator, on hash-partitioned rows.
 */
final class WindowPlanning {
    private final PlanningContext context;
    private final Fragmenter fragmenter;
    private final Function<RelNode, Planned> inputs;

    WindowPlanning(PlanningContext context, Fragmenter fragmenter, Function<RelNode, Planned> inputs) {
        this.context = context;
        this.fragmenter = fragmenter;
        this.inputs = inputs;
    }

    Planned plan(Window window) {
        Planned input = inputs.apply(window.getInput());
        int inputColumns = input.types().size();
        Planned planned = withConstants(input, window.constants);
        int constants = window.constants.size();
        for (Window.Group group : window.groups) {
            planned = group(planned, group, window, inputColumns);
        }
        if (constants == 0) {
            return planned;
        }
        List<Expression> all = Expressions.identity(planned.types());
        List<Expression> kept = new ArrayList<>(all.subList(0, inputColumns));
        kept.addAll(all.subList(inputColumns + constants, all.size()));
        return new Planned(new PlanNode.Project(planned.node(), kept), planned.layout(), planned.rows());
    }

    /** Appends the constants as columns after the input's columns, where the calls' argument indexes expect them. */
    private Planned withConstants(Planned input, List<RexLiteral> constants) {
        if (constants.isEmpty()) {
            return input;
        }
        List<Expression> columns = new ArrayList<>(Expressions.identity(input.types()));
        columns.addAll(context.rex().translateAll(constants));
        return input.with(new PlanNode.Project(input.node(), columns), input.rows());
    }

    private Planned group(Planned input, Window.Group group, Window window, int inputColumns) {
        List<Integer> partition = group.keys.asList();
        List<SortKey> order = PhysicalPlanner.keys(group.orderKeys);
        List<WindowCall> calls = new ArrayList<>();
        for (Window.RexWinAggCall call : group.aggCalls) {
            calls.add(call(call, group, window, input.types(), inputColumns));
        }
        Planned placed = placed(input, partition);
        return placed.with(new PlanNode.Window(placed.node(), partition, order, calls), input.rows());
    }

    private Planned placed(Planned input, List<Integer> partition) {
        if (input.isSingle() || partition.isEmpty()) {
            return fragmenter.gather(input, List.of());
        }
        boolean there = input.layout() instanceof Layout.Hashed hashed && hashed.within(partition);
        return there ? input : fragmenter.hash(input, partition);
    }

    private WindowCall call(
            Window.RexWinAggCall call, Window.Group group, Window window, List<SqlType> types, int inputColumns) {
        List<Integer> arguments = new ArrayList<>();
        List<SqlType> argumentTypes = new ArrayList<>();
        List<Argument> described = new ArrayList<>();
        for (RexNode operand : call.getOperands()) {
            int column = ((RexInputRef) operand).getIndex();
            arguments.add(column);
            argumentTypes.add(types.get(column));
            described.add(new Argument(types.get(column), constant(window, column, inputColumns, types.get(column))));
        }
        AggregateSignature signature = call.getOperator() instanceof HiveAggFunction resolvedBefore
                ? resolvedBefore.signature()
                : context.functions()
                        .window(call.getOperator().getName().toLowerCase(Locale.ROOT), described, call.distinct);
        WindowCall.Frame frame = new WindowCall.Frame(
                group.isRows ? WindowCall.Unit.ROWS : WindowCall.Unit.RANGE,
                bound(group.lowerBound, window, inputColumns),
                bound(group.upperBound, window, inputColumns));
        return new WindowCall(
                signature.function(),
                call.distinct,
                call.ignoreNulls,
                arguments,
                argumentTypes,
                frame,
                signature.type());
    }

    private static Optional<Datum> constant(Window window, int column, int inputColumns, SqlType type) {
        int index = column - inputColumns;
        return index >= 0 && index < window.constants.size()
                ? Optional.of(LiteralMapping.toDatum(window.constants.get(index), type))
                : Optional.empty();
    }

    private static WindowCall.Bound bound(RexWindowBound bound, Window window, int inputColumns) {
        if (bound.isCurrentRow()) {
            return new WindowCall.Bound.CurrentRow();
        }
        if (bound.isUnbounded()) {
            return bound.isPreceding()
                    ? new WindowCall.Bound.UnboundedPreceding()
                    : new WindowCall.Bound.UnboundedFollowing();
        }
        long rows = offset(bound.getOffset(), window, inputColumns);
        return new WindowCall.Bound.Offset(bound.isPreceding() ? -rows : rows);
    }

    private static long offset(@Nullable RexNode offset, Window window, int inputColumns) {
        RexNode value =
                offset instanceof RexInputRef ref ? window.constants.get(ref.getIndex() - inputColumns) : offset;
        Long rows = value instanceof RexLiteral literal ? literal.getValueAs(Long.class) : null;
        if (rows != null) {
            return rows;
        }
        throw new SkepException(
                StandardErrorCode.NOT_SUPPORTED, "a window frame's offset has to be a constant whole number");
    }
}
