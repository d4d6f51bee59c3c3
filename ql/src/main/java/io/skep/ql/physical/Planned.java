package io.skep.ql.physical;

import io.skep.common.type.SqlType;
import io.skep.engine.plan.PlanNode;
import java.util.List;

/**
 * A planned part: the operators of the fragment under construction, and the properties of its rows.
 *
 * @param rows the estimated number of rows
 */
record Planned(PlanNode node, Layout layout, double rows) {
    List<SqlType> types() {
        return node.outputTypes();
    }

    boolean isSingle() {
        return layout instanceof Layout.Single;
    }

    /** Adds an operator on top that does not change the columns. */
    Planned with(PlanNode top, double newRows) {
        return new Planned(top, layout, newRows);
    }
}
