package io.skep.bench;

import io.skep.bench.process.CheckoutFork;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;

/**
 * Compares two builds, each in its own processes with its own data. Each statement, and each block of reports, runs on
 * one build and then on the other. Thus both run under the same machine conditions and have worked for the same time.
 */
final class CompareBench implements AutoCloseable {
    private static final List<Integer> EXPLAINED = List.of(1, 2, 5, 8, 21);

    private final Progress progress;
    private final HiveJdbc jdbc;
    private final boolean authorized;
    private final Side before;
    private final Side after;

    /** The processes of a build: its daemons, if they are separate processes, and its server. */
    private record Side(List<CheckoutFork> forks, ReportWorkload reports) implements AutoCloseable {
        static Side start(Path checkout, Path data, int daemons, Map<String, String> settings, HiveJdbc jdbc)
                throws IOException {
            List<CheckoutFork> forks = new ArrayList<>();
            try {
                for (int i = 0; i < daemons; i++) {
                    forks.add(CheckoutFork.daemon(checkout, data.resolve("daemon-" + i), Map.of()));
                }
                String endpoints = forks.stream()
                        .map(fork -> fork.address().substring("llap://".length()))
                        .collect(Collectors.joining(","));
                Map<String, String> site = new HashMap<>(settings);
                if (daemons > 0) {
                    site.put("skep.llap.daemons", endpoints);
                }
                CheckoutFork server = CheckoutFork.server(checkout, data.resolve("server"), site);
                forks.add(server);
                return new Side(forks, new ReportWorkload(jdbc, server.address()));
            } catch (IOException e) {
                forks.forEach(CheckoutFork::close);
                throw e;
            }
        }

        String url() {
            return forks.getLast().address();
        }

        double cpuMillis() {
            return forks.stream().mapToDouble(CheckoutFork::cpuMillis).sum();
        }

        @Override
        public void close() {
            forks.reversed().forEach(CheckoutFork::close);
        }
    }

    private record Reports(double perSecond, double cpuMillis) {}

    /**
     * Starts both builds.
     *
     * @param other the checkout to compare with; {@code bin/skep} builds it if necessary
     * @param data the parent folder of both builds' data folders
     * @param daemons number of daemons of each build in separate processes; 0: each server has an embedded daemon
     * @param authorized whether the statements of this build need privileges, which its user has as owner of the tables
     */
    CompareBench(Path other, Path data, int daemons, boolean authorized, Progress progress)
            throws IOException, ReflectiveOperationException {
        this.authorized = authorized;
        this.progress = progress;
        this.jdbc = HiveJdbc.open(BenchServer.home().resolve("dist/beeline-lib"));
        this.before = Side.start(other, data.resolve("before"), daemons, Map.of(), jdbc);
        try {
            Map<String, String> site = authorized
                    ? Map.of("hive.security.authorization.enabled", "true", "hive.users.in.admin.role", HiveJdbc.USER)
                    : Map.of();
            this.after = Side.start(BenchServer.home(), data.resolve("after"), daemons, site, jdbc);
        } catch (IOException e) {
            before.close();
            throw e;
        }
    }

    /**
     * Runs small queries, compilations (EXPLAIN) and TPC-H. Prints the median of the second half of the runs of each,
     * in milliseconds.
     */
    void statements(double scale, Path scratch, int runs) throws SQLException, IOException {
        try (Connection first = jdbc.connect(before.url());
                Connection second = jdbc.connect(after.url());
                Statement one = first.createStatement();
                Statement two = second.createStatement()) {
            chooseRole(second, "admin");
            for (Connection connection : List.of(first, second)) {
                new TpchData(progress).load(connection, scale, scratch);
            }
            chooseRole(second, "all");
            for (Statement statement : List.of(one, two)) {
                statement.execute("USE default");
                LatencyBench.tables(statement);
            }
            progress.line(String.format(Locale.ROOT, "%-36s %10s %10s %8s", "p50 in ms", "before", "after", "ratio"));
            print("select 1", alternate(one, two, "SELECT 1", 20 * runs));
            for (Map.Entry<String, String> query : LatencyBench.QUERIES.entrySet()) {
                print(query.getKey(), alternate(one, two, query.getValue(), 20 * runs));
            }
            for (Statement statement : List.of(one, two)) {
                LatencyBench.dropTables(statement);
                statement.execute("USE " + TpchData.ORC);
            }
            for (int number : EXPLAINED) {
                String query = "EXPLAIN " + TpchTables.query(number, scale);
                print("explain TPC-H " + number, alternate(one, two, query, 10 * runs));
            }
            tpch(one, two, scale, runs);
        }
    }

