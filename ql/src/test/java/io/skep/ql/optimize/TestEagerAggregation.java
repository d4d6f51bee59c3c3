package io.skep.ql.optimize;

import io.skep.ql.physical.PlanningLimits;

/** Below joins in one task. */
class TestEagerAggregation extends EagerAggregationCases {
    TestEagerAggregation() {
        super(PlanningLimits.DEFAULT);
    }
}
