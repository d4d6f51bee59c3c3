package io.skep.ql.explain;

import io.skep.common.query.OperatorKind;
import io.skep.common.query.OperatorStats;
import io.skep.common.query.OperatorTimes;
import io.skep.common.query.PlacementStats;
import io.skep.engine.schedule.ExecutionStats;
import io.skep.engine.schedule.ExecutionStats.FragmentStats;
import io.skep.storage.scan.ScanStats;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.StringJoiner;
import java.util.stream.Stream;

/** Prints the statistics of a finished run. */
public final class RunPrinter {
    private static final long KB = 1 << 10;

    /** An estimate that is wrong by this factor is marked. */
    private static final double WRONG = 10;

    private RunPrinter() {}

    /** Returns a line for each stage, and lines about the data that was read, the time and the memory. */
    public static Stream<String> lines(ExecutionStats stats) {
        ScanStats scan = stats.scan();
        return Stream.concat(
                Stream.of(
                                stats.fragments().stream().map(RunPrinter::stage),
                                placement(stats.placement()),
                                leftOut(stats.splitsLeftOut()))
                        .flatMap(lines -> lines),
                Stream.of(
                        String.format(
                                Locale.ROOT,
                                "Read %,d rows; row groups: %,d read, %,d skipped; %s from files, %s from the cache",
                                scan.rows(),
                                scan.rowGroupsRead(),
                                scan.rowGroupsSkipped(),
                                bytes(scan.bytesRead()),
                                bytes(scan.cacheHitBytes())),
                        String.format(
                                Locale.ROOT,
                                "Scheduler %s; processor time %s%s; memory at most %s; spilled %s",
                                stats.scheduler(),
                                seconds(stats.times().total()),
                                parts(stats.times()),
                                bytes(stats.peakMemoryBytes()),
                                bytes(stats.spilledBytes()))));
    }

    /**
     * Returns what follows the description of an operator that has run: its rows, its time, its memory and what it has
     * read. Empty for an operator whose work is done by another one.
     *
     * @param output what its rows are
     * @param estimated the estimate of its rows, which is marked if it is wrong
     */
    static String operator(OperatorStats stats, String output, OptionalDouble estimated) {
        if (stats.tasks() == 0) {
            return "";
        }
        StringJoiner figures = new StringJoiner(", ", "; actual ", "");
        figures.add(output + "=" + stats.outputRows() + mark(stats.outputRows(), estimated));
        figures.add("time=" + seconds(stats.nanos()));
        add(figures, "memory=", stats.peakMemoryBytes());
        add(figures, "spilled=", stats.spilledBytes());
        if (stats.scannedRows() > 0 || stats.rowGroupsSkipped() > 0) {
            figures.add("rows read=" + stats.scannedRows());
            figures.add("row groups skipped=" + stats.rowGroupsSkipped());
            figures.add("from files=" + bytes(stats.bytesRead()));
            figures.add("from the cache=" + bytes(stats.cacheHitBytes()));
        }
        return figures.toString();
    }

    private static void add(StringJoiner figures, String name, long bytes) {
        if (bytes > 0) {
            figures.add(name + bytes(bytes));
        }
    }

    /** Returns by how much an estimate is wrong, or empty text if it is good enough or unknown. */
    private static String mark(long rows, OptionalDouble estimated) {
        double actual = Math.max(1, (double) rows);
        double expected = Math.max(1, estimated.orElse(actual));
        double factor = Math.max(expected / actual, actual / expected);
        return factor < WRONG
                ? ""
                : String.format(
                        Locale.ROOT, " (%.0f times %s than estimated)", factor, actual > expected ? "more" : "fewer");
    }

    /** Returns where the ranges were read, when there was a choice. */
    private static Stream<String> placement(PlacementStats placement) {
        return placement.ranges() == 0
                ? Stream.empty()
                : Stream.of(String.format(
                        Locale.ROOT,
                        "Ranges of files: %,d read at home, %,d at another home, %,d elsewhere for the home was busy",
                        placement.home(),
                        placement.otherHome(),
                        placement.away()));
    }

    private static Stream<String> leftOut(long splits) {
        return splits == 0
                ? Stream.empty()
                : Stream.of(String.format(
                        Locale.ROOT, "Splits: %,d left out, for no row of a join's other side matches", splits));
    }

    private static String stage(FragmentStats stage) {
        String failed = stage.failedTasks() == 0 ? "" : ", " + stage.failedTasks() + " failed";
        return String.format(
                Locale.ROOT,
                "Stage %d: %,d of %,d tasks%s, %,d rows",
                stage.fragment(),
                stage.finishedTasks(),
                stage.tasks(),
                failed,
                stage.outputRows());
    }

    /** Returns the parts of the time in brackets, or empty text when there are none. */
    private static String parts(OperatorTimes times) {
        StringJoiner parts = new StringJoiner(", ", " (", ")").setEmptyValue("");
        for (OperatorKind kind : times.kinds()) {
            parts.add(kind.label() + " " + seconds(times.of(kind)));
        }
        return parts.toString();
    }

    private static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.3f s", nanos / 1e9);
    }

    private static String bytes(long count) {
        if (count < KB) {
            return count + " B";
        }
        return count < KB * KB
                ? String.format(Locale.ROOT, "%.1f KB", count / (double) KB)
                : String.format(Locale.ROOT, "%.1f MB", count / (double) (KB * KB));
    }
}
