package io.skep.tez.wire;

import io.skep.common.query.OperatorKind;
import io.skep.common.query.OperatorStats;
import io.skep.common.query.OperatorTimes;
import io.skep.common.query.PlacementStats;
import io.skep.engine.schedule.ExecutionStats;
import io.skep.llap.client.TaskStats;
import io.skep.storage.scan.ScanStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.apache.tez.common.counters.CounterGroup;
import org.apache.tez.common.counters.TezCounter;
import org.apache.tez.common.counters.TezCounters;

/** Converts a query's statistics to Tez counters, with which they travel from tasks to the client. */
public final class StatsCounters {
    private static final String GROUP = "skep";
    private static final String ROWS = "rows of fragment ";
    private static final String UNREAD = "splits left out";
    private static final String NANOS = "nanos of ";

    private static final String OPERATOR = "operator ";

    /** The number of a fragment's operators that have counters. A union may have thousands of inputs. */
    private static final int MAX_OPERATORS = 500;

    /** The figures of operators, in the order of {@link #operator}. */
    private static final List<Figure> FIGURES = List.of(
            new Figure("tasks", OperatorStats::tasks),
            new Figure("rows", OperatorStats::outputRows),
            new Figure("nanos", OperatorStats::nanos),
            new Figure("memory", OperatorStats::peakMemoryBytes),
            new Figure("spilled", OperatorStats::spilledBytes),
            new Figure("scanned", OperatorStats::scannedRows),
            new Figure("skipped", OperatorStats::rowGroupsSkipped),
            new Figure("read", OperatorStats::bytesRead),
            new Figure("hits", OperatorStats::cacheHitBytes));

    private record Figure(String name, ToLongFunction<OperatorStats> value) {}

    private StatsCounters() {}

    /** @param unread pruned splits, of this task and of tasks that were dropped */
    public static void add(TezCounters counters, int fragment, TaskStats stats, long unread) {
        add(counters, ROWS + fragment, stats.outputRows());
        for (OperatorKind kind : OperatorKind.values()) {
            add(counters, NANOS + kind.label(), stats.times().of(kind));
        }
        add(counters, "peak memory", stats.peakMemoryBytes());
        add(counters, "spilled bytes", stats.spilledBytes());
        add(counters, "scanned rows", stats.scannedRows());
        add(counters, "row groups read", stats.rowGroupsRead());
        add(counters, "row groups skipped", stats.rowGroupsSkipped());
        add(counters, "bytes read", stats.bytesRead());
        add(counters, "cache hit bytes", stats.cacheHitBytes());
        add(counters, "cache miss bytes", stats.cacheMissBytes());
        add(counters, "io nanos", stats.ioNanos());
        add(counters, UNREAD, unread);
        List<OperatorStats> operators = stats.operators();
        for (int i = 0; i < Math.min(operators.size(), MAX_OPERATORS); i++) {
            for (Figure figure : FIGURES) {
                long value = figure.value().applyAsLong(operators.get(i));
                if (value != 0) {
                    add(counters, operator(fragment, i, figure), value);
                }
            }
        }
    }

    /** Returns the name of a counter of an operator. */
    private static String operator(int fragment, int position, Figure figure) {
        return OPERATOR + fragment + "." + position + " " + figure.name();
    }

    /** Returns the statistics of a fragment's operators, or an empty list if none of its tasks has finished. */
    private static List<OperatorStats> operators(CounterGroup group, int fragment, int count) {
        List<OperatorStats> operators = new ArrayList<>();
        for (int i = 0; i < Math.min(count, MAX_OPERATORS); i++) {
            operators.add(operator(group, fragment, i));
        }
        return operators.stream().allMatch(OperatorStats.NONE::equals) ? List.of() : operators;
    }

    private static OperatorStats operator(CounterGroup group, int fragment, int position) {
        long[] values = new long[FIGURES.size()];
        for (int i = 0; i < values.length; i++) {
            TezCounter counter = group.findCounter(operator(fragment, position, FIGURES.get(i)), false);
            if (counter == null && i == 0) {
                return OperatorStats.NONE;
            }
            values[i] = counter == null ? 0 : counter.getValue();
        }
        return new OperatorStats(
                values[0], values[1], values[2], values[3], values[4], values[5], values[6], values[7], values[8]);
    }

    private static void add(TezCounters counters, String name, long value) {
        counters.findCounter(GROUP, name).increment(value);
    }

    private static long get(TezCounters counters, String name) {
        return counters.findCounter(GROUP, name).getValue();
    }

    /** @param progress by fragment: tasks, running, finished, failed, operators of its plan */
    public static ExecutionStats stats(TezCounters counters, Map<Integer, int[]> progress) {
        List<ExecutionStats.FragmentStats> fragments = new ArrayList<>();
        progress.forEach((fragment, tasks) -> fragments.add(new ExecutionStats.FragmentStats(
                fragment,
                tasks[0],
                tasks[1],
                tasks[2],
                tasks[3],
                get(counters, ROWS + fragment),
                operators(counters.getGroup(GROUP), fragment, tasks[4]))));
        ScanStats scan = new ScanStats(
                get(counters, "scanned rows"),
                get(counters, "row groups read"),
                get(counters, "row groups skipped"),
                get(counters, "bytes read"),
                get(counters, "cache hit bytes"),
                get(counters, "cache miss bytes"),
                get(counters, "io nanos"));
        return new ExecutionStats(
                "tez",
                fragments,
                scan,
                OperatorTimes.of(kind -> get(counters, NANOS + kind.label())),
                get(counters, "peak memory"),
                get(counters, "spilled bytes"),
                PlacementStats.NONE,
                get(counters, UNREAD));
    }
}
