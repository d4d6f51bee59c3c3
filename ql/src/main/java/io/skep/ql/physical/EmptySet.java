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
 * Ensures that the grouping set without columns has its group even when there are no rows. A row of nulls with the
 * set's number is added to the expanded rows, and a flag in the last column keeps it out of all aggregates.
 */
final class EmptySet {
    private EmptySet() {}

    /** @param set the number of the set, which is in the last column of the expanded rows */
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

    /**
     * Returns the calls with a filter that skips the marker row. A call's own filter is null in that row and skips it
     * already.
     */
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
