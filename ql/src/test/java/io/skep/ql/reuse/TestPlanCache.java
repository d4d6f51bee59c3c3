package io.skep.ql.reuse;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.metastore.testing.TestingMetastore;
import io.skep.ql.ResultSchema;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.calcite.jdbc.JavaTypeFactoryImpl;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.volcano.VolcanoPlanner;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalValues;
import org.apache.calcite.rex.RexBuilder;
import org.junit.jupiter.api.Test;

/** Tests what the plan cache holds: by number, by characters, and by the size of plans, which short texts may have. */
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
                Map.of(),
                List.of(),
                CardinalityBucket.ANY,
                true,
                bytes);
    }

    private static PlanCache.Environment shape(String text) {
        return new PlanCache.Environment(text, "default", new TreeMap<>(), List.of());
    }

    private static PlanCache.Key key(int number) {
        return new PlanCache.Key(shape("select " + number), Set.of(), List.of(), Map.of());
    }

    private static long known(PlanCache cache, String text, int shapes) {
        return IntStream.range(0, shapes)
                .filter(i -> cache.of(shape(text + i)) instanceof PlanCache.Knowledge.Open)
                .count();
    }

    @Test
    void shapesAreBoundedInNumberAndThoseThatAreUsedStay() throws Exception {
        try (TestingMetastore metastore = TestingMetastore.open()) {
            PlanCache cache = new PlanCache(metastore.catalog(), MOST);
            for (int i = 0; i < 5000; i++) {
                cache.learn(shape("select " + i), Set.of(), Set.of());
                assertThat(cache.of(shape("select " + i))).isEqualTo(new PlanCache.Knowledge.Open(Set.of(), Set.of()));
                assertThat(cache.of(shape("select 0"))).isEqualTo(new PlanCache.Knowledge.Open(Set.of(), Set.of()));
            }
            assertThat(known(cache, "select ", 5000)).isBetween(900L, 1000L);
        }
    }

    @Test
    void shapesAreBoundedInCharacters() throws Exception {
        try (TestingMetastore metastore = TestingMetastore.open()) {
            PlanCache cache = new PlanCache(metastore.catalog(), MOST);
            String text = "x".repeat(100_000);
            for (int i = 0; i < 200; i++) {
                cache.learn(shape(text + i), Set.of(), Set.of());
            }
            assertThat(known(cache, text, 200)).isBetween(30L, (4L << 20) / 100_000);
            String tooLong = "x".repeat(300_000);
            cache.markNotCacheable(shape(tooLong));
            assertThat(cache.of(shape(tooLong))).isEqualTo(new PlanCache.Knowledge.Nothing());
        }
    }

    @Test
    void plansAreBoundedInBytes() throws Exception {
        try (TestingMetastore metastore = TestingMetastore.open()) {
            PlanCache cache = new PlanCache(metastore.catalog(), MOST);
            for (int i = 0; i < 500; i++) {
                for (int copy = 0; copy < 8; copy++) {
                    cache.release(key(i), query(10_000));
                    assertThat(cache.bytes()).isLessThanOrEqualTo(MOST);
                }
            }
            assertThat(cache.bytes()).isGreaterThan(MOST / 2);
            long kept = IntStream.range(0, 500)
                    .filter(i -> cache.take(key(i)).isPresent())
                    .count();
            assertThat(kept).isBetween(MOST / 160_000, MOST / 80_000);
        }
    }

    @Test
    void aPlanThatIsUsedStaysAndAnEvictedOneIsFreed() throws Exception {
        try (TestingMetastore metastore = TestingMetastore.open()) {
            PlanCache cache = new PlanCache(metastore.catalog(), MOST);
            cache.release(key(0), query(10_000));
            for (int i = 1; i < 500; i++) {
                long before = cache.bytes();
                ParameterizedPlan used = cache.take(key(0)).orElseThrow();
                assertThat(cache.bytes()).isEqualTo(before - 10_000);
                cache.release(key(0), used);
                cache.release(key(i), query(10_000));
            }
            assertThat(cache.take(key(0))).isPresent();
        }
    }

    /** A statement returns its plan after others have taken its place. */
    @Test
    void aClosedPoolKeepsNothing() {
        PlanPool pool = new PlanPool();
        pool.release(query(10));
        pool.close();
        assertThat(pool.bytes()).isZero();
        pool.release(query(10));
        assertThat(pool.bytes()).isZero();
        assertThat(pool.take()).isEmpty();
    }

    @Test
    void aPoolIsAsHeavyAsItHasBeen() {
        PlanPool pool = new PlanPool();
        assertThat(pool.release(query(10))).isTrue();
        assertThat(pool.take()).isPresent();
        assertThat(pool.mostBytes()).isEqualTo(10);
        assertThat(pool.release(query(10))).isFalse();
        assertThat(pool.release(query(10))).isTrue();
        assertThat(pool.mostBytes()).isEqualTo(20);
    }

    @Test
    void aPlanThatIsTooLargeIsNotKept() throws Exception {
        try (TestingMetastore metastore = TestingMetastore.open()) {
            PlanCache cache = new PlanCache(metastore.catalog(), MOST);
            cache.release(key(1), query(MOST / 10));
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
