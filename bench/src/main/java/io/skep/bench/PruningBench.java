package io.skep.bench;

import io.skep.engine.schedule.ExecutionStats;
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
 * Measures the benefit of partition pruning by the values of a join's other side, through Tez and with direct
 * scheduling. One client runs with and without it in turn, so that both run under the same machine conditions.
 */
final class PruningBench {
    private static final int DAYS = 64;
    private static final int WARM_UP = 5;
    private static final List<String> SCHEDULERS = List.of("tez", "direct");
    private static final Map<String, String> QUERIES = new LinkedHashMap<>();

    static {
        QUERIES.put(
                "sent to all tasks, 2 days of 64",
                "SELECT s.kind, sum(s.amount), count(*) FROM pruning s JOIN pruning_days d ON s.day = d.day"
                        + " WHERE d.week = 3 AND d.weekday < 2 GROUP BY s.kind");
        QUERIES.put(
                "sent to all tasks, 32 of 64",
                "SELECT s.kind, sum(s.amount), count(*) FROM pruning s JOIN pruning_days d ON s.day = d.day"
                        + " WHERE d.weekday < 4 GROUP BY s.kind");
        QUERIES.put(
                "both partitioned, 2 days of 64",
                "SELECT d.weekday, sum(s.amount), count(*) FROM pruning s RIGHT JOIN"
                        + " (SELECT * FROM pruning_days WHERE week = 3 AND weekday < 2) d ON s.day = d.day"
                        + " GROUP BY d.weekday");
    }

    private final BenchServer server;
    private final Progress progress;
    private final long rows;
    private final int runs;

    PruningBench(BenchServer server, Progress progress, long rows, int runs) {
        this.server = server;
        this.progress = progress;
        this.rows = rows;
        this.runs = runs;
    }

    void run() throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            load(statement);
            progress.line(String.format(
                    Locale.ROOT,
                    "%-32s %9s %12s %12s %9s %9s %9s %12s",
                    "query",
                    "scheduler",
                    "with p50 ms",
                    "without",
                    "ratio",
                    "tasks",
                    "without",
                    "left out"));
            for (Map.Entry<String, String> query : QUERIES.entrySet()) {
                for (String scheduler : SCHEDULERS) {
                    statement.execute("SET skep.scheduler=" + scheduler);
                    measure(statement, query.getKey(), scheduler, query.getValue());
                }
            }
        }
    }

    private void load(Statement statement) throws SQLException {
        statement.execute("SET hive.exec.dynamic.partition.mode=nonstrict");
        statement.execute("CREATE TABLE pruning (amount INT, kind STRING) PARTITIONED BY (day INT) STORED AS ORC");
        long many = rows / DAYS / 1000;
        statement.execute("INSERT INTO pruning PARTITION (day) SELECT a.n * b.n, concat('kind ', b.n % 7), d.n FROM"
                + series(many) + " a," + series(1000) + " b," + series(DAYS) + " d");
        statement.execute("CREATE TABLE pruning_days (day INT, week INT, weekday INT) STORED AS ORC");
        statement.execute("INSERT INTO pruning_days SELECT n, cast(n / 8 AS INT), n % 8 FROM" + series(DAYS) + " d");
    }

    private static String series(long count) {
        return " (SELECT posexplode(split(space(" + (count - 1) + "), ' ')) AS (n, x))";
    }

    private void measure(Statement statement, String name, String scheduler, String query) throws SQLException {
        List<Latencies> latencies = List.of(new Latencies(), new Latencies());
        List<List<String>> answers = new ArrayList<>(List.of(List.of(), List.of()));
        List<Integer> tasks = new ArrayList<>(List.of(0, 0));
        long leftOut = 0;
        for (int run = -WARM_UP; run < runs; run++) {
            for (int mode = 0; mode < 2; mode++) {
                statement.execute("SET hive.tez.dynamic.partition.pruning=" + (mode == 0));
                long start = System.nanoTime();
                answers.set(mode, read(statement, query));
                if (run >= 0) {
                    latencies.get(mode).add(System.nanoTime() - start);
                }
                // The client closes a query with its next statement. Only then it is in the history.
                statement.execute("SET skep.scheduler");
                ExecutionStats stats = stats();
                leftOut = Math.max(leftOut, stats.splitsLeftOut());
                tasks.set(
                        mode,
                        stats.fragments().stream()
                                .mapToInt(ExecutionStats.FragmentStats::tasks)
                                .sum());
            }
            if (!answers.get(0).equals(answers.get(1))) {
                throw new IllegalStateException(
                        "the answers differ: " + answers.get(0) + " with pruning, " + answers.get(1) + " without");
            }
        }
        double with = latencies.get(0).percentileMillis(0.5);
        double without = latencies.get(1).percentileMillis(0.5);
        progress.line(String.format(
                Locale.ROOT,
                "%-32s %9s %12.1f %12.1f %9.2f %9d %9d %12d",
                name,
                scheduler,
                with,
                without,
                with / without,
                tasks.get(0),
                tasks.get(1),
                leftOut));
    }

    private static List<String> read(Statement statement, String query) throws SQLException {
        List<String> answer = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                answer.add(rows.getString(1) + "|" + rows.getString(2) + "|" + rows.getString(3));
            }
        }
        return answer.stream().sorted().toList();
    }

    /** Returns the statistics of the query that ended last. */
    private ExecutionStats stats() {
        return server.server().history().ended().stream()
                .flatMap(query -> query.stats().stream())
                .findFirst()
                .orElseThrow();
    }
}