    private void tpch(Statement one, Statement two, double scale, int runs) throws SQLException, IOException {
        double[] sums = new double[2];
        double logs = 0;
        for (int number = 1; number <= TpchTables.QUERIES; number++) {
            double[] medians = alternate(one, two, TpchTables.query(number, scale), runs);
            print("TPC-H " + number, medians);
            sums[0] += medians[0];
            sums[1] += medians[1];
            logs += Math.log(medians[1] / medians[0]);
        }
        print("TPC-H, sum", sums);
        progress.line(String.format(
                Locale.ROOT, "%-58s %8.2f", "TPC-H, geometric mean of ratios", Math.exp(logs / TpchTables.QUERIES)));
    }

    private void print(String name, double[] medians) {
        progress.line(String.format(
                Locale.ROOT, "%-36s %10.2f %10.2f %8.2f", name, medians[0], medians[1], medians[1] / medians[0]));
    }

    /** Only the role admin may name the files that tables are loaded from. */
    private void chooseRole(Connection connection, String role) throws SQLException {
        if (authorized) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET ROLE " + role);
            }
        }
    }

    private static double[] alternate(Statement one, Statement two, String sql, int runs) throws SQLException {
        List<Statement> statements = List.of(one, two);
        List<Latencies> latencies = List.of(new Latencies(), new Latencies());
        for (int run = 0; run < runs; run++) {
            for (int i = 0; i < 2; i++) {
                int side = (run + i) % 2;
                long start = System.nanoTime();
                LatencyBench.read(statements.get(side), sql);
                if (run >= runs / 2) {
                    latencies.get(side).add(System.nanoTime() - start);
                }
            }
        }
        return latencies.stream()
                .mapToDouble(side -> side.percentileMillis(0.5))
                .toArray();
    }

    /**
     * Creates the table of reports on both sides, where it is not there yet.
     *
     * @param policies whether that of this build has a row filter and a column mask, which both look at roles and at
     *     values, leave all rows and change no value
     */
    void loadReports(long rows, Path scratch, boolean policies) throws SQLException, IOException {
        for (Side side : List.of(before, after)) {
            try (Connection connection = jdbc.connect(side.url())) {
                if (side.equals(after)) {
                    chooseRole(connection, "admin");
                }
                if (!connection
                        .getMetaData()
                        .getTables(null, "default", "report", null)
                        .next()) {
                    new ReportData(rows).load(connection, scratch, progress);
                }
                if (policies && side.equals(after)) {
                    try (Statement statement = connection.createStatement()) {
                        statement.execute(
                                "ALTER TABLE report SET ROW FILTER (account >= 0 AND NOT is_member('nobody'))");
                        statement.execute("ALTER TABLE report ALTER COLUMN total_cost SET MASK"
                                + " (CASE WHEN total_imps < 0 OR is_member('nobody') THEN NULL ELSE total_cost END)");
                    }
                }
            }
        }
    }

    /**
     * Runs reports in blocks of some seconds, after blocks that are not counted. Prints the median of the blocks' rates
     * and of their ratios.
     */
    void reports(int clients, int warmSeconds, int seconds, int rounds)
            throws InterruptedException, ExecutionException {
        for (int warmed = 0; warmed < warmSeconds; warmed += seconds) {
            block(before, clients, seconds);
            block(after, clients, seconds);
        }
        double[][] rates = new double[2][rounds];
        double[][] cpu = new double[2][rounds];
        double[] ratios = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < 2; i++) {
                int side = (round + i) % 2;
                Reports reports = block(side == 0 ? before : after, clients, seconds);
                rates[side][round] = reports.perSecond();
                cpu[side][round] = reports.cpuMillis();
            }
            ratios[round] = rates[1][round] / rates[0][round];
        }
        progress.line(String.format(
                Locale.ROOT,
                "reports, %d clients: %.0f and %.0f a second, median of ratios %.3f (%s);"
                        + " CPU of a report %.2f and %.2f ms",
                clients,
                median(rates[0]),
                median(rates[1]),
                median(ratios),
                Arrays.stream(ratios)
                        .mapToObj(ratio -> String.format(Locale.ROOT, "%.2f", ratio))
                        .collect(Collectors.joining(" ")),
                median(cpu[0]),
                median(cpu[1])));
    }

    private static Reports block(Side side, int clients, int seconds) throws InterruptedException, ExecutionException {
        double cpu = side.cpuMillis();
        ReportWorkload.Outcome outcome = side.reports().run(clients, seconds);
        if (outcome.errors() > 0) {
            throw new IllegalStateException(outcome.errors() + " reports failed, the first: " + outcome.firstError());
        }
        int count = outcome.latencies().count();
        return new Reports(count / outcome.seconds(), (side.cpuMillis() - cpu) / count);
    }

    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }

    @Override
    public void close() throws IOException {
        after.close();
        before.close();
        jdbc.close();
    }
}
