package io.skep.bench;

import io.skep.engine.schedule.ExecutionFigures.FragmentFigures;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a query costs that has next to nothing to do, by scheduler: the server's own dispatch, and a DAG through a warm application
 * master of Tez, with as many tasks as the rows are worth and with those that were planned. One client, the modes in turn, so that all
 * meet the same machine.
 */
final class LatencyBench {
    private static final List<Map<String, String>> MODES = List.of(
            Map.of("skep.scheduler", "direct"),
            Map.of("skep.scheduler", "tez", "hive.tez.auto.reducer.parallelism", "true"),
            Map.of("skep.scheduler", "tez", "hive.tez.auto.reducer.parallelism", "false"));
    private static final int WARM_UP = 50;

    private static final Map<String, String> QUERIES = new LinkedHashMap<>();

    static {
        QUERIES.put("rows of a table", "SELECT k, v FROM latency WHERE k < 10");
        QUERIES.put("an aggregation", "SELECT v % 10, sum(k) FROM latency GROUP BY v % 10");
        QUERIES.put("an aggregation of 300,000", "SELECT v % 10, sum(k) FROM latency_wide GROUP BY v % 10");
        QUERIES.put(
                "a join with 300,000",
                "SELECT a.v % 10, count(*) FROM latency_wide a JOIN latency b ON a.k = b.v GROUP BY a.v % 10 ORDER BY 1");
    }

    private final BenchServer server;
    private final Progress progress;
    private final int runs;

    LatencyBench(BenchServer server, Progress progress, int runs) {
        this.server = server;
        this.progress = progress;
        this.runs = runs;
    }

    void run() throws SQLException {
        progress.line(String.format(
                Locale.ROOT,
                "%-28s %9s %14s %14s %14s %9s %7s %18s %18s %7s",
                "query",
                "vertices",
                "direct p50 ms",
                "Tez p50 ms",
                "Tez p99 ms",
                "Tez/direct",
                "tasks",
                "as planned p50 ms",
                "as planned p99 ms",
                "tasks"));
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            table(statement, "latency", 1_000);
            table(statement, "latency_wide", 300_000);
            for (Map.Entry<String, String> query : QUERIES.entrySet()) {
                measure(statement, query.getKey(), query.getValue());
            }
        }
    }

    private static void table(Statement statement, String name, int rows) throws SQLException {
        statement.execute("CREATE TABLE " + name + " (k INT, v INT) STORED AS ORC");
        statement.execute("INSERT INTO " + name + " SELECT pos, pos % 100 FROM (SELECT 1) t"
                + " LATERAL VIEW posexplode(split(space(" + (rows - 1) + "), ' ')) e AS pos, x");
    }

    private void measure(Statement statement, String name, String query) throws SQLException {
        List<Latencies> latencies = List.of(new Latencies(), new Latencies(), new Latencies());
        List<Integer> tasks = new ArrayList<>(List.of(0, 0, 0));
        for (int run = -WARM_UP; run < runs; run++) {
            for (int mode = 0; mode < MODES.size(); mode++) {
                for (Map.Entry<String, String> setting : MODES.get(mode).entrySet()) {
                    statement.execute("SET " + setting.getKey() + "=" + setting.getValue());
                }
                long start = System.nanoTime();
                read(statement, query);
                if (run >= 0) {
                    latencies.get(mode).add(System.nanoTime() - start);
                    // The client closes a query with its next statement; then it is in the history.
                    statement.execute("SET skep.scheduler");
                    tasks.set(
                            mode,
                            fragments().stream()
                                    .mapToInt(FragmentFigures::tasks)
                                    .sum());
                }
            }
        }
        double direct = latencies.get(0).percentileMillis(0.5);
        double tez = latencies.get(1).percentileMillis(0.5);
        progress.line(String.format(
                Locale.ROOT,
                "%-28s %9d %14.1f %14.1f %14.1f %9.1f %7d %18.1f %18.1f %7d",
                name,
                fragments().size(),
                direct,
                tez,
                latencies.get(1).percentileMillis(0.99),
                tez / direct,
                tasks.get(1),
                latencies.get(2).percentileMillis(0.5),
                latencies.get(2).percentileMillis(0.99),
                tasks.get(2)));
    }

    private static void read(Statement statement, String query) throws SQLException {
        try (ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                rows.getString(1);
            }
        }
    }

    /** Of the query that ended last: they are the vertices of its DAG. */
    private List<FragmentFigures> fragments() {
        return server.server().history().ended().stream()
                .flatMap(query -> query.figures().stream())
                .findFirst()
                .orElseThrow()
                .fragments();
    }
}
