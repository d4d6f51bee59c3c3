package io.skep.ql.entry;

import io.skep.ql.physical.PlanningLimits;

/** Below joins in one task. */
class TestAggregationBelowJoins extends AggregationBelowJoinsCases {
    TestAggregationBelowJoins() {
        super(PlanningLimits.DEFAULT);
    }
}
