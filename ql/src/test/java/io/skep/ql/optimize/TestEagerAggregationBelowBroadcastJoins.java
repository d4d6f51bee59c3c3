package io.skep.ql.optimize;

import io.skep.ql.physical.PlanningLimits;

/** Below joins whose build side goes to all tasks. */
class TestEagerAggregationBelowBroadcastJoins extends EagerAggregationCases {
    TestEagerAggregationBelowBroadcastJoins() {
        super(new PlanningLimits(0, 1 << 30));
    }
}
