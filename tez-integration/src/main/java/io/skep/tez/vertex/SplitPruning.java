package io.skep.tez.vertex;

import io.skep.common.vector.Datum;
import io.skep.engine.filter.ColumnValues;
import io.skep.engine.plan.codec.ColumnValuesCodec;
import io.skep.tez.wire.SplitShare;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The information with which a vertex manager prunes splits of its tasks by values that other fragments report.
 *
 * @param tasks by planned task: how many splits it has, by scan
 * @param fewerTasks whether tasks without remaining splits are dropped
 */
record SplitPruning(List<Filter> filters, List<Map<Integer, Integer>> tasks, boolean fewerTasks) {
    /** The index of null. */
    static final int NULL = -1;

    /**
     * A column that has one value in each split.
     *
     * @param scan id of the scan of these splits
     * @param fragments that report values
     * @param source column of their output
     * @param values that occur in the splits
     * @param splits by planned task: for each of its splits the index of its value, or {@link #NULL}
     */
    record Filter(int scan, List<Integer> fragments, int source, List<Datum> values, List<int[]> splits) {
        Filter {
            fragments = List.copyOf(fragments);
            values = List.copyOf(values);
            splits = List.copyOf(splits);
        }

        private BitSet matching(ColumnValues known) {
            BitSet matching = new BitSet();
            for (int i = 0; i < values.size(); i++) {
                matching.set(i, known.mayHold(values.get(i)));
            }
            return matching;
        }
    }

    SplitPruning {
        filters = List.copyOf(filters);
        tasks = List.copyOf(tasks);
    }

    /** Returns the fragments whose values are used. */
    Set<Integer> fragments() {
        return filters.stream().flatMap(filter -> filter.fragments().stream()).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Returns the remaining parts of the tasks, at least one.
     *
     * @param known the values for a filter, if all have been reported
     */
    List<SplitShare> shares(Function<Filter, Optional<ColumnValues>> known) {
        List<Map<Integer, BitSet>> leftOut = new ArrayList<>();
        tasks.forEach(_ -> leftOut.add(new HashMap<>()));
        for (Filter filter : filters) {
            known.apply(filter).ifPresent(values -> leaveOut(filter, filter.matching(values), leftOut));
        }
        List<SplitShare> shares = new ArrayList<>();
        long unread = 0;
        for (int task = 0; task < tasks.size(); task++) {
            long fewer = leftOut.get(task).values().stream()
                    .mapToInt(BitSet::cardinality)
                    .sum();
            long splits = tasks.get(task).values().stream()
                    .mapToInt(Integer::intValue)
                    .sum();
            unread += fewer;
            if (fewer < splits || !fewerTasks) {
                shares.add(new SplitShare(task, leftOut.get(task), unread));
                unread = 0;
            }
        }
        if (shares.isEmpty()) {
            shares.add(new SplitShare(0, leftOut.getFirst(), 0));
        }
        shares.set(0, shares.getFirst().withMore(unread));
        return shares;
    }

    private static void leaveOut(Filter filter, BitSet matching, List<Map<Integer, BitSet>> leftOut) {
        for (int task = 0; task < leftOut.size(); task++) {
            int[] places = filter.splits().get(task);
            for (int split = 0; split < places.length; split++) {
                if (places[split] == NULL || !matching.get(places[split])) {
                    leftOut.get(task)
                            .computeIfAbsent(filter.scan(), _ -> new BitSet())
                            .set(split);
                }
            }
        }
    }

    void write(DataOutputStream out) throws IOException {
        out.writeBoolean(fewerTasks);
        out.writeInt(tasks.size());
        for (Map<Integer, Integer> task : tasks) {
            out.writeInt(task.size());
            for (Map.Entry<Integer, Integer> scan : task.entrySet()) {
                out.writeInt(scan.getKey());
                out.writeInt(scan.getValue());
            }
        }
        out.writeInt(filters.size());
        for (Filter filter : filters) {
            write(out, filter);
        }
    }

    private static void write(DataOutputStream out, Filter filter) throws IOException {
        out.writeInt(filter.scan());
        out.writeInt(filter.source());
        out.writeInt(filter.fragments().size());
        for (int fragment : filter.fragments()) {
            out.writeInt(fragment);
        }
        byte[] values = ColumnValuesCodec.encodeList(filter.values());
        out.writeInt(values.length);
        out.write(values);
        for (int[] places : filter.splits()) {
            out.writeInt(places.length);
            for (int place : places) {
                out.writeInt(place);
            }
        }
    }

    static SplitPruning read(DataInputStream in) throws IOException {
        boolean fewerTasks = in.readBoolean();
        List<Map<Integer, Integer>> tasks = new ArrayList<>();
        for (int i = in.readInt(); i > 0; i--) {
            Map<Integer, Integer> scans = new HashMap<>();
            for (int scan = in.readInt(); scan > 0; scan--) {
                scans.put(in.readInt(), in.readInt());
            }
            tasks.add(scans);
        }
        List<Filter> filters = new ArrayList<>();
        for (int i = in.readInt(); i > 0; i--) {
            filters.add(readFilter(in, tasks.size()));
        }
        return new SplitPruning(filters, tasks, fewerTasks);
    }

    private static Filter readFilter(DataInputStream in, int tasks) throws IOException {
        int scan = in.readInt();
        int source = in.readInt();
        List<Integer> fragments = new ArrayList<>();
        for (int i = in.readInt(); i > 0; i--) {
            fragments.add(in.readInt());
        }
        List<Datum> values = ColumnValuesCodec.decodeList(in.readNBytes(in.readInt()));
        List<int[]> splits = new ArrayList<>();
        for (int task = 0; task < tasks; task++) {
            int[] places = new int[in.readInt()];
            for (int i = 0; i < places.length; i++) {
                places[i] = in.readInt();
            }
            splits.add(places);
        }
        return new Filter(scan, fragments, source, values, splits);
    }
}
