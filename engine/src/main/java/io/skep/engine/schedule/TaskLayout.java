package io.skep.engine.schedule;

import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.StageGraph;
import io.skep.storage.table.Split;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How a run's fragments become tasks: how many, where, with which splits. The same for every scheduler. Immutable.
 *
 * @param fragments by fragment id, in the order of the graph
 */
public record TaskLayout(Map<Integer, List<TaskPlace>> fragments) {
    /** Below so many rows by estimate, more than one task or driver costs more than it gains. */
    private static final double SMALL_ROWS = 50_000;

    /**
     * One task.
     *
     * @param daemon index of the daemon that it runs on
     * @param splits by scan id
     * @param drivers executors that may work on it at once
     */
    public record TaskPlace(int daemon, Map<Integer, List<Split>> splits, int drivers) {
        public TaskPlace {
            splits = Map.copyOf(splits);
        }
    }

    /** Chooses a daemon for each split of a scan. */
    @FunctionalInterface
    public interface SplitAssigner {
        /** Indexes of daemons, one a split. */
        int[] assign(List<Split> splits);
    }

    public TaskLayout {
        fragments = Collections.unmodifiableMap(new LinkedHashMap<>(fragments));
    }

    /** @param executors of each daemon */
    public static TaskLayout of(StageGraphRun run, List<Integer> executors, SplitAssigner assigner) {
        boolean small = run.graph().estimatedRows() < SMALL_ROWS;
        Map<Integer, List<TaskPlace>> places = new LinkedHashMap<>();
        int busiest = 0;
        for (Fragment fragment : run.graph().fragments()) {
            List<TaskPlace> tasks = switch (fragment.distribution()) {
                case SINGLE -> List.of(single(run, fragment, busiest, small ? 1 : executors.get(busiest)));
                case HASH -> hash(executors, small, busiest);
                case SOURCE -> source(run, fragment, executors, assigner);
            };
            if (fragment.distribution() == Fragment.Distribution.SOURCE) {
                busiest = busiest(tasks);
            }
            places.put(fragment.id(), tasks);
        }
        return new TaskLayout(places);
    }

    private static TaskPlace single(StageGraphRun run, Fragment fragment, int daemon, int drivers) {
        Map<Integer, List<Split>> splits = new HashMap<>();
        scans(fragment.root())
                .forEach(scan -> splits.put(scan.id(), run.splits().getOrDefault(scan.id(), List.of())));
        return new TaskPlace(daemon, splits, drivers);
    }

    private static List<TaskPlace> hash(List<Integer> executors, boolean small, int daemon) {
        if (small) {
            return List.of(new TaskPlace(daemon, Map.of(), 1));
        }
        List<TaskPlace> tasks = new ArrayList<>();
        for (int i = 0; i < executors.size(); i++) {
            tasks.addAll(Collections.nCopies(executors.get(i), new TaskPlace(i, Map.of(), 1)));
        }
        return tasks;
    }

    private static List<TaskPlace> source(
            StageGraphRun run, Fragment fragment, List<Integer> executors, SplitAssigner assigner) {
        List<Map<Integer, List<Split>>> shares = new ArrayList<>();
        executors.forEach(ignored -> shares.add(new HashMap<>()));
        for (PlanNode.Scan scan : scans(fragment.root())) {
            List<Split> splits = run.splits().getOrDefault(scan.id(), List.of());
            int[] daemons = assigner.assign(splits);
            for (int i = 0; i < daemons.length; i++) {
                shares.get(daemons[i])
                        .computeIfAbsent(scan.id(), ignored -> new ArrayList<>())
                        .add(splits.get(i));
            }
        }
        List<TaskPlace> tasks = new ArrayList<>();
        for (int daemon = 0; daemon < shares.size(); daemon++) {
            int count =
                    shares.get(daemon).values().stream().mapToInt(List::size).sum();
            if (count > 0) {
                tasks.add(new TaskPlace(daemon, shares.get(daemon), Math.min(executors.get(daemon), count)));
            }
        }
        return tasks.isEmpty() ? List.of(new TaskPlace(0, Map.of(), 1)) : tasks;
    }

    private static int busiest(List<TaskPlace> tasks) {
        TaskPlace most = tasks.getFirst();
        for (TaskPlace task : tasks) {
            most = task.drivers() > most.drivers() ? task : most;
        }
        return most.daemon();
    }

    /** The scans of a fragment. */
    public static List<PlanNode.Scan> scans(PlanNode node) {
        List<PlanNode.Scan> found = new ArrayList<>();
        if (node instanceof PlanNode.Scan scan) {
            found.add(scan);
        }
        node.inputs().forEach(input -> found.addAll(scans(input)));
        return found;
    }

    /** The fragments that a fragment reads. */
    public static Set<Integer> producers(PlanNode node) {
        Set<Integer> found = new HashSet<>();
        if (node instanceof PlanNode.RemoteSource source) {
            found.addAll(source.fragments());
        }
        node.inputs().forEach(input -> found.addAll(producers(input)));
        return found;
    }

    /** The partitions that a fragment's output needs: as many as its consumer has tasks; 1 towards the client. */
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
