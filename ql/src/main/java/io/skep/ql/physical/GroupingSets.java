package io.skep.ql.physical;

import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.PlanNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * The grouping sets of an aggregation. With more than one set, each input row is repeated for every set. The copy's own
 * columns are followed by the group columns, which are null where the set leaves them out, and by the set's number. The
 * expanded rows are then grouped by these.
 *
 * @param groupColumns the columns to group by, in the (expanded) input; the set's number is last when there are several
 *     sets
 * @param keys the group columns in the original input
 * @param sets the sets; empty when there is only a single simple set
 */
record GroupingSets(List<Integer> groupColumns, List<Integer> keys, List<ImmutableBitSet> sets) {
    static GroupingSets simple(List<Integer> groups) {
        return new GroupingSets(groups, groups, List.of());
    }

    static GroupingSets expand(Aggregate aggregate, Planned input) {
        List<Integer> keys = aggregate.getGroupSet().asList();
        List<Integer> columns = new ArrayList<>();
        int first = input.types().size();
        for (int i = 0; i <= keys.size(); i++) {
            columns.add(first + i);
        }
        return new GroupingSets(columns, keys, aggregate.getGroupSets());
    }

    int count() {
        return Math.max(1, sets.size());
    }

    boolean isSimple() {
        return sets.isEmpty();
    }

    /** Whether one of several sets has no columns. That set has a group even when there are no rows. */
    boolean hasEmptySet() {
        return emptySet() >= 0;
    }

    /** Returns the number of the set without columns, or -1. */
    int emptySet() {
        return sets.indexOf(ImmutableBitSet.of());
    }

    PlanNode expanded(Planned input) {
        List<SqlType> types = input.types();
        List<List<Expression>> projections = new ArrayList<>();
        for (int set = 0; set < sets.size(); set++) {
            List<Expression> projection = new ArrayList<>(Expressions.identity(types));
            for (int key : keys) {
                projection.add(
                        sets.get(set).get(key)
                                ? new Expression.InputColumn(key, types.get(key))
                                : Expression.Constant.ofNull(types.get(key)));
            }
            projection.add(new Expression.Constant(new Datum.OfLong(set), AggregatePlanning.GROUPING_TYPE));
            projections.add(projection);
        }
        return new PlanNode.Expand(input.node(), projections);
    }

    /**
     * Returns the value of {@code grouping(columns)} for a set. Each column has one bit, and the last column has the
     * lowest. A bit is set if the grouping set leaves the column out.
     */
    long grouping(int set, List<Integer> columns) {
        long bits = 0;
        for (int column : columns) {
            bits = bits << 1 | (isSimple() || sets.get(set).get(column) ? 0 : 1);
        }
        return bits;
    }
}
