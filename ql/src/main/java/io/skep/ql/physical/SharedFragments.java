package io.skep.ql.physical;

import io.skep.engine.plan.Expression;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.schedule.TaskLayout;
import io.skep.metastore.Table;
import io.skep.ql.rel.TableSample;
import io.skep.storage.scan.ScanRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds fragments that compute the same rows and keeps one of them, whose output all consumers read. Examples are WITH
 * queries and views that are used more than once, and dimension tables that are sent to several joins. Producers come
 * before consumers in a graph, so whole subplans are found from their scans upwards. Owned by the planning of one
 * query. All expressions must return the same result on each run.
 */
final class SharedFragments {
    private final Map<Integer, ScanAssignment> scans = new HashMap<>();
    private final Map<Integer, Fragment.Distribution> consumers = new HashMap<>();
    private final Map<ScanKey, Integer> scanNumbers = new HashMap<>();
    private final Map<FragmentKey, Integer> firsts = new HashMap<>();
    /** Maps a fragment to its replacement, the first fragment that computes the same rows. */
    private final Map<Integer, Integer> places = new HashMap<>();

    private final List<Fragment> kept = new ArrayList<>();

    /**
     * The fragments of a graph, and the scans in them.
     *
     * @param origins for each fragment, the original fragment that has the same operators, or more
     */
    record Shared(List<Fragment> fragments, List<ScanAssignment> scans, List<Integer> origins) {
        /** Returns the fragments as they are. */
        static Shared unchanged(List<Fragment> fragments, List<ScanAssignment> scans) {
            return new Shared(
                    fragments, scans, fragments.stream().map(Fragment::id).toList());
        }
    }

    /** Identifies the data that a scan reads. */
    private record ScanKey(
            Table table,
            List<Expression> partitions,
            Optional<TableSample> sample,
            ScanRequest request,
            Optional<Expression> filter) {}

    /**
     * Identifies the result that a fragment computes, and its consumer.
     *
     * @param consumer the distribution of its reader's tasks; null for a broadcast, which suits any
     */
    private record FragmentKey(
            PlanNode root,
            Fragment.Distribution distribution,
            Fragment.Output output,
            Fragment.@Nullable Distribution consumer) {}

    private SharedFragments(List<Fragment> fragments, List<ScanAssignment> assignments) {
        assignments.forEach(scan -> scans.put(scan.scan(), scan));
        for (Fragment fragment : fragments) {
            for (int producer : TaskLayout.producers(fragment.root())) {
                consumers.put(producer, fragment.distribution());
            }
        }
    }

    static Shared of(List<Fragment> fragments, List<ScanAssignment> assignments) {
        Set<String> tables = new HashSet<>();
        boolean twice =
                assignments.stream().anyMatch(scan -> !tables.add(scan.table().qualifiedName()));
        if (!twice || fragments.size() < 3) {
            return Shared.unchanged(fragments, assignments);
        }
        SharedFragments sharing = new SharedFragments(fragments, assignments);
        fragments.forEach(sharing::add);
        return sharing.kept.size() == fragments.size() ? Shared.unchanged(fragments, assignments) : sharing.result();
    }

    private void add(Fragment fragment) {
        PlanNode root = withLeaves(fragment.root(), this::placed);
        PlanNode alike = withLeaves(root, this::numbered);
        boolean anywhere = fragment.output() instanceof Fragment.Output.Broadcast;
        FragmentKey key = new FragmentKey(
                alike, fragment.distribution(), fragment.output(), anywhere ? null : consumers.get(fragment.id()));
        Integer first = firsts.putIfAbsent(key, fragment.id());
        places.put(fragment.id(), first == null ? fragment.id() : first);
        if (first == null) {
            kept.add(new Fragment(fragment.id(), root, fragment.distribution(), fragment.output()));
        }
    }

    private PlanNode placed(PlanNode.Leaf leaf) {
        if (!(leaf instanceof PlanNode.RemoteSource source)) {
            return leaf;
        }
        List<Integer> fragments = source.fragments().stream()
                .map(fragment -> places.getOrDefault(fragment, fragment))
                .toList();
        return new PlanNode.RemoteSource(fragments, source.outputTypes(), source.mergeOrder());
    }

    /** Gives the same number to scans that read the same data. */
    private PlanNode numbered(PlanNode.Leaf leaf) {
        ScanAssignment assignment = leaf instanceof PlanNode.Scan scan ? scans.get(scan.id()) : null;
        if (!(leaf instanceof PlanNode.Scan scan) || assignment == null) {
            return leaf;
        }
        ScanKey key = new ScanKey(
                assignment.table(),
                assignment.partitionPredicates(),
                assignment.sample(),
                scan.request(),
                scan.filter());
        int number = scanNumbers.computeIfAbsent(key, ignored -> scanNumbers.size());
        return new PlanNode.Scan(number, scan.request(), scan.filter(), scan.runtimeFilters());
    }

    private Shared result() {
        List<Fragment> numbered = new ArrayList<>();
        List<Integer> origins = new ArrayList<>();
        Map<Integer, Integer> numbers = new HashMap<>();
        List<ScanAssignment> read = new ArrayList<>();
        for (Fragment fragment : kept) {
            Set<Integer> seen = new HashSet<>();
            PlanNode root = withLeaves(fragment.root(), leaf -> switch (leaf) {
                case PlanNode.RemoteSource source -> readOnce(source, seen, numbers, numbered, origins);
                case PlanNode.Scan scan -> {
                    Optional.ofNullable(scans.get(scan.id())).ifPresent(read::add);
                    yield scan;
                }
                case PlanNode.Values values -> values;
            });
            numbers.put(fragment.id(), numbered.size());
            numbered.add(new Fragment(numbered.size(), root, fragment.distribution(), fragment.output()));
            origins.add(fragment.id());
        }
        return new Shared(numbered, read, origins);
    }

    /** Ensures that a task reads an output only once. For a second read, an additional fragment passes the rows on. */
    private static PlanNode readOnce(
            PlanNode.RemoteSource source,
            Set<Integer> seen,
            Map<Integer, Integer> numbers,
            List<Fragment> numbered,
            List<Integer> origins) {
        List<Integer> read = new ArrayList<>();
        for (int fragment : source.fragments()) {
            int number = numbers.getOrDefault(fragment, fragment);
            read.add(seen.add(number) ? number : passedOn(number, source, numbered, origins));
        }
        return new PlanNode.RemoteSource(read, source.outputTypes(), source.mergeOrder());
    }

    private static int passedOn(
            int number, PlanNode.RemoteSource source, List<Fragment> numbered, List<Integer> origins) {
        Fragment.Output output = numbered.get(number).output();
        Fragment.Distribution distribution = switch (output) {
            case Fragment.Output.Hash _ -> Fragment.Distribution.HASH;
            case Fragment.Output.RoundRobin _ -> Fragment.Distribution.HASH;
            case Fragment.Output.Gather _ -> Fragment.Distribution.SINGLE;
            case Fragment.Output.Broadcast _ -> Fragment.Distribution.SINGLE;
        };
        PlanNode rows = new PlanNode.RemoteSource(List.of(number), source.outputTypes(), source.mergeOrder());
        numbered.add(new Fragment(numbered.size(), rows, distribution, output));
        origins.add(origins.get(number));
        return numbered.size() - 1;
    }

    /** Returns the tree with its leaves replaced, from left to right. */
    private static PlanNode withLeaves(PlanNode node, Function<PlanNode.Leaf, PlanNode> change) {
        return node instanceof PlanNode.Leaf leaf
                ? change.apply(leaf)
                : node.mapInputs(input -> withLeaves(input, change));
    }
}
