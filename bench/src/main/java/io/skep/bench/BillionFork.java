package io.skep.bench;

import io.skep.bench.process.ProcessUse;
import io.skep.service.server.ServerOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Map;

/**
 * One contender of {@link BillionBench}. Runs the query several times and then the check, and prints one line for each.
 */
final class BillionFork {
    static final String RESULT = "result ";
    static final String HEADER = String.format(
            "%-7s %-6s %9s %9s %9s %9s %11s  %s",
            "", "", "seconds", "CPU s", "GC s", "peak MB", "written MB", "answer");

    private final String name;
    private final Connection connection;

    private BillionFork(String name, Connection connection) {
        this.name = name;
        this.connection = connection;
    }

    /** Arguments: contender, data folder, bytes (of Skep's cache, or DuckDB's limit), runs. */
    public static void main(String[] arguments) throws SQLException, IOException, ReflectiveOperationException {
        Path data = Path.of(arguments[1]);
        long bytes = Long.parseLong(arguments[2]);
        int runs = Integer.parseInt(arguments[3]);
        if (arguments[0].equals("Skep")) {
            skep(data, bytes, runs);
        } else {
            duckDb(data, bytes, runs);
        }
    }

    private static void skep(Path data, long cacheBytes, int runs)
            throws SQLException, IOException, ReflectiveOperationException {
        Map<String, String> site =
                Map.of("hive.llap.io.memory.size", Long.toString(cacheBytes), "skep.server.warmup-queries", "0");
        ServerOptions options = new ServerOptions(0, 0, data.resolve("skep"), site);
        try (BenchServer server = BenchServer.start(options);
                Connection connection = server.connect()) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(
                        "CREATE EXTERNAL TABLE IF NOT EXISTS sales (s_item_id INT) STORED AS PARQUET LOCATION '"
                                + data.resolve("sales") + "'");
            }
            new BillionFork("Skep", connection).run(runs);
        }
    }

    private static void duckDb(Path data, long memoryBytes, int runs) throws SQLException, IOException {
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            // The limit leaves room for the JVM's own memory, which DuckDB does not count.
            statement.execute("SET memory_limit = '" + (memoryBytes / 10 * 9 >> 20) + "MiB'");
            statement.execute("SET temp_directory = '" + data.resolve("duckdb-temporary") + "'");
            statement.execute("CREATE VIEW sales AS SELECT * FROM '" + data.resolve("sales") + "/*.parquet'");
            new BillionFork("DuckDB", connection).run(runs);
        }
    }

    private void run(int runs) throws SQLException, IOException {
        for (int run = 1; run <= runs; run++) {
            measure("run " + run, BillionBench.QUERY);
        }
        measure("check", BillionBench.CHECK);
    }

    private void measure(String what, String sql) throws SQLException, IOException {
        long cpu = ProcessUse.cpuNanos();
        long collections = ProcessUse.collectionMillis();
        long written = ProcessUse.writtenBytes();
        long start = System.nanoTime();
        String answer = "";
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            int rows = 0;
            while (result.next()) {
                rows++;
                answer = row(result);
            }
            answer = rows == 1 ? answer : rows + " rows";
        } catch (SQLException e) {
            answer = "FAILED: " + e.getMessage();
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.println(RESULT
                + String.format(
                        Locale.ROOT,
                        "%-7s %-6s %9.1f %9.1f %9.1f %9d %11d  %s",
                        name,
                        what,
                        seconds,
                        (ProcessUse.cpuNanos() - cpu) / 1e9,
                        (ProcessUse.collectionMillis() - collections) / 1e3,
                        ProcessUse.peakBytes() >> 20,
                        (ProcessUse.writtenBytes() - written) >> 20,
                        answer));
    }

    private static String row(ResultSet result) throws SQLException {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
            text.append(i == 1 ? "" : " ").append(result.getString(i));
        }
        return text.toString();
    }
}
