package io.skep.ql.optimize;

import io.skep.ql.physical.PlanningLimits;

/** Below joins of which both sides are hashed over tasks. */
class TestEagerAggregationBelowHashedJoins extends EagerAggregationCases {
    TestEagerAggregationBelowHashedJoins() {
        super(new PlanningLimits(0, 0));
    }
}
