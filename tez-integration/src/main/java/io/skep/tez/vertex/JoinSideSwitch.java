package io.skep.tez.vertex;

import io.skep.engine.plan.PlanNode;
import io.skep.engine.schedule.SwappedJoins;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Decides which joins are built from the other side, because the planned build side is in fact much larger. */
final class JoinSideSwitch {
    private JoinSideSwitch() {}

    /**
     * Returns the numbers of the joins to mirror.
     *
     * @param outputs all outputs whose partitions the fragment reads
     * @param factor a join is mirrored when its build side is larger than its probe side times this; 0: none is
     *     mirrored
     */
    static Set<Integer> joinsToMirror(PlanNode root, List<OutputSizes.Output> outputs, long factor) {
        Map<Integer, Long> bytes = new HashMap<>();
        for (OutputSizes.Output output : outputs) {
            for (int i = 0; i < output.sizes().partitions(); i++) {
                bytes.merge(output.fragment(), output.sizes().bytes(i), OutputSizes::sum);
            }
        }
        return SwappedJoins.candidates(root).stream()
                .filter(join -> bytes.keySet().containsAll(join.probed())
                        && bytes.keySet().containsAll(join.built()))
                .filter(join -> factor > 0 && sum(bytes, join.built()) / factor > sum(bytes, join.probed()))
                .map(SwappedJoins.Candidate::join)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static long sum(Map<Integer, Long> bytes, Set<Integer> fragments) {
        return fragments.stream()
                .map(fragment -> bytes.getOrDefault(fragment, 0L))
                .reduce(0L, OutputSizes::sum);
    }
}
