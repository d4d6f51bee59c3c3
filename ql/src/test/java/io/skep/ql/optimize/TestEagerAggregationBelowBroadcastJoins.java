package io.skep.ql.optimize;

import io.skep.ql.physical.PlanningLimits;

/** Tests the cases with joins whose build side is broadcast to all tasks. */
class TestEagerAggregationBelowBroadcastJoins extends EagerAggregationCases {
    TestEagerAggregationBelowBroadcastJoins() {
        super(new PlanningLimits(0, 1 << 30));
    }
}
