package io.skep.bench;

import io.skep.common.query.OperatorKind;
import io.skep.engine.schedule.ExecutionStats;
import io.skep.storage.scan.ScanStats;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Shows where the time of a query was spent, from the server's statistics, as one line of a table. */
final class TpchProfile {
    private static final double MILLI = 1e6;
    private static final OperatorKind[] KINDS = {
        OperatorKind.SCAN,
        OperatorKind.PROJECT,
        OperatorKind.JOIN,
        OperatorKind.AGGREGATION,
        OperatorKind.SORT,
        OperatorKind.EXCHANGE
    };

    private TpchProfile() {}

    /**
     * The columns are the executors' milliseconds by kind of operator, the bytes that scans found in the cache, and the
     * memory and disk of all tasks.
     */
    static String header() {
        return String.format(Locale.ROOT, "%-7s %8s", "query", "total")
                + Stream.of(KINDS)
                        .map(kind -> String.format(Locale.ROOT, " %11s", kind.label()))
                        .collect(Collectors.joining())
                + String.format(Locale.ROOT, " %8s %10s %10s", "hits %", "memory MB", "spilled MB");
    }

    static String line(String query, ExecutionStats stats) {
        return String.format(Locale.ROOT, "%-7s %8.0f", query, stats.times().total() / MILLI)
                + Stream.of(KINDS)
                        .map(kind -> String.format(
                                Locale.ROOT, " %11.0f", stats.times().of(kind) / MILLI))
                        .collect(Collectors.joining())
                + String.format(
                        Locale.ROOT,
                        " %8s %10d %10d",
                        hits(stats.scan()),
                        stats.peakMemoryBytes() >> 20,
                        stats.spilledBytes() >> 20);
    }

    private static String hits(ScanStats scan) {
        long all = scan.cacheHitBytes() + scan.cacheMissBytes();
        return all == 0 ? "-" : String.format(Locale.ROOT, "%.1f", 100.0 * scan.cacheHitBytes() / all);
    }
}
