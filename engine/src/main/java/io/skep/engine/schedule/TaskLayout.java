package io.skep.engine.schedule;

import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.StageGraph;
import io.skep.storage.table.Split;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The distribution of a run's fragments into tasks: their number, their daemons and their splits. The same for every
 * scheduler. Immutable.
 *
 * @param fragments by fragment id, in the order of the graph
 */
public record TaskLayout(Map<Integer, List<TaskPlace>> fragments) {
    /**
     * One task.
     *
     * @param daemon index of the daemon on which the task runs
     * @param splits by scan id
     * @param drivers number of executors that may work on the task at once
     */
    public record TaskPlace(int daemon, Map<Integer, List<Split>> splits, int drivers) {
        public TaskPlace {
            splits = Map.copyOf(splits);
        }
    }

    /** Chooses daemons, which are identified by their index. */
    @FunctionalInterface
    public interface SplitAssigner {
        /** Returns a daemon for each split of a scan. */
        int[] assign(PlanNode.Scan scan, List<Split> splits);

        /** Returns a daemon for work that reads nothing. */
        default int anywhere() {
            return 0;
        }
    }

    public TaskLayout {
        fragments = Collections.unmodifiableMap(new LinkedHashMap<>(fragments));
    }

    /** @param executors number of executors of each daemon */
    public static TaskLayout of(StageGraphRun run, List<Integer> executors, SplitAssigner assigner) {
        return new LayoutBuilder(run, executors, assigner).build();
    }

    /** Returns the scans of a fragment. */
    public static List<PlanNode.Scan> scans(PlanNode node) {
        List<PlanNode.Scan> found = new ArrayList<>();
        node.walk(below -> {
            if (below instanceof PlanNode.Scan scan) {
                found.add(scan);
            }
        });
        return found;
    }

    /** Returns the fragments that a fragment reads. */
    public static Set<Integer> producers(PlanNode node) {
        Set<Integer> found = new HashSet<>();
        node.walk(below -> {
            if (below instanceof PlanNode.RemoteSource source) {
                found.addAll(source.fragments());
            }
        });
        return found;
    }

    /**
     * Returns the number of partitions of a fragment's output: the number of tasks of its consumer, or 1 for output to
     * the client.
     */
    public int outputPartitions(StageGraph graph, int fragment) {
        int partitions = 1;
        for (Fragment consumer : graph.fragments()) {
            if (producers(consumer.root()).contains(fragment)) {
                partitions = Math.max(partitions, tasks(consumer.id()).size());
            }
        }
        return partitions;
    }

    public List<TaskPlace> tasks(int fragment) {
        return fragments.getOrDefault(fragment, List.of());
    }
}
