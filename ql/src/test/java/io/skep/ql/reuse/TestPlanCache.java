package io.skep.ql.reuse;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.metastore.testing.TestingMetastore;
import io.skep.ql.ResultSchema;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.apache.calcite.jdbc.JavaTypeFactoryImpl;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.volcano.VolcanoPlanner;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalValues;
import org.apache.calcite.rex.RexBuilder;
import org.junit.jupiter.api.Test;

/** Tests the size of cached plans: a short text over large views is a large plan. */
final class TestPlanCache {
    private static final long MOST = 1_000_000;

    private final RelNode algebra = LogicalValues.createOneRow(
            RelOptCluster.create(new VolcanoPlanner(), new RexBuilder(new JavaTypeFactoryImpl())));

    private ParameterizedPlan query(long bytes) {
        return new ParameterizedPlan(
                algebra,
                new ResultSchema(List.of()),
                List.of(),
                List.of(),
                List.of(),
                CardinalityBucket.ANY,
                true,
                bytes);
    }

    private static PlanCache.Key key(int number) {
        return new PlanCache.Key(
                new PlanCache.Environment("select " + number, "default", new TreeMap<>(), List.of()),
                Set.of(),
                List.of());
    }

    @Test
    void plansAreBoundedInBytes() throws Exception {
        try (TestingMetastore metastore = TestingMetastore.open()) {
            PlanCache cache = new PlanCache(metastore.catalog(), MOST);
            for (int i = 0; i < 500; i++) {
                for (int copy = 0; copy < 8; copy++) {
                    cache.giveBack(key(i), query(10_000));
                    assertThat(cache.bytes()).isLessThanOrEqualTo(MOST);
                }
            }
            assertThat(cache.take(key(499))).isPresent();
            assertThat(cache.take(key(0))).isEmpty();
            long before = cache.bytes();
            assertThat(cache.take(key(498))).isPresent();
            assertThat(cache.bytes()).isEqualTo(before - 10_000);
        }
    }

    @Test
    void aPlanThatIsTooLargeIsNotKept() throws Exception {
        try (TestingMetastore metastore = TestingMetastore.open()) {
            PlanCache cache = new PlanCache(metastore.catalog(), MOST);
            cache.giveBack(key(1), query(MOST / 10));
            assertThat(cache.take(key(1))).isEmpty();
            assertThat(cache.bytes()).isZero();
        }
    }

    @Test
    void algebraIsWeighedByWhatIsInIt() {
        assertThat(Parameters.size(algebra).nodes()).isPositive();
        assertThat(Parameters.size(algebra).bytes()).isBetween(500L, 5000L);
    }
}
