package io.skep.engine.schedule;

import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.schedule.TaskLayout.SplitAssigner;
import io.skep.engine.schedule.TaskLayout.TaskPlace;
import io.skep.storage.table.Split;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Builds a {@link TaskLayout}, fragment by fragment, producers first. Scans run where their splits are placed. Later
 * fragments run where most of their input comes from, on no more daemons than the expected rows justify. Only daemons
 * that get work are examined.
 */
final class LayoutBuilder {
    /** The estimated number of rows below which more than one task or driver costs more than it gains. */
    private static final double SMALL_ROWS = 50_000;

    /** The estimated number of rows that justify one more task of a hashed fragment. */
    private static final double ROWS_PER_HASH_TASK = 50_000;

    private final StageGraphRun run;
    private final List<Integer> executors;
    private final SplitAssigner assigner;
    private final boolean small;
    private final Map<Integer, List<TaskPlace>> places = new LinkedHashMap<>();

    /** The estimated output of each fragment by daemon, in bytes of the files that are read for it. */
    private final Map<Integer, Map<Integer, Double>> outputs = new HashMap<>();

    LayoutBuilder(StageGraphRun run, List<Integer> executors, SplitAssigner assigner) {
        this.run = run;
        this.executors = executors;
        this.assigner = assigner;
        this.small = run.graph().estimatedRows() < SMALL_ROWS;
    }

    TaskLayout build() {
        for (Fragment fragment : run.graph().fragments()) {
            Map<Integer, Double> input = new TreeMap<>();
            for (int producer : TaskLayout.producers(fragment.root())) {
                add(input, outputs.getOrDefault(producer, Map.of()));
            }
            List<TaskPlace> tasks = switch (fragment.distribution()) {
                case SINGLE -> List.of(single(fragment, input));
                case HASH -> hash(input);
                case SOURCE -> source(fragment, input);
            };
            places.put(fragment.id(), tasks);
            outputs.put(fragment.id(), output(tasks, input));
        }
        return new TaskLayout(places);
    }

    private static void add(Map<Integer, Double> bytes, Map<Integer, Double> more) {
        more.forEach((daemon, some) -> bytes.merge(daemon, some, Double::sum));
    }

    /**
     * Estimates the output of a task to be proportional to the files that it reads, or otherwise to its share of the
     * input that is sent to it.
     */
    private static Map<Integer, Double> output(List<TaskPlace> tasks, Map<Integer, Double> input) {
        double sent = input.values().stream().mapToDouble(Double::doubleValue).sum() / tasks.size();
        Map<Integer, Double> output = new TreeMap<>();
        for (TaskPlace task : tasks) {
            double read = bytes(task);
            output.merge(task.daemon(), read > 0 ? read : sent, Double::sum);
        }
        return output;
    }

    private static double bytes(TaskPlace task) {
        return task.splits().values().stream()
                .flatMap(List::stream)
                .mapToDouble(Split::length)
                .sum();
    }

    private TaskPlace single(Fragment fragment, Map<Integer, Double> sent) {
        Map<Integer, Double> bytes = new TreeMap<>(sent);
        Map<Integer, List<Split>> splits = new HashMap<>();
        shares(fragment).forEach((daemon, share) -> {
            TaskPlace there = new TaskPlace(daemon, share, 1);
            bytes.merge(daemon, bytes(there), Double::sum);
            share.forEach((scan, some) ->
                    splits.computeIfAbsent(scan, ignored -> new ArrayList<>()).addAll(some));
        });
        int daemon = nearest(bytes);
        return new TaskPlace(daemon, splits, small ? 1 : executors.get(daemon));
    }

    private int nearest(Map<Integer, Double> bytes) {
        return bytes.isEmpty() ? anywhere() : daemonsByBytes(bytes).getFirst();
    }

    /** Work that reads nothing is placed on one daemon. */
    private int anywhere() {
        return places.isEmpty()
                ? assigner.anywhere()
                : places.values().iterator().next().getFirst().daemon();
    }

    private List<TaskPlace> hash(Map<Integer, Double> input) {
        Set<Integer> daemons = new LinkedHashSet<>(input.isEmpty() ? List.of(anywhere()) : daemonsByBytes(input));
        double worth = small ? 1 : Math.ceil(run.graph().estimatedRows() / ROWS_PER_HASH_TASK);
        List<TaskPlace> tasks = new ArrayList<>();
        daemons.forEach(daemon -> addHash(tasks, daemon, worth));
        for (int daemon = 0; daemon < executors.size() && tasks.size() < worth; daemon++) {
            if (!daemons.contains(daemon)) {
                addHash(tasks, daemon, worth);
            }
        }
        return tasks;
    }

    private void addHash(List<TaskPlace> tasks, int daemon, double worth) {
        int count = (int) Math.clamp(worth - tasks.size(), 0, executors.get(daemon));
        tasks.addAll(Collections.nCopies(count, new TaskPlace(daemon, Map.of(), 1)));
    }

    /** Returns the daemons by their bytes, in descending order. */
    private static List<Integer> daemonsByBytes(Map<Integer, Double> bytes) {
        List<Integer> daemons = new ArrayList<>(bytes.keySet());
        daemons.sort((one, other) -> Double.compare(bytes.getOrDefault(other, 0.0), bytes.getOrDefault(one, 0.0)));
        return daemons;
    }

    private List<TaskPlace> source(Fragment fragment, Map<Integer, Double> sent) {
        List<TaskPlace> tasks = new ArrayList<>();
        shares(fragment).forEach((daemon, splits) -> {
            int count = splits.values().stream().mapToInt(List::size).sum();
            tasks.add(new TaskPlace(daemon, splits, Math.min(executors.get(daemon), count)));
        });
        // A fragment without files still needs a task, to report that there are no rows.
        return tasks.isEmpty() ? List.of(new TaskPlace(nearest(sent), Map.of(), 1)) : tasks;
    }

    /** Returns the splits of a fragment's scans, by daemon and scan. */
    private Map<Integer, Map<Integer, List<Split>>> shares(Fragment fragment) {
        Map<Integer, Map<Integer, List<Split>>> shares = new TreeMap<>();
        for (PlanNode.Scan scan : TaskLayout.scans(fragment.root())) {
            List<Split> splits = run.splits().getOrDefault(scan.id(), List.of());
            int[] daemons = assigner.assign(scan, splits);
            for (int i = 0; i < daemons.length; i++) {
                shares.computeIfAbsent(daemons[i], ignored -> new HashMap<>())
                        .computeIfAbsent(scan.id(), ignored -> new ArrayList<>())
                        .add(splits.get(i));
            }
        }
        return shares;
    }
}
