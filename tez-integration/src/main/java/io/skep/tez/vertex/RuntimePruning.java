package io.skep.tez.vertex;

import io.skep.common.vector.Datum;
import io.skep.engine.plan.DynamicPartitionFilter;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.engine.schedule.TaskLayout;
import io.skep.engine.schedule.TaskLayout.TaskPlace;
import io.skep.storage.page.PartitionValues;
import io.skep.storage.table.Column;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableLayout;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Decides which vertices of a query prune splits, and by which fragments' values. A vertex that receives rows of the
 * fragments that report the values starts after them in any case. Another vertex waits for them only when that is
 * cheap: when they read little compared with what the scan may skip.
 */
public final class RuntimePruning {
    /** The awaited fragments may read at most this fraction (one part in CHEAP) of the bytes that the scan reads. */
    private static final int CHEAP = 4;

    /** The zone does not matter: splits are not filtered by types whose text depends on it. */
    private static final PartitionValues VALUES = new PartitionValues(ZoneOffset.UTC);

    private final TaskLayout layout;
    private final boolean fewerTasks;
    /** Fragments whose rows go to all tasks of their consumers. */
    private final Set<Integer> broadcasts = new HashSet<>();
    /** By fragment: the fragments that end before it begins. */
    private final Map<Integer, Set<Integer>> before = new HashMap<>();

    private final Map<Integer, SplitPruning> prunings = new HashMap<>();
    private final Map<Integer, Set<Integer>> reported = new HashMap<>();
    private final Map<Integer, Set<Integer>> listeners = new HashMap<>();

    /** @param fewerTasks whether a vertex may get fewer tasks than planned */
    public RuntimePruning(StageGraphRun run, TaskLayout layout, boolean fewerTasks) {
        this.layout = layout;
        this.fewerTasks = fewerTasks;
        for (Fragment fragment : run.graph().fragments()) {
            if (fragment.output() instanceof Fragment.Output.Broadcast) {
                broadcasts.add(fragment.id());
            }
            before.put(fragment.id(), new HashSet<>(TaskLayout.producers(fragment.root())));
        }
        run.graph().fragments().forEach(this::prune);
    }

    /** Returns how a fragment's vertex prunes splits, or nothing if it does not. */
    public Optional<SplitPruning> of(int fragment) {
        return Optional.ofNullable(prunings.get(fragment));
    }

    /** Returns the columns of a fragment's output whose values its tasks report. */
    public List<Integer> reported(int fragment) {
        return List.copyOf(reported.getOrDefault(fragment, Set.of()));
    }

    /** Returns the fragments whose vertices need these values. */
    public List<Integer> listeners(int fragment) {
        return List.copyOf(listeners.getOrDefault(fragment, Set.of()));
    }

    private void prune(Fragment fragment) {
        List<SplitPruning.Filter> filters = new ArrayList<>();
        for (PlanNode.Scan scan : TaskLayout.scans(fragment.root())) {
            for (DynamicPartitionFilter wanted : scan.splitFilters()) {
                SplitPruning.Filter filter = filter(fragment.id(), scan, wanted);
                boolean chooses = filter.splits().stream()
                                .flatMapToInt(Arrays::stream)
                                .distinct()
                                .count()
                        > 1;
                if (chooses && mayWait(fragment.id(), scan, wanted)) {
                    filters.add(filter);
                    expect(fragment.id(), wanted);
                }
            }
        }
        if (!filters.isEmpty()) {
            prunings.put(fragment.id(), new SplitPruning(filters, splitCounts(fragment), mayDropTasks(fragment)));
        }
    }

    private SplitPruning.Filter filter(int fragment, PlanNode.Scan scan, DynamicPartitionFilter wanted) {
        TableLayout table = scan.request().table();
        int ordinal = scan.request().columns().get(wanted.column());
        Column column = table.column(ordinal);
        int key = ordinal - table.dataColumns().size();
        Map<Optional<String>, Integer> places = new HashMap<>();
        Map<Datum, Integer> values = new LinkedHashMap<>();
        List<int[]> splits = new ArrayList<>();
        for (TaskPlace task : layout.tasks(fragment)) {
            splits.add(task.splits().getOrDefault(scan.id(), List.of()).stream()
                    .mapToInt(split -> places.computeIfAbsent(
                            split.partitionValues().get(key), text -> place(text, column, values)))
                    .toArray());
        }
        return new SplitPruning.Filter(
                scan.id(), wanted.fragments(), wanted.source(), List.copyOf(values.keySet()), splits);
    }

    private static int place(Optional<String> text, Column column, Map<Datum, Integer> values) {
        // Converted to the form that rows have, by way of the vector form of its type.
        Datum value = text.map(known -> VALUES.parse(known, column))
                .map(parsed -> Datum.of(parsed.toVector(column.type()), 0, column.type()))
                .orElse(Datum.NULL);
        if (value.isNull()) {
            return SplitPruning.NULL;
        }
        Integer known = values.putIfAbsent(value, values.size());
        return known == null ? values.size() - 1 : known;
    }

    private boolean mayWait(int fragment, PlanNode.Scan scan, DynamicPartitionFilter wanted) {
        Set<Integer> others = new HashSet<>(wanted.fragments());
        others.removeAll(before.getOrDefault(fragment, Set.of()));
        if (others.isEmpty()) {
            return true;
        }
        Set<Integer> waitedFor = new HashSet<>();
        others.forEach(other -> collect(other, waitedFor));
        long awaited = waitedFor.stream().mapToLong(this::bytes).sum();
        long own = layout.tasks(fragment).stream()
                .flatMap(task -> task.splits().getOrDefault(scan.id(), List.of()).stream())
                .mapToLong(Split::length)
                .sum();
        return !waitedFor.contains(fragment) && awaited <= own / CHEAP;
    }

    /** Collects a fragment and all fragments that must end before it can. */
    private void collect(int fragment, Set<Integer> found) {
        if (found.add(fragment)) {
            before.getOrDefault(fragment, Set.of()).forEach(earlier -> collect(earlier, found));
        }
    }

    private long bytes(int fragment) {
        return layout.tasks(fragment).stream()
                .flatMap(task -> task.splits().values().stream())
                .flatMap(List::stream)
                .mapToLong(Split::length)
                .sum();
    }

    private void expect(int fragment, DynamicPartitionFilter wanted) {
        for (int teller : wanted.fragments()) {
            before.computeIfAbsent(fragment, _ -> new HashSet<>()).add(teller);
            reported.computeIfAbsent(teller, _ -> new TreeSet<>()).add(wanted.source());
            listeners.computeIfAbsent(teller, _ -> new TreeSet<>()).add(fragment);
        }
    }

    private List<Map<Integer, Integer>> splitCounts(Fragment fragment) {
        List<Map<Integer, Integer>> counts = new ArrayList<>();
        for (TaskPlace task : layout.tasks(fragment.id())) {
            Map<Integer, Integer> byScan = new HashMap<>();
            task.splits().forEach((scan, splits) -> byScan.put(scan, splits.size()));
            counts.add(byScan);
        }
        return counts;
    }

    /**
     * Whether tasks without splits may be dropped. They may not where tasks read parts of other vertices' rows, because
     * these parts depend on the planned number of tasks.
     */
    private boolean mayDropTasks(Fragment fragment) {
        return fewerTasks
                && fragment.distribution() == Fragment.Distribution.SOURCE
                && TaskLayout.producers(fragment.root()).stream().allMatch(broadcasts::contains);
    }
}
