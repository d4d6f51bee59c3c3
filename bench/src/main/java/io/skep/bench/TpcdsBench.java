package io.skep.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;

/** Compares TPC-DS on plain ORC tables and on transactional tables with deltas with DuckDB: times and answers. */
final class TpcdsBench {
    private final BenchServer server;
    private final Path folder;
    private final Progress progress;

    /** @param folder the folder of DuckDB's tables and of the rows as text, which are deleted in the end */
    TpcdsBench(BenchServer server, Path folder, Progress progress) {
        this.server = server;
        this.folder = folder;
        this.progress = progress;
    }

    /** Creates the tables if they do not exist, and prints all results. */
    void run(double scale, boolean tablesAreThere, int runs) throws Exception {
        var limits = server.server().daemonConfig();
        Files.createDirectories(folder);
        try (TpcdsPeer duckDb = TpcdsPeer.open(folder.resolve("tpcds.duckdb").toString())) {
            duckDb.limit(limits.maxMemoryBytes() + limits.cacheBytes());
            if (!tablesAreThere) {
                load(duckDb, scale);
            }
            try (Connection orc = server.connect(TpcdsData.ORC);
                    Connection deltas = server.connect(TpcdsData.TRANSACTIONAL)) {
                compare(orc, deltas, duckDb, runs);
            }
        }
        progress.line(server.memory());
    }

    private void load(TpcdsPeer duckDb, double scale) throws SQLException, IOException {
        Path text = folder.resolve("text");
        long start = System.nanoTime();
        TpcdsTables.write(scale, text);
        seconds("rows as text", start);
        start = System.nanoTime();
        duckDb.load(text);
        seconds("DuckDB's tables", start);
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            start = System.nanoTime();
            TpcdsData.load(statement, text);
            seconds("Skep's tables", start);
            start = System.nanoTime();
            TpcdsData.analyze(statement);
            seconds("statistics of the tables with deltas", start);
        }
        Folders.delete(text);
    }

    private void seconds(String what, long start) {
        progress.line(String.format(Locale.ROOT, "%s: %.1f s", what, (System.nanoTime() - start) / 1e9));
    }

    private void compare(Connection orc, Connection deltas, TpcdsPeer duckDb, int runs)
            throws SQLException, IOException {
        progress.line("query   Skep ORC  Skep deltas   DuckDB  ORC/DuckDB  deltas/DuckDB  deltas/ORC");
        List<double[]> all = new ArrayList<>();
        int right = 0;
        for (int number = 1; number <= TpcdsQuery.QUERIES; number++) {
            String name = String.format(Locale.ROOT, "q%02d", number);
            TpcdsQuery query = duckDb.query(number);
            try {
                BestRun theirs = BestRun.of(() -> duckDb.answer(query.forDuckDb()), runs);
                BestRun plain = BestRun.of(() -> answer(orc, query), runs);
                BestRun changed = BestRun.of(() -> answer(deltas, query), runs);
                Optional<String> difference = plain.answer()
                        .difference(theirs.answer())
                        .or(() -> changed.answer().difference(theirs.answer()));
                double[] millis = {plain.millis(), changed.millis(), theirs.millis()};
                all.add(millis);
                right += difference.isEmpty() ? 1 : 0;
                progress.line(row(name, millis)
                        + difference.map(text -> "  WRONG: " + text).orElse(""));
            } catch (SQLException e) {
                progress.line(name + " failed: " + e.getMessage());
            }
        }
        progress.line(row("total", columns(all, millis -> millis, sum -> sum)));
        progress.line(row("geomean", columns(all, Math::log, sum -> Math.exp(sum / all.size()))));
        progress.line(right + " of " + TpcdsQuery.QUERIES + " answers are DuckDB's, from ORC and from deltas");
    }

    private static Answer answer(Connection connection, TpcdsQuery query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query.forSkep())) {
            return Answer.of(result);
        }
    }

    private static double[] columns(List<double[]> rows, DoubleUnaryOperator before, DoubleUnaryOperator after) {
        double[] result = new double[3];
        for (int i = 0; i < result.length; i++) {
            int column = i;
            result[i] = after.applyAsDouble(rows.stream()
                    .mapToDouble(row -> before.applyAsDouble(row[column]))
                    .sum());
        }
        return result;
    }

    private static String row(String name, double[] millis) {
        return String.format(
                Locale.ROOT,
                "%-7s %8.0f %12.0f %8.0f %11.2f %14.2f %11.2f",
                name,
                millis[0],
                millis[1],
                millis[2],
                millis[0] / millis[2],
                millis[1] / millis[2],
                millis[1] / millis[0]);
    }
}
