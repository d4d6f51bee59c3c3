package io.skep.engine.schedule;

import io.skep.engine.plan.PlanNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the inputs of a fragment whose rows may be distributed over several tasks in any way, while each task reads all
 * other inputs as a whole. Together the tasks then return the same rows as one task that reads everything. Such an
 * input is the probe side of a join that returns no unmatched rows of its build side. It may pass through operators
 * that process each row independently. An operator that must see all rows of a key, or all rows of the task, in one
 * place allows no such input.
 */
public final class SkewSplittableInputs {
    private SkewSplittableInputs() {}

    /** Returns the fragments that produce these inputs. Empty if there is no such input. */
    public static Set<Integer> of(PlanNode root) {
        List<Integer> sliced = new ArrayList<>();
        if (!find(root, sliced)) {
            return Set.of();
        }
        List<Integer> all = new ArrayList<>();
        root.walk(node -> {
            if (node instanceof PlanNode.RemoteSource source) {
                all.addAll(source.fragments());
            }
        });
        // A fragment that is also read in another place would be divided there too.
        boolean elsewhere = sliced.stream()
                .anyMatch(fragment -> all.stream().filter(fragment::equals).count() > 1);
        return elsewhere ? Set.of() : new HashSet<>(sliced);
    }

    /** Returns false if the node must see all of its rows. */
    private static boolean find(PlanNode node, List<Integer> found) {
        return switch (node) {
            case PlanNode.RemoteSource n -> found.addAll(n.fragments());
            case PlanNode.Filter _, PlanNode.Project _, PlanNode.Expand _ -> findInInputs(node, found);
            case PlanNode.TableFunction _, PlanNode.TableWrite _, PlanNode.UnionAll _ -> findInInputs(node, found);
            // Several tasks may output states of the same group.
            case PlanNode.Aggregate n -> n.step().outputsStates() && find(n.input(), found);
            case PlanNode.Join n ->
                switch (n.kind()) {
                    case INNER, LEFT, SEMI, ANTI -> find(n.left(), found);
                    // Each task would return the unmatched rows of the build side.
                    case RIGHT, FULL -> false;
                };
            case PlanNode.Scan _, PlanNode.Values _ -> false;
            case PlanNode.Sort _, PlanNode.TopN _, PlanNode.Limit _, PlanNode.Window _ -> false;
            case PlanNode.Transform _ -> false;
        };
    }

    private static boolean findInInputs(PlanNode node, List<Integer> found) {
        return node.inputs().stream().allMatch(input -> find(input, found));
    }
}
