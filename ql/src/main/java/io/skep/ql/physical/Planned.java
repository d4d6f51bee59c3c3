package io.skep.ql.physical;

import io.skep.common.type.SqlType;
import io.skep.engine.plan.PlanNode;
import java.util.List;

/**
 * A planned part: the operators of the fragment that is being built, and what is known of its rows.
 *
 * @param rows estimated
 */
record Planned(PlanNode node, Layout layout, double rows) {
    List<SqlType> types() {
        return node.outputTypes();
    }

    boolean isSingle() {
        return layout instanceof Layout.Single;
    }

    /** Another operator on top that leaves columns as they are. */
    Planned with(PlanNode top, double newRows) {
        return new Planned(top, layout, newRows);
    }
}
