package io.skep.bench;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Locale;

/**
 * Measures how soon after its start a server answers short queries near its best speed. One client runs one report
 * after another.
 */
final class WarmUpBench {
    private static final int RUNS = 1000;
    // Few days, so that the first reads of files do not dominate the time.
    private static final int DAYS = 10;
    private static final int[] ENDS = {1, 2, 5, 10, 20, 50, 100, 200, 500, RUNS};

    private final BenchServer server;
    private final Progress progress;

    WarmUpBench(BenchServer server, Progress progress) {
        this.server = server;
        this.progress = progress;
    }

    /** Prints medians of groups of runs in milliseconds. All groups are compared with the last one. */
    void run() throws SQLException {
        double[] millis = new double[RUNS];
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            for (int run = 0; run < RUNS; run++) {
                millis[run] = millis(statement, run);
            }
        }
        double best = median(millis, ENDS[ENDS.length - 2], RUNS);
        progress.line("run        median ms   to the last half");
        int from = 0;
        for (int to : ENDS) {
            double median = median(millis, from, to);
            String runs = to - from == 1 ? Integer.toString(to) : from + 1 + "-" + to;
            progress.line(String.format(Locale.ROOT, "%-9s %10.1f %18.2f", runs, median, median / best));
            from = to;
        }
    }

    private static double millis(Statement statement, int run) throws SQLException {
        long start = System.nanoTime();
        try (ResultSet rows = statement.executeQuery(
                "SELECT account, yyyymmdd, sum(total_imps), sum(total_cost) FROM report WHERE yyyymmdd = "
                        + ReportData.day(run % DAYS) + " AND account = " + (1 + run % 100)
                        + " GROUP BY account, yyyymmdd")) {
            while (rows.next()) {
                rows.getBigDecimal(4);
            }
        }
        return (System.nanoTime() - start) / 1e6;
    }

    private static double median(double[] values, int from, int to) {
        double[] sorted = Arrays.copyOfRange(values, from, to);
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
