package io.skep.ql.optimize;

import io.skep.ql.physical.PlanningLimits;

/** Tests the cases with joins in a single task. */
class TestEagerAggregation extends EagerAggregationCases {
    TestEagerAggregation() {
        super(PlanningLimits.DEFAULT);
    }
}
