package io.skep.engine.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.PrimitiveType;
import io.skep.engine.plan.codec.TestPlanCodec;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Walks and rewrites plans. New operators are covered by being among the codec's examples, which a test requires. */
final class TestPlanNode {
    @Test
    void nodeOverItsOwnInputsIsEqual() {
        for (PlanNode node : TestPlanCodec.nodes()) {
            assertThat(node.withInputs(node.inputs())).isEqualTo(node);
            assertThat(node.mapInputs(input -> input)).isEqualTo(node);
        }
    }

    @Test
    void nodeOverOtherInputsKeepsEverythingElse() throws ReflectiveOperationException {
        for (PlanNode node : TestPlanCodec.nodes()) {
            List<PlanNode> others = new ArrayList<>();
            for (int i = 0; i < node.inputs().size(); i++) {
                others.add(source(100 + i));
            }
            PlanNode changed = node.withInputs(others);
            assertThat(changed).hasSameClassAs(node);
            assertThat(changed.inputs()).isEqualTo(others);
            for (RecordComponent component : node.getClass().getRecordComponents()) {
                Object before = component.getAccessor().invoke(node);
                boolean input = node.inputs().contains(before) || node.inputs().equals(before);
                if (!input || node.inputs().isEmpty()) {
                    assertThat(component.getAccessor().invoke(changed))
                            .as(component.toString())
                            .isEqualTo(before);
                }
            }
            assertThat(changed.withInputs(node.inputs())).isEqualTo(node);
        }
    }

    @Test
    void inputsOfAJoinKeepTheirSides() {
        PlanNode.Join join = join(source(1), source(2));
        assertThat(join.withInputs(List.of(source(3), source(4)))).isEqualTo(join(source(3), source(4)));
    }

    @Test
    void treeIsWalkedFromTheTopAndFromTheLeft() {
        PlanNode.RemoteSource one = source(1);
        PlanNode.RemoteSource two = source(2);
        PlanNode.RemoteSource three = source(3);
        PlanNode.Limit limit = new PlanNode.Limit(one, 0, 1);
        PlanNode.Join join = join(limit, two);
        PlanNode.UnionAll union = new PlanNode.UnionAll(List.of(join, three));
        List<PlanNode> walked = new ArrayList<>();
        union.walk(walked::add);
        assertThat(walked).containsExactly(union, join, limit, one, two, three);
        assertThat(union.anyMatch(three::equals)).isTrue();
        assertThat(union.anyMatch(PlanNode.Limit.class::isInstance)).isTrue();
        assertThat(union.anyMatch(PlanNode.Sort.class::isInstance)).isFalse();
        assertThat(three.anyMatch(union::equals)).isFalse();
    }

    @Test
    void inputsAreMappedFromTheLeft() {
        List<PlanNode> seen = new ArrayList<>();
        PlanNode mapped = join(source(1), source(2)).mapInputs(input -> {
            seen.add(input);
            return new PlanNode.Limit(input, 0, seen.size());
        });
        assertThat(seen).containsExactly(source(1), source(2));
        assertThat(mapped).isEqualTo(join(new PlanNode.Limit(source(1), 0, 1), new PlanNode.Limit(source(2), 0, 2)));
    }

    private static PlanNode.RemoteSource source(int fragment) {
        return new PlanNode.RemoteSource(List.of(fragment), List.of(PrimitiveType.INT), List.of());
    }

    private static PlanNode.Join join(PlanNode left, PlanNode right) {
        return new PlanNode.Join(
                PlanNode.JoinKind.INNER, left, right, List.of(0), List.of(0), List.of(false), Optional.empty());
    }
}
