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
 * What a vertex's manager has to know to leave out splits of its tasks by values that other fragments tell.
 *
 * @param tasks by the number of a planned task: how many splits it has, by scan
 * @param fewerTasks whether tasks that are left without a split are left out
 */
record SplitPruning(List<Filter> filters, List<Map<Integer, Integer>> tasks, boolean fewerTasks) {
    /** The place of null. */
    static final int NULL = -1;

    /**
     * A column that splits have one value of.
     *
     * @param scan id of the scan whose splits they are
     * @param fragments that tell values
     * @param source column of their output
     * @param values that the splits have
     * @param splits by planned task: for each of its splits the place of its value, or {@link #NULL}
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

    /** The fragments whose values count. */
    Set<Integer> fragments() {
        return filters.stream().flatMap(filter -> filter.fragments().stream()).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * What is left of the tasks, one at least.
     *
     * @param known the values that a filter goes by, if they have all been told
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
