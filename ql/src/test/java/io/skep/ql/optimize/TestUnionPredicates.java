package io.skep.ql.optimize;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.ql.testing.RelFixture;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.rex.RexNode;
import org.junit.jupiter.api.Test;

/** Tests the predicates that hold for the rows of unions. */
class TestUnionPredicates {
    private final RelFixture fixture = new RelFixture().table("a", "k int, x int", 1000);

    /** Returns the predicates of a union of branches with these conditions. */
    private List<String> predicates(int branches, IntFunction<String> condition) {
        String sql = IntStream.range(0, branches)
                .mapToObj(i -> "select k, x from a where " + condition.apply(i))
                .collect(Collectors.joining(" union all "));
        RelNode root = fixture.after(List.of(CoreRules.UNION_MERGE), fixture.analyzed(sql));
        RelNode union = root;
        while (!(union instanceof Union)) {
            union = union.getInput(0);
        }
        assertThat(union.getInputs()).hasSize(branches);
        fixture.metadata().install(root.getCluster());
        return fixture.metadata().query(root.getCluster()).getPulledUpPredicates(union).pulledUpPredicates.stream()
                .map(RexNode::toString)
                .toList();
    }

    @Test
    void fewBranchesGiveAlternatives() {
        assertThat(predicates(2, i -> "k = " + i))
                .singleElement()
                .asString()
                .contains("0")
                .contains("1");
        assertThat(predicates(16, i -> "k > 3 and x = " + i)).hasSize(2);
    }

    @Test
    void manyBranchesGiveOnlyWhatAllShare() {
        assertThat(predicates(17, i -> "k > 3 and x = " + i)).containsExactly(">($0, 3)");
    }

    @Test
    void manyBranchesThatShareNothingGiveNothing() {
        assertThat(predicates(17, i -> "k = " + i)).isEmpty();
        assertThat(predicates(17, i -> i == 16 ? "x > 3" : "k > 3")).isEmpty();
    }
}
