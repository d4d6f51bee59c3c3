package io.skep.bench;

import io.skep.engine.schedule.ExecutionStats;
import io.skep.llap.server.LlapConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Compares TPC-H with DuckDB: times and answers. Then checks the answers in every other execution mode of queries. */
final class TpchBench {
    private static final Map<String, List<String>> MODES = modesByName();
    private static final int CONTENDERS = 4;

    private final BenchServer server;
    private final double scale;
    private final Progress progress;
    private final Map<Integer, Answer> expected = new HashMap<>();
    private final List<String> profile = new ArrayList<>();

    TpchBench(BenchServer server, double scale, Progress progress) {
        this.server = server;
        this.scale = scale;
        this.progress = progress;
    }

    private static Map<String, List<String>> modesByName() {
        Map<String, List<String>> modes = new LinkedHashMap<>();
        modes.put("no cache", List.of("hive.llap.io.enabled=false"));
        modes.put("spilling", List.of("skep.operator.max-memory=1048576"));
        modes.put("Tez", List.of("skep.scheduler=tez"));
        return modes;
    }

    /**
     * Creates the tables if they do not exist, and prints all results.
     *
     * @param duckDb the folder of DuckDB's tables and files
     */
    void run(Path duckDb, boolean tablesAreThere, int runs) throws Exception {
        LlapConfig limits = server.server().daemonConfig();
        long memory = limits.maxMemoryBytes() + limits.cacheBytes();
        try (Connection tables = DuckDb.nativeTables(scale, duckDb, memory, progress);
                Connection parquet = DuckDb.parquet(tables, duckDb.resolve("parquet"), memory)) {
            if (!tablesAreThere) {
                try (Connection connection = server.connect()) {
                    new TpchData(progress).loadParquet(connection, duckDb.resolve("parquet"));
                }
            }
            compare(new TpchWorkload(tables, scale), new TpchWorkload(parquet, scale), runs);
            progress.line(server.memory());
            progress.line(String.format(
                    Locale.ROOT,
                    "DuckDB, in the same process: %,d and %,d of %,d MB each",
                    DuckDb.memoryBytes(tables) >> 20,
                    DuckDb.memoryBytes(parquet) >> 20,
                    memory >> 20));
            modes();
            progress.line(server.memory());
        }
    }

    /**
     * Prints the best of several runs of each query, in milliseconds, and the ratios to the other contenders. Then
     * prints where the time of Skep's last runs over Parquet was spent.
     *
     * @param tables DuckDB over its own tables, whose answers are the expected ones
     * @param parquet DuckDB over Parquet files, which Skep also reads
     */
    private void compare(TpchWorkload tables, TpchWorkload parquet, int runs) throws SQLException, IOException {
        progress.line(
                "query   Skep ORC  Skep Parquet   DuckDB  DuckDB Parquet  ORC/DuckDB  Parquet/Parquet  ORC/Parquet");
        double[] sums = new double[CONTENDERS];
        double[] logs = new double[CONTENDERS];
        int answered = 0;
        int right = 0;
        try (Connection orc = server.connect(TpchData.ORC);
                Connection external = server.connect(TpchData.PARQUET)) {
            for (int query = 1; query <= TpchTables.QUERIES; query++) {
                BestRun theirs = tables.best(query, runs);
                expected.put(query, theirs.answer());
                try {
                    BestRun mine = new TpchWorkload(orc, scale).best(query, runs);
                    BestRun onParquet = new TpchWorkload(external, scale).best(query, runs);
                    String name = name(query);
                    lastFigures().ifPresent(stats -> profile.add(TpchProfile.line(name, stats)));
                    double[] millis = {
                        mine.millis(),
                        onParquet.millis(),
                        theirs.millis(),
                        parquet.best(query, runs).millis()
                    };
                    answered++;
                    for (int i = 0; i < CONTENDERS; i++) {
                        sums[i] += millis[i];
                        logs[i] += Math.log(millis[i]);
                    }
                    Optional<String> difference = mine.answer()
                            .difference(theirs.answer())
                            .or(() -> onParquet.answer().difference(theirs.answer()));
                    right += difference.isEmpty() ? 1 : 0;
                    progress.line(row(name, millis)
                            + difference.map(text -> "  WRONG: " + text).orElse(""));
                } catch (SQLException e) {
                    progress.line(name(query) + " failed: " + e.getMessage());
                }
            }
        }
        progress.line(row("total", sums));
        int count = answered;
        progress.line(row(
                "geomean", Arrays.stream(logs).map(log -> Math.exp(log / count)).toArray()));
        progress.line(right + " of " + TpchTables.QUERIES + " answers are DuckDB's, from ORC and from Parquet");
        progress.line("Executors' milliseconds, last run of each query over Parquet:");
        progress.line(TpchProfile.header());
        profile.forEach(progress::line);
    }

    /** Returns the statistics of the statement that ended last. */
    private Optional<ExecutionStats> lastFigures() {
        return server.server().history().ended().getFirst().stats();
    }

    /** Runs each query once in every mode and prints the number of correct answers. */
    private void modes() throws SQLException, IOException {
        for (var mode : MODES.entrySet()) {
            try (Connection connection = server.connect(TpchData.ORC);
                    Statement statement = connection.createStatement()) {
                for (String setting : mode.getValue()) {
                    statement.execute("SET " + setting);
                }
                mode(mode.getKey(), new TpchWorkload(connection, scale));
            }
        }
    }

    private void mode(String mode, TpchWorkload skep) throws IOException {
        int right = 0;
        double millis = 0;
        for (int query = 1; query <= TpchTables.QUERIES; query++) {
            Optional<String> problem;
            try {
                BestRun time = skep.best(query, 1);
                millis += time.millis();
                problem = time.answer().difference(expected.getOrDefault(query, new Answer(List.of())));
            } catch (SQLException e) {
                problem = Optional.ofNullable(e.getMessage());
            }
            right += problem.isEmpty() ? 1 : 0;
            String named = mode + ", " + name(query) + ": ";
            problem.ifPresent(text -> progress.line(named + text));
        }
        progress.line(String.format(
                Locale.ROOT,
                "%s: %d of %d answers are DuckDB's, %.1f s",
                mode,
                right,
                TpchTables.QUERIES,
                millis / 1000));
    }

    private static String name(int query) {
        return String.format(Locale.ROOT, "q%02d", query);
    }

    private static String row(String name, double[] millis) {
        return String.format(
                Locale.ROOT,
                "%-7s %8.0f %13.0f %8.0f %15.0f %11.2f %16.2f %12.2f",
                name,
                millis[0],
                millis[1],
                millis[2],
                millis[3],
                millis[0] / millis[2],
                millis[1] / millis[3],
                millis[0] / millis[3]);
    }
}
