package io.skep.ql.entry;

import io.skep.ql.physical.PlanningLimits;

/** Below joins whose build side goes to all tasks. */
class TestAggregationBelowBroadcastJoins extends AggregationBelowJoinsCases {
    TestAggregationBelowBroadcastJoins() {
        super(new PlanningLimits(0, 1 << 30));
    }
}
