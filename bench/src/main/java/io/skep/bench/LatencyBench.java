package io.skep.bench;

import io.skep.engine.schedule.ExecutionStats.FragmentStats;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures the cost of a query with almost no work, by scheduler. The modes are the server's own dispatch, and a DAG
 * through a warm Tez application master. With Tez, the number of tasks is either reduced to match the rows or kept as
 * planned. On a site with YARN, a further mode runs the tasks in containers. One client runs the modes in turn, so that
 * all run under the same machine conditions.
 */
final class LatencyBench {
    private record Mode(String name, Map<String, String> settings) {}

    private static final Mode DIRECT =
            new Mode("direct", Map.of("hive.execution.mode", "llap", "skep.scheduler", "direct"));
    private static final List<Mode> SCHEDULERS = List.of(
            DIRECT,
            new Mode("Tez", Map.of("skep.scheduler", "tez", "hive.tez.auto.reducer.parallelism", "true")),
            new Mode("as planned", Map.of("skep.scheduler", "tez", "hive.tez.auto.reducer.parallelism", "false")));
    private static final List<Mode> CONTAINERS =
            List.of(DIRECT, new Mode("containers", Map.of("hive.execution.mode", "container")));
    private static final int WARM_UP = 50;

    /** The queries by what they do, over {@link #tables}. */
    static final Map<String, String> QUERIES = new LinkedHashMap<>();

    static {
        QUERIES.put("rows of a table", "SELECT k, v FROM latency WHERE k < 10");
        QUERIES.put("an aggregation", "SELECT v % 10, sum(k) FROM latency GROUP BY v % 10");
        QUERIES.put("an aggregation of 300,000", "SELECT v % 10, sum(k) FROM latency_wide GROUP BY v % 10");
        QUERIES.put(
                "a join with 300,000",
                "SELECT a.v % 10, count(*) FROM latency_wide a JOIN latency b ON a.k = b.v"
                        + " GROUP BY a.v % 10 ORDER BY 1");
    }

    private final BenchServer server;
    private final Progress progress;
    private final int runs;
    private final List<Mode> modes;

    /** @param containers whether the server is on a site with YARN whose containers run tasks */
    LatencyBench(BenchServer server, Progress progress, int runs, boolean containers) {
        this.server = server;
        this.progress = progress;
        this.runs = runs;
        this.modes = containers ? CONTAINERS : SCHEDULERS;
    }

    void run() throws SQLException {
        StringBuilder head = new StringBuilder(String.format(Locale.ROOT, "%-28s %9s", "query", "vertices"));
        for (Mode mode : modes) {
            head.append(String.format(
                    Locale.ROOT, " %18s %10s %10s %6s", mode.name() + " p50 ms", "p99 ms", "/ direct", "tasks"));
        }
        progress.line(head.toString());
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            tables(statement);
            for (Map.Entry<String, String> query : QUERIES.entrySet()) {
                measure(statement, query.getKey(), query.getValue());
            }
            // On a site, the tables are in its warehouse.
            dropTables(statement);
        }
    }

    /** Creates the tables of the queries. */
    static void tables(Statement statement) throws SQLException {
        table(statement, "latency", 1_000);
        table(statement, "latency_wide", 300_000);
    }

    static void dropTables(Statement statement) throws SQLException {
        statement.execute("DROP TABLE latency");
        statement.execute("DROP TABLE latency_wide");
    }

    private static void table(Statement statement, String name, int rows) throws SQLException {
        statement.execute("CREATE TABLE " + name + " (k INT, v INT) STORED AS ORC");
        statement.execute("INSERT INTO " + name + " SELECT pos, pos % 100 FROM (SELECT 1) t"
                + " LATERAL VIEW posexplode(split(space(" + (rows - 1) + "), ' ')) e AS pos, x");
    }

    private void measure(Statement statement, String name, String query) throws SQLException {
        List<Latencies> latencies = modes.stream().map(mode -> new Latencies()).toList();
        List<Integer> tasks = new ArrayList<>(Collections.nCopies(modes.size(), 0));
        for (int run = -Math.min(WARM_UP, runs); run < runs; run++) {
            for (int mode = 0; mode < modes.size(); mode++) {
                for (Map.Entry<String, String> setting :
                        modes.get(mode).settings().entrySet()) {
                    statement.execute("SET " + setting.getKey() + "=" + setting.getValue());
                }
                long start = System.nanoTime();
                read(statement, query);
                if (run >= 0) {
                    latencies.get(mode).add(System.nanoTime() - start);
                    // The client closes a query with its next statement. Only then it is in the history.
                    statement.execute("SET skep.scheduler");
                    tasks.set(
                            mode,
                            fragments().stream().mapToInt(FragmentStats::tasks).sum());
                }
            }
        }
        StringBuilder line = new StringBuilder(
                String.format(Locale.ROOT, "%-28s %9d", name, fragments().size()));
        double direct = latencies.getFirst().percentileMillis(0.5);
        for (int mode = 0; mode < modes.size(); mode++) {
            double median = latencies.get(mode).percentileMillis(0.5);
            line.append(String.format(
                    Locale.ROOT,
                    " %18.1f %10.1f %10.1f %6d",
                    median,
                    latencies.get(mode).percentileMillis(0.99),
                    median / direct,
                    tasks.get(mode)));
        }
        progress.line(line.toString());
    }

    /** Runs a query and reads the first column of all rows. */
    static void read(Statement statement, String query) throws SQLException {
        try (ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                rows.getString(1);
            }
        }
    }

    /** Returns the fragments of the query that ended last, which are the vertices of its DAG. */
    private List<FragmentStats> fragments() {
        return server.server().history().ended().stream()
                .flatMap(query -> query.stats().stream())
                .findFirst()
                .orElseThrow()
                .fragments();
    }
}
