package io.skep.engine.schedule;

import io.skep.engine.plan.PlanNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the inputs of a fragment whose rows may be dealt out over several tasks in any way, while each of them reads all
 * other inputs whole. The tasks then give together what one would that reads everything: the probe side of a join
 * that gives nothing for rows of its build side alone, through operators that look at each row by itself. An operator that has to see all rows
 * of a key, or of the task, in one place allows none.
 */
public final class SkewSplittableInputs {
    private SkewSplittableInputs() {}

    /** The fragments that produce these inputs; none when there is no such input. */
    public static Set<Integer> of(PlanNode root) {
        List<Integer> sliced = new ArrayList<>();
        if (!find(root, sliced)) {
            return Set.of();
        }
        List<Integer> all = new ArrayList<>();
        sources(root, all);
        // What is read in another place too would be sliced there as well.
        boolean elsewhere = sliced.stream()
                .anyMatch(fragment -> all.stream().filter(fragment::equals).count() > 1);
        return elsewhere ? Set.of() : new HashSet<>(sliced);
    }

    /** False when the node has to see all of its rows. */
    private static boolean find(PlanNode node, List<Integer> found) {
        return switch (node) {
            case PlanNode.RemoteSource n -> found.addAll(n.fragments());
            case PlanNode.Filter n -> find(n.input(), found);
            case PlanNode.Project n -> find(n.input(), found);
            case PlanNode.Expand n -> find(n.input(), found);
            case PlanNode.TableFunction n -> find(n.input(), found);
            case PlanNode.TableWrite n -> find(n.input(), found);
            // States of one group may come from many tasks.
            case PlanNode.Aggregate n -> n.step().givesStates() && find(n.input(), found);
            case PlanNode.Join n ->
                switch (n.kind()) {
                    case INNER, LEFT, SEMI, ANTI -> find(n.left(), found);
                    // Rows of the build side without a match would come from each task.
                    case RIGHT, FULL -> false;
                };
            case PlanNode.UnionAll n -> n.inputs().stream().allMatch(input -> find(input, found));
            case PlanNode.Scan _, PlanNode.Values _ -> false;
            case PlanNode.Sort _, PlanNode.TopN _, PlanNode.Limit _, PlanNode.Window _ -> false;
        };
    }

    private static void sources(PlanNode node, List<Integer> found) {
        if (node instanceof PlanNode.RemoteSource source) {
            found.addAll(source.fragments());
        }
        node.inputs().forEach(input -> sources(input, found));
    }
}
