package io.skep.service.session;

import io.skep.common.query.OperatorKind;
import io.skep.common.query.OperatorTimes;
import io.skep.common.query.PlacementStats;
import io.skep.common.query.QueryId;
import io.skep.engine.schedule.ExecutionStats;
import io.skep.engine.schedule.ExecutionStats.FragmentStats;
import io.skep.storage.scan.ScanStats;
import java.time.Duration;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.stream.Stream;

/** The log's report on a finished run: one line per stage, the data that was read, and the duration. */
final class OperationReport {
    private static final long KB = 1 << 10;

    private OperationReport() {}

    static Stream<String> of(ExecutionStats stats) {
        ScanStats scan = stats.scan();
        return Stream.concat(
                Stream.of(
                                stats.fragments().stream().map(OperationReport::stage),
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
                                seconds(Duration.ofNanos(stats.times().total())),
                                parts(stats.times()),
                                bytes(stats.peakMemoryBytes()),
                                bytes(stats.spilledBytes()))));
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
            parts.add(kind.label() + " " + seconds(Duration.ofNanos(times.of(kind))));
        }
        return parts.toString();
    }

    /**
     * Returns the lines about a compilation in Hive's words, which clients and people look for.
     *
     * @param planned whether the statement has a plan, which Hive calls a stage
     */
    static Stream<String> compiled(QueryId query, String text, Duration took, boolean planned) {
        Stream<String> lines = Stream.of(
                "Compiling command(queryId=" + query + "): " + text,
                "Semantic Analysis Completed (retrial = false)",
                "Completed compiling command(queryId=" + query + "); Time taken: " + number(took) + " seconds",
                "Executing command(queryId=" + query + "): " + text);
        return planned ? Stream.concat(lines, Stream.of("Starting task [Stage-1:MAPRED] in serial mode")) : lines;
    }

    /** Returns the line about the end of a run in Hive's words. */
    static String completed(QueryId query, Duration took) {
        return "Completed executing command(queryId=" + query + "); Time taken: " + number(took) + " seconds";
    }

    static String seconds(Duration duration) {
        return number(duration) + " s";
    }

    /** Returns the number of seconds. */
    private static String number(Duration duration) {
        return String.format(Locale.ROOT, "%.3f", duration.toNanos() / 1e9);
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
