package io.skep.ql.optimize;

import io.skep.ql.physical.PlanningLimits;

/** Tests the cases with joins whose two sides are hash-partitioned over tasks. */
class TestEagerAggregationBelowHashedJoins extends EagerAggregationCases {
    TestEagerAggregationBelowHashedJoins() {
        super(new PlanningLimits(0, 0));
    }
}
