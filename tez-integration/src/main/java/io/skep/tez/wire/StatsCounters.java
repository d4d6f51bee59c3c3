package io.skep.tez.wire;

import io.skep.common.query.OperatorKind;
import io.skep.common.query.OperatorTimes;
import io.skep.common.query.PlacementStats;
import io.skep.engine.schedule.ExecutionStats;
import io.skep.llap.client.TaskStats;
import io.skep.storage.scan.ScanStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.tez.common.counters.TezCounters;

/** Converts a query's statistics to Tez counters, with which they travel from tasks to the client. */
public final class StatsCounters {
    private static final String GROUP = "skep";
    private static final String ROWS = "rows of fragment ";
    private static final String UNREAD = "splits left out";
    private static final String NANOS = "nanos of ";

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
    }

    private static void add(TezCounters counters, String name, long value) {
        counters.findCounter(GROUP, name).increment(value);
    }

    private static long get(TezCounters counters, String name) {
        return counters.findCounter(GROUP, name).getValue();
    }

    /** @param progress by fragment: tasks, running, finished, failed */
    public static ExecutionStats stats(TezCounters counters, Map<Integer, int[]> progress) {
        List<ExecutionStats.FragmentStats> fragments = new ArrayList<>();
        progress.forEach((fragment, tasks) -> fragments.add(new ExecutionStats.FragmentStats(
                fragment, tasks[0], tasks[1], tasks[2], tasks[3], get(counters, ROWS + fragment))));
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
