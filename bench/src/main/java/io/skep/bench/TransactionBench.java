package io.skep.bench;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * Small and large changes of transactional tables: one row by one client, beside an INSERT into a plain table; one row
 * by several clients; a MERGE into a large table, beside a query that joins the same rows; rebuilds of materialized
 * views after changes of their table.
 */
final class TransactionBench {
    private static final int WARM_UP = 20;
    private static final int REBUILDS = 7;

    /** The number of changes after which a table is created again, because nothing compacts its folders. */
    private static final int CHANGES_OF_A_TABLE = 50;

    private static final String TRANSACTIONAL = " STORED AS ORC TBLPROPERTIES ('transactional'='true')";

    private final BenchServer server;
    private final Progress progress;

    TransactionBench(BenchServer server, Progress progress) {
        this.server = server;
        this.progress = progress;
    }

    private interface Change {
        String sql(int number);
    }

    private record Case(String name, String table, boolean isTransactional, Change change) {
        void make(Statement statement) throws SQLException {
            statement.execute("DROP TABLE IF EXISTS " + table);
            statement.execute(
                    "CREATE TABLE " + table + " (k INT, v INT)" + (isTransactional ? TRANSACTIONAL : " STORED AS ORC"));
            statement.execute("INSERT INTO " + table + " SELECT pos, 0 FROM (SELECT 1) t"
                    + " LATERAL VIEW posexplode(split(space(999), ' ')) e AS pos, x");
        }
    }

    private static List<Case> cases(String suffix) {
        return List.of(
                new Case("INSERT, plain table", "plain_" + suffix, false, TransactionBench.insert("plain_" + suffix)),
                new Case("INSERT", "inserted_" + suffix, true, TransactionBench.insert("inserted_" + suffix)),
                new Case(
                        "UPDATE by key",
                        "updated_" + suffix,
                        true,
                        number -> "UPDATE updated_" + suffix + " SET v = v + 1 WHERE k = " + number % 1000),
                new Case(
                        "DELETE by key",
                        "deleted_" + suffix,
                        true,
                        number -> "DELETE FROM deleted_" + suffix + " WHERE k = " + number % 1000));
    }

    private static Change insert(String table) {
        return number -> "INSERT INTO " + table + " VALUES (" + number + ", 1)";
    }

