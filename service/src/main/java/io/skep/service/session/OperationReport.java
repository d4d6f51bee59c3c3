package io.skep.service.session;

import io.skep.common.query.QueryId;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Stream;

/** The log's report on a statement: its compilation, its run, and how long they took. */
final class OperationReport {
    private OperationReport() {}

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
}
