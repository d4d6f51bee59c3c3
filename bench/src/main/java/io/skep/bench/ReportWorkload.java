package io.skep.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The report workload: clients that each run one report after another over their own connection. Ranges are 1, 7 and 30
 * days in equal parts. Accounts are drawn according to Zipf's law.
 */
final class ReportWorkload {
    private static final String REPORT = "SELECT account, yyyymmdd, sum(total_imps), sum(total_click), sum(total_cost)"
            + " FROM report WHERE yyyymmdd >= ? AND yyyymmdd < ? AND account = ? GROUP BY account, yyyymmdd";
    private static final int[] RANGES = {1, 7, 30};

    private final HiveJdbc jdbc;
    private final String url;
    private int rounds;

    ReportWorkload(HiveJdbc jdbc, String url) {
        this.jdbc = jdbc;
        this.url = url;
    }

    /**
     * The result of a run.
     *
     * @param cpuMillis CPU time of the server, including collector and compiler: the process's time without the
     *     clients' threads
     */
    record Outcome(int clients, double seconds, Latencies latencies, double cpuMillis, int errors, String firstError) {
        double reportsPerSecond() {
            return latencies.count() / seconds;
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%3d clients: %7.1f reports/s, p50 %.1f ms, p95 %.1f ms, p99 %.1f ms,"
                            + " server CPU %.2f ms a report, %d errors%s",
                    clients,
                    reportsPerSecond(),
                    latencies.percentileMillis(0.5),
                    latencies.percentileMillis(0.95),
                    latencies.percentileMillis(0.99),
                    cpuMillis / latencies.count(),
                    errors,
                    errors == 0 ? "" : " (first: " + firstError + ")");
        }
    }

    Outcome run(int clients, int seconds) throws InterruptedException, ExecutionException {
        return run(clients, seconds * 1_000_000_000L, Long.MAX_VALUE);
    }

    /**
     * Runs this number of reports over all clients together. The results of a loaded machine can be compared in this
     * way.
     */
    Outcome runCounted(int clients, long reports) throws InterruptedException, ExecutionException {
        return run(clients, Long.MAX_VALUE / 2, reports);
    }

    /** Draws other reports in each round, but the same ones in each process. */
    private Outcome run(int clients, long nanos, long reports) throws InterruptedException, ExecutionException {
        int firstSeed = 1000 * rounds++;
        long end = System.nanoTime() + nanos;
        AtomicLong left = new AtomicLong(reports);
        Latencies all = new Latencies();
        int errors = 0;
        String first = "";
        long clientNanos = 0;
        long cpu = processCpuNanos();
        long start = System.nanoTime();
        try (ExecutorService executor = Executors.newFixedThreadPool(clients)) {
            List<Future<Client>> futures = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                int seed = firstSeed + i;
                futures.add(executor.submit(() -> new Client(seed).run(end, left)));
            }
            for (Future<Client> future : futures) {
                Client client = future.get();
                all.addAll(client.latencies);
                errors += client.errors;
                clientNanos += client.cpuNanos;
                first = first.isEmpty() ? client.firstError : first;
            }
        }
        double elapsed = (System.nanoTime() - start) / 1e9;
        double cpuMillis = (processCpuNanos() - cpu - clientNanos) / 1e6;
        return new Outcome(clients, elapsed, all, cpuMillis, errors, first);
    }

    private static long processCpuNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    /** Returns the latencies of one statement that is repeated over one connection. */
    Latencies repeat(String sql, int times) throws SQLException {
        Latencies latencies = new Latencies();
        try (Connection connection = jdbc.connect(url);
                var statement = connection.createStatement()) {
            for (int i = 0; i < times; i++) {
                long start = System.nanoTime();
                try (ResultSet rows = statement.executeQuery(sql)) {
                    while (rows.next()) {
                        rows.getObject(1);
                    }
                }
                latencies.add(System.nanoTime() - start);
            }
        }
        return latencies;
    }

    private final class Client {
        private final SplittableRandom random;
        private final Zipf accounts = new Zipf(ReportData.ACCOUNTS, 0.8);
        private final Latencies latencies = new Latencies();
        private long cpuNanos;
        private int errors;
        private String firstError = "";

        private Client(int seed) {
            this.random = new SplittableRandom(seed);
        }

        private Client run(long endNanos, AtomicLong left) throws SQLException {
            long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            try (Connection connection = jdbc.connect(url);
                    PreparedStatement report = connection.prepareStatement(REPORT)) {
                while (System.nanoTime() < endNanos && left.getAndDecrement() > 0) {
                    long start = System.nanoTime();
                    try {
                        report(report);
                        latencies.add(System.nanoTime() - start);
                    } catch (SQLException e) {
                        errors++;
                        firstError = firstError.isEmpty() ? String.valueOf(e.getMessage()) : firstError;
                    }
                }
            }
            cpuNanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu;
            return this;
        }

        private void report(PreparedStatement report) throws SQLException {
            int days = RANGES[random.nextInt(RANGES.length)];
            int from = random.nextInt(ReportData.days() - days);
            report.setInt(1, Integer.parseInt(ReportData.day(from)));
            report.setInt(2, Integer.parseInt(ReportData.day(from + days)));
            report.setLong(3, accounts.next(random));
            try (ResultSet rows = report.executeQuery()) {
                while (rows.next()) {
                    rows.getBigDecimal(5);
                }
            }
        }
    }
}
