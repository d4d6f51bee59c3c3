package io.skep.engine.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.engine.operator.TestBatches;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.PlanNode.JoinKind;
import io.skep.engine.plan.RuntimeFilter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;

/** Joins return the same rows with runtime filters as without. */
class TestRuntimeFilters {
    static final List<SqlType> KEYS = List.of(
            PrimitiveType.INT,
            PrimitiveType.DOUBLE,
            PrimitiveType.STRING,
            new DecimalType(38, 2),
            PrimitiveType.TIMESTAMP);

    @TempDir
    private Path folder;

    private static List<Batch> batches(Random random, List<SqlType> types, int batches, int rows) {
        List<Batch> all = new ArrayList<>();
        for (int i = 0; i < batches; i++) {
            all.add(TestBatches.random(random, types, rows, 0.1));
        }
        return all;
    }

    private static PlanNode.Scan filtered(PlanNode.Scan scan, RuntimeFilter... filters) {
        return new PlanNode.Scan(scan.id(), scan.request(), scan.filter(), List.of(filters));
    }

    private static PlanNode.Join join(
            JoinKind kind, PlanNode left, PlanNode right, List<Integer> keys, RuntimeFilter... filters) {
        List<Boolean> nullSafe = keys.stream().map(key -> false).toList();
        return new PlanNode.Join(kind, left, right, keys, keys, nullSafe, Optional.empty(), List.of(filters));
    }

    private static List<String> sorted(List<List<@Nullable Object>> rows) {
        return rows.stream().map(List::toString).sorted().toList();
    }

    @ParameterizedTest
    @FieldSource("KEYS")
    void keysOfEachType(SqlType key) {
        check(JoinKind.INNER, List.of(key, PrimitiveType.BIGINT), List.of(0), 6, Map.of());
    }

    @ParameterizedTest
    @EnumSource(names = {"INNER", "SEMI", "RIGHT"})
    void severalKeys(JoinKind kind) {
        List<SqlType> types = List.of(PrimitiveType.INT, PrimitiveType.STRING, PrimitiveType.DATE);
        check(kind, types, List.of(2, 1), 40, Map.of());
        check(kind, types, List.of(2, 1), 0, Map.of());
    }

    @ParameterizedTest
    @EnumSource(names = {"INNER", "SEMI", "RIGHT"})
    void aBuildSideThatHasSpilledGivesNone(JoinKind kind) {
        check(
                kind,
                List.of(PrimitiveType.INT, PrimitiveType.INT),
                List.of(0),
                9000,
                Map.of("skep.operator.max-memory", "1"));
    }

    private void check(
            JoinKind kind, List<SqlType> types, List<Integer> keys, int buildRows, Map<String, String> settings) {
        Random random = new Random(types.hashCode() + buildRows);
        List<Batch> left = batches(random, types, 30, 100);
        List<Batch> right = buildRows == 0 ? List.of() : batches(random, types, 1, buildRows);
        try (PlanRunner runner = new PlanRunner(folder, 1 << 28).layout(1, 1, 2).settings(settings)) {
            PlanNode.Scan probe = runner.table(types, left);
            PlanNode.Scan build = runner.table(types, right);
            List<String> expected = sorted(runner.run(join(kind, probe, build, keys)));
            RuntimeFilter[] ofJoin = new RuntimeFilter[keys.size()];
            RuntimeFilter[] ofScan = new RuntimeFilter[keys.size()];
            for (int i = 0; i < keys.size(); i++) {
                ofJoin[i] = new RuntimeFilter(i, i);
                ofScan[i] = new RuntimeFilter(i, keys.get(i));
            }
            PlanNode.Join join = join(kind, filtered(probe, ofScan), build, keys, ofJoin);
            assertThat(sorted(runner.run(join))).isEqualTo(expected);
        }
    }

    /**
     * A filter of the upper join applies to the scans of both sides of the lower join. One of these is itself a build
     * side.
     */
    @Test
    void joinsOnJoinsInOneTask() {
        Random random = new Random(5);
        List<SqlType> types = List.of(PrimitiveType.INT, PrimitiveType.BIGINT);
        try (PlanRunner runner = new PlanRunner(folder, 1 << 28).layout(1, 1, 2)) {
            PlanNode.Scan a = runner.table(types, batches(random, types, 20, 50));
            PlanNode.Scan b = runner.table(types, batches(random, types, 3, 60));
            PlanNode.Scan c = runner.table(types, batches(random, types, 1, 4));
            List<String> expected =
                    sorted(runner.run(join(JoinKind.INNER, join(JoinKind.INNER, a, b, List.of(0)), c, List.of(1))));
            PlanNode.Join lower = join(
                    JoinKind.INNER,
                    filtered(a, new RuntimeFilter(0, 1), new RuntimeFilter(1, 0)),
                    b,
                    List.of(0),
                    new RuntimeFilter(1, 0));
            PlanNode.Join upper = join(JoinKind.INNER, lower, c, List.of(1), new RuntimeFilter(0, 0));
            assertThat(sorted(runner.run(upper))).isEqualTo(expected).isNotEmpty();
        }
    }

    @Test
    void anEmptyBuildSideBelowAnAggregateSparesTheScan() {
        List<SqlType> types = List.of(PrimitiveType.INT, PrimitiveType.BIGINT);
        try (PlanRunner runner = new PlanRunner(folder, 1 << 28).layout(1, 1, 2)) {
            PlanNode.Scan probe = runner.table(types, batches(new Random(2), types, 20, 50));
            PlanNode.Scan build = runner.table(types, List.of());
            PlanNode groups = new PlanNode.Aggregate(
                    filtered(probe, new RuntimeFilter(0, 0)), PlanNode.AggregateStep.SINGLE, List.of(0), List.of());
            assertThat(runner.run(join(JoinKind.INNER, groups, build, List.of(0), new RuntimeFilter(0, 0))))
                    .isEmpty();
            assertThat(runner.stats().scan().rows()).isZero();
        }
    }
}
