package io.skep.bench;

import io.skep.bench.process.DaemonFork;
import io.skep.common.query.PlacementStats;
import io.skep.engine.schedule.ExecutionStats;
import io.skep.service.server.ServerOptions;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Measures the cost of distribution. It runs reports on one daemon and on several daemons with the same total executors
 * and memory, and on a server with an embedded daemon. Each contender has separate processes. They take turns, round by
 * round.
 */
final class DaemonsBench {
    /** The number of executors of all daemons of a contender together. Four daemons have one each. */
    private static final int EXECUTORS = 4;

    private static final double MB = 1 << 20;
    private static final long HEAP_BYTES = 2L << 30;

    private final Path data;
    private final long cacheBytes;
    private final Progress progress;
    private final int clients;
    private final int warmSeconds;
    private final int seconds;

    /**
     * @param data the folder with the reports' tables
     * @param cacheBytes total cache of all daemons of a contender
     * @param warmSeconds warm-up time of each process before it is measured; the JIT takes longer with more processes
     */
    DaemonsBench(Path data, long cacheBytes, Progress progress, int clients, int warmSeconds, int seconds) {
        this.data = data;
        this.cacheBytes = cacheBytes;
        this.progress = progress;
        this.clients = clients;
        this.warmSeconds = warmSeconds;
        this.seconds = seconds;
    }

    /**
     * The result of a contender's round.
     *
     * @param where where the last reports were read
     */
    private record Round(ReportWorkload.Outcome outcome, double daemonMillis, String where) {
        double perSecond() {
            return outcome.latencies().count() / outcome.seconds();
        }

        @Override
        public String toString() {
            return outcome
                    + String.format(
                            Locale.ROOT,
                            ", and of the daemons %.2f ms; a report at the end: %s",
                            daemonMillis / outcome.latencies().count(),
                            where);
        }
    }

    /** Returns the statistics of the latest queries, newest first. */
    private static List<ExecutionStats> stats(BenchServer server) {
        return server.server().history().ended().stream()
                .flatMap(query -> query.stats().stream())
                .toList();
    }

    /** Describes what each of some queries has read, and where. */
    private static String where(List<ExecutionStats> queries) {
        PlacementStats placed =
                queries.stream().map(ExecutionStats::placement).reduce(PlacementStats.NONE, PlacementStats::plus);
        double count = queries.size();
        return String.format(
                Locale.ROOT,
                "%.1f ranges at home, %.1f at another home, %.1f away; %.2f MB from the cache, %.3f MB from files",
                placed.home() / count,
                placed.otherHome() / count,
                placed.away() / count,
                queries.stream()
                                .mapToLong(query -> query.scan().cacheHitBytes())
                                .sum()
                        / MB
                        / count,
                queries.stream().mapToLong(query -> query.scan().bytesRead()).sum() / MB / count);
    }

    /** Reads the whole table, which fills the cache, or shows that the cache contains it. */
    private static String scan(BenchServer server) throws SQLException {
        long start = System.nanoTime();
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            try (ResultSet rows = statement.executeQuery(ReportData.WHOLE)) {
                rows.next();
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            // The client closes a query with its next statement. Only then it is in the history.
            statement.execute("SET skep.scheduler");
            return String.format(
                    Locale.ROOT, "%.1f s, %s", seconds, where(stats(server).subList(0, 1)));
        }
    }

    /** @param counts numbers of daemons; 0 for the one in the server's process */
    void run(List<Integer> counts, int rounds) throws Exception {
        Map<Integer, List<Round>> all = new HashMap<>();
        for (int round = 1; round <= rounds; round++) {
            for (int count : counts) {
                Round found = round(count);
                progress.line(name(count) + ": " + found);
                all.computeIfAbsent(count, _ -> new ArrayList<>()).add(found);
            }
        }
        double first = median(all.getOrDefault(counts.getFirst(), List.of()));
        for (int count : counts) {
            double median = median(all.getOrDefault(count, List.of()));
            progress.line(String.format(
                    Locale.ROOT,
                    "%s: %.1f reports/s, %.2f of %s",
                    name(count),
                    median,
                    median / first,
                    name(counts.getFirst())));
        }
    }

    private static double median(List<Round> rounds) {
        double[] sorted = rounds.stream().mapToDouble(Round::perSecond).sorted().toArray();
        return sorted.length == 0 ? Double.NaN : sorted[sorted.length / 2];
    }

    private static String name(int count) {
        return count == 0 ? "in the server" : count + (count == 1 ? " daemon" : " daemons");
    }

    private Round round(int count) throws Exception {
        List<DaemonFork> daemons = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                daemons.add(DaemonFork.start(
                        data.resolve("daemon-" + i),
                        HEAP_BYTES / count,
                        Map.of(
                                "hive.llap.daemon.num.executors",
                                Integer.toString(EXECUTORS / count),
                                "hive.llap.io.memory.size",
                                Long.toString(cacheBytes / count),
                                "skep.llap.slot",
                                Integer.toString(i))));
            }
            try (BenchServer server = BenchServer.start(new ServerOptions(0, 0, data, site(daemons)))) {
                ReportWorkload workload = new ReportWorkload(server.jdbc(), server.url());
                progress.line(name(count) + ", first scan: " + scan(server));
                progress.line(name(count) + ", second scan: " + scan(server));
                progress.line(name(count) + ", warming up: " + workload.run(clients, warmSeconds));
                double before = cpuMillis(daemons);
                ReportWorkload.Outcome outcome = workload.run(clients, seconds);
                double spent = cpuMillis(daemons) - before;
                return new Round(outcome, spent, where(stats(server)));
            }
        } finally {
            for (DaemonFork daemon : daemons) {
                daemon.close();
            }
        }
    }

    private Map<String, String> site(List<DaemonFork> daemons) {
        Map<String, String> site = new HashMap<>(Map.of(
                "skep.server.warmup-queries",
                "0",
                "hive.llap.daemon.num.executors",
                Integer.toString(EXECUTORS),
                "hive.llap.io.memory.size",
                Long.toString(cacheBytes)));
        if (!daemons.isEmpty()) {
            site.put(
                    "skep.llap.daemons",
                    daemons.stream().map(DaemonFork::endpoint).collect(Collectors.joining(",")));
        }
        return site;
    }

    private static double cpuMillis(List<DaemonFork> daemons) {
        return daemons.stream().mapToDouble(DaemonFork::cpuMillis).sum();
    }
}