    /** Runs each kind of change in turns, by one client. */
    void alone(int runs) throws SQLException {
        List<Case> cases = cases("alone");
        List<Latencies> latencies = cases.stream().map(_ -> new Latencies()).toList();
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            for (int run = -WARM_UP; run < runs; run++) {
                for (int i = 0; i < cases.size(); i++) {
                    if (Math.floorMod(run, CHANGES_OF_A_TABLE) == 0 || run == -WARM_UP) {
                        cases.get(i).make(statement);
                    }
                    long start = System.nanoTime();
                    statement.execute(cases.get(i).change().sql(run + WARM_UP));
                    if (run >= 0) {
                        latencies.get(i).add(System.nanoTime() - start);
                    }
                }
            }
        }
        for (int i = 0; i < cases.size(); i++) {
            progress.line(String.format(
                    Locale.ROOT,
                    "%-22s p50 %.1f ms, p99 %.1f ms",
                    cases.get(i).name(),
                    latencies.get(i).percentileMillis(0.5),
                    latencies.get(i).percentileMillis(0.99)));
        }
    }

    /** Each client changes a table of its own, so that clients wait for the server and the database only. */
    void together(int clients, int seconds) throws SQLException, InterruptedException, ExecutionException {
        for (int kind = 0; kind < cases("0").size(); kind++) {
            AtomicLong changes = new AtomicLong();
            long start = System.nanoTime();
            try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
                List<Future<?>> running = new ArrayList<>();
                for (int client = 0; client < clients; client++) {
                    Case own = cases(Integer.toString(client)).get(kind);
                    running.add(threads.submit(() -> {
                        change(own, seconds, changes);
                        return null;
                    }));
                }
                for (Future<?> client : running) {
                    client.get();
                }
            }
            progress.line(String.format(
                    Locale.ROOT,
                    "%-22s %d clients: %.0f a second",
                    cases("0").get(kind).name(),
                    clients,
                    changes.get() / ((System.nanoTime() - start) / 1e9)));
        }
    }

    private void change(Case own, int seconds, AtomicLong changes) throws SQLException {
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            for (int number = 0; System.nanoTime() < end; number++) {
                if (number % CHANGES_OF_A_TABLE == 0) {
                    own.make(statement);
                }
                statement.execute(own.change().sql(number));
                changes.incrementAndGet();
            }
        }
    }

    /**
     * Merges changes into a table: a half updates rows, a half adds some.
     *
     * @param rows of the table
     * @param changes rows of the source
     */
    void merge(long rows, long changes) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            fill(statement, "target", rows, "n", TRANSACTIONAL);
            fill(statement, "source", changes, "n * 2 * " + (rows / changes), " STORED AS ORC");
            String join = "SELECT count(*), sum(t.v + s.v) FROM source s LEFT JOIN target t ON t.k = s.k";
            for (int run = 0; run < 3; run++) {
                long start = System.nanoTime();
                LatencyBench.read(statement, join);
                double joined = (System.nanoTime() - start) / 1e9;
                start = System.nanoTime();
                statement.execute("MERGE INTO target t USING source s ON t.k = s.k"
                        + " WHEN MATCHED THEN UPDATE SET v = t.v + s.v"
                        + " WHEN NOT MATCHED THEN INSERT VALUES (s.k, s.v, s.name)");
                double merged = (System.nanoTime() - start) / 1e9;
                progress.line(String.format(
                        Locale.ROOT,
                        "MERGE of %,d rows into %,d: %.2f s, %.1f times a join of them (%.2f s)",
                        changes,
                        rows,
                        merged,
                        merged / joined,
                        joined));
            }
        }
    }

    /**
     * Rebuilds views in turns from the changed rows of their table, and from all rows.
     *
     * @param rows of the table
     * @param changes rows that are added before each rebuild; or updated, and as many deleted
     */
    void rebuild(long rows, long changes) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            fill(statement, "arriving", changes, "n", " STORED AS ORC");
            rebuild(statement, rows, changes, "max(k)", _ -> List.of("INSERT INTO viewed SELECT * FROM arriving"));
            long step = rows / changes;
            rebuild(
                    statement,
                    rows,
                    changes,
                    "count(v)",
                    run -> List.of(
                            "UPDATE viewed SET v = v + 1 WHERE k % " + step + " = " + run,
                            "DELETE FROM viewed WHERE k % " + step + " = " + (run + 2 * REBUILDS)));
        }
    }

    private interface Changes {
        List<String> sql(int run);
    }

    private void rebuild(Statement statement, long rows, long count, String result, Changes changes)
            throws SQLException {
        fill(statement, "viewed", rows, "n", TRANSACTIONAL);
        statement.execute("DROP MATERIALIZED VIEW IF EXISTS sums");
        statement.execute("CREATE MATERIALIZED VIEW sums AS SELECT name, count(*) c, sum(v) s, " + result
                + " m FROM viewed GROUP BY name");
        Latencies incremental = new Latencies();
        Latencies full = new Latencies();
        for (int run = 0; run < 2 * REBUILDS; run++) {
            for (String change : changes.sql(run)) {
                statement.execute(change);
            }
            boolean isIncremental = run % 2 == 0;
            statement.execute("SET hive.materializedview.rebuild.incremental=" + isIncremental);
            long start = System.nanoTime();
            statement.execute("ALTER MATERIALIZED VIEW sums REBUILD");
            (isIncremental ? incremental : full).add(System.nanoTime() - start);
        }
        statement.execute("DROP MATERIALIZED VIEW sums");
        progress.line(String.format(
                Locale.ROOT,
                "REBUILD of a view with %s after %s of %,d rows of %,d: p50 %.0f ms, %.2f of one of all rows (%.0f ms)",
                result,
                changes.sql(0).stream().map(sql -> sql.substring(0, 6)).collect(Collectors.joining(" and ")),
                count,
                rows,
                incremental.percentileMillis(0.5),
                incremental.percentileMillis(0.5) / full.percentileMillis(0.5),
                full.percentileMillis(0.5)));
    }

    private static void fill(Statement statement, String table, long rows, String key, String storage)
            throws SQLException {
        statement.execute("DROP TABLE IF EXISTS " + table);
        statement.execute("CREATE TABLE " + table + " (k BIGINT, v BIGINT, name STRING)" + storage);
        long outer = Math.max(1, rows / 10_000);
        statement.execute("INSERT INTO " + table + " SELECT " + key + ", n % 1000, concat('name ', n % 5000) FROM ("
                + "SELECT a.p * " + rows / outer + " + b.p AS n FROM ("
                + series(outer) + ") a CROSS JOIN (" + series(rows / outer) + ") b) numbers");
    }

    private static String series(long rows) {
        return "SELECT CAST(pos AS BIGINT) AS p FROM (SELECT 1) t LATERAL VIEW posexplode(split(space(" + (rows - 1)
                + "), ' ')) e AS pos, x";
    }
}
