package io.skep.tez.vertex;

import io.skep.engine.plan.PlanNode;
import io.skep.engine.schedule.SwappedJoins;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Which joins are built from the other side, because what was to be built has turned out much larger. */
final class JoinSideSwitch {
    private JoinSideSwitch() {}

    /**
     * The numbers of joins that are to be mirrored.
     *
     * @param outputs all that the fragment reads partitions of
     * @param factor how many times the probe side a build side has to be; 0: none is mirrored
     */
    static Set<Integer> mirrored(PlanNode root, List<OutputSizes.Output> outputs, long factor) {
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
