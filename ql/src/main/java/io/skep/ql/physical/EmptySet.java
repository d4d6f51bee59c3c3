package io.skep.ql.physical;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.engine.plan.AggregateCall;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.PlanNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;

/**
 * Gives the grouping set without columns its one group when no row comes: a row of nulls with the set's number joins the
 * expanded rows, and a last column keeps it out of all aggregates.
 */
final class EmptySet {
    private EmptySet() {}

    /** @param set number of the set, which is the expanded rows' last column */
    static PlanNode marked(PlanNode expanded, int set) {
        List<SqlType> types = expanded.outputTypes();
        List<Expression> columns = new ArrayList<>(Expressions.identity(types));
        columns.add(Expression.Constant.TRUE);
        List<SqlType> markedTypes = new ArrayList<>(types);
        markedTypes.add(PrimitiveType.BOOLEAN);
        List<Datum> marker = new ArrayList<>(Collections.nCopies(types.size() - 1, Datum.NULL));
        marker.add(new Datum.OfLong(set));
        marker.add(Datum.ofBoolean(false));
        return new PlanNode.UnionAll(
                List.of(new PlanNode.Project(expanded, columns), new PlanNode.Values(markedTypes, List.of(marker))));
    }

    /** The calls without the marker's row; a filter of their own is null there and leaves it out already. */
    static List<AggregateCall> skipping(List<AggregateCall> calls, int flag) {
        return calls.stream()
                .map(call -> new AggregateCall(
                        call.function(),
                        call.distinct(),
                        call.arguments(),
                        call.filter().isPresent() ? call.filter() : OptionalInt.of(flag),
                        call.argumentTypes(),
                        call.stateType(),
                        call.type()))
                .toList();
    }
}
