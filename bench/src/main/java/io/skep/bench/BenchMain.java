package io.skep.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** {@code bin/bench}: the report workload, and TPC-H with DuckDB beside it. */
public final class BenchMain {
    private static final Set<String> OPTIONS =
            Set.of("--data", "--rows", "--clients", "--seconds", "--scale", "--runs");

    private final Progress progress = new Progress(System.out);
    private final Options options;

    private BenchMain(Options options) {
        this.options = options;
    }

    public static void main(String[] arguments) throws Exception {
        String command = arguments.length == 0 ? "" : arguments[0];
        if (!List.of("reports", "tpch").contains(command)) {
            System.err.println("usage: bin/bench reports [--rows N] [--clients 8,32] [--seconds T] [--data DIR]\n"
                    + "       bin/bench tpch [--scale S] [--runs N] [--data DIR]");
            System.exit(2);
        }
        BenchMain bench = new BenchMain(Options.parse(arguments, 1, OPTIONS, Set.of("--reuse")));
        if (command.equals("reports")) {
            bench.reports();
        } else {
            bench.tpch();
        }
    }

    private Path data() throws Exception {
        String given = options.text("--data", "");
        return given.isEmpty()
                ? Files.createTempDirectory("skep-bench")
                : Path.of(given).toAbsolutePath();
    }

    /** With {@code --reuse} the data folder's tables are taken as they are. */
    private void reports() throws Exception {
        Path data = data();
        try (BenchServer server = BenchServer.start(data, 0, 0)) {
            if (!options.has("--reuse")) {
                try (Connection connection = server.connect()) {
                    new ReportData(options.number("--rows", 100_000_000))
                            .load(connection, data.resolve("scratch"), progress);
                }
            }
            ReportWorkload workload = new ReportWorkload(server.jdbc(), server.url());
            int seconds = (int) options.number("--seconds", 30);
            progress.line("warming up: " + workload.run(8, seconds));
            for (String clients : options.text("--clients", "8,32").split(",")) {
                progress.line(workload.run(Integer.parseInt(clients), seconds).toString());
            }
            print("select 1", workload.repeat("select 1", 1000));
            String day = ReportData.day(100);
            print(
                    "one account, one day",
                    workload.repeat(
                            "SELECT account, yyyymmdd, sum(total_imps) FROM report WHERE yyyymmdd = " + day
                                    + " AND account = 1000 GROUP BY account, yyyymmdd",
                            500));
        }
        drop(data);
    }

    private void print(String what, Latencies latencies) {
        progress.line(String.format(
                Locale.ROOT,
                "%s: p50 %.1f ms, p99 %.1f ms",
                what,
                latencies.percentileMillis(0.5),
                latencies.percentileMillis(0.99)));
    }

    private void drop(Path data) throws Exception {
        if (options.text("--data", "").isEmpty()) {
            Folders.delete(data);
        }
    }

    private void tpch() throws Exception {
        double scale = options.decimal("--scale", 1);
        int runs = (int) options.number("--runs", 3);
        Path data = data();
        Path scratch = Files.createDirectories(data.resolve("scratch"));
        try (BenchServer server = BenchServer.start(data, 0, 0);
                Connection tables = DuckDb.nativeTables(scale, scratch, progress);
                Connection parquet = DuckDb.parquet(tables, scratch.resolve("parquet"))) {
            if (!options.has("--reuse")) {
                try (Connection connection = server.connect()) {
                    new TpchData(scale).load(connection, scratch, progress);
                }
            }
            try (Connection skep = server.connect("tpch")) {
                compare(
                        new TpchWorkload(skep, scale),
                        new TpchWorkload(tables, scale),
                        new TpchWorkload(parquet, scale),
                        runs);
            }
        }
        drop(data);
    }

    private void compare(TpchWorkload skep, TpchWorkload tables, TpchWorkload parquet, int runs) throws Exception {
        progress.line("query   Skep ms  DuckDB ms  on Parquet ms   ratio  to Parquet");
        double[] sums = new double[3];
        double[] logs = new double[3];
        int answered = 0;
        int right = 0;
        for (int query = 1; query <= TpchTables.QUERIES; query++) {
            TpchWorkload.Time mine;
            try {
                mine = skep.best(query, runs);
            } catch (SQLException e) {
                progress.line(String.format(Locale.ROOT, "q%02d failed: %s", query, e.getMessage()));
                continue;
            }
            TpchWorkload.Time theirs = tables.best(query, runs);
            Optional<String> difference = mine.answer().difference(theirs.answer());
            double[] millis = {
                mine.millis(), theirs.millis(), parquet.best(query, runs).millis()
            };
            right += difference.isEmpty() ? 1 : 0;
            answered++;
            for (int i = 0; i < 3; i++) {
                sums[i] += millis[i];
                logs[i] += Math.log(millis[i]);
            }
            progress.line(row(String.format(Locale.ROOT, "q%02d", query), millis)
                    + difference.map(text -> "  WRONG: " + text).orElse(""));
        }
        progress.line(right + " of " + TpchTables.QUERIES + " answers are DuckDB's");
        progress.line(row("total", sums));
        int count = answered;
        progress.line(row(
                "geomean", Arrays.stream(logs).map(log -> Math.exp(log / count)).toArray()));
    }

    private static String row(String name, double[] millis) {
        return String.format(
                Locale.ROOT,
                "%-7s %8.0f %10.0f %14.0f %7.2f %11.2f",
                name,
                millis[0],
                millis[1],
                millis[2],
                millis[0] / millis[1],
                millis[0] / millis[2]);
    }
}
