package io.skep.bench;

import io.skep.bench.process.CheckoutFork;
import io.skep.bench.process.ProcessUse;
import io.skep.bench.process.SparkFork;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Measures how fast a real Spark reads the table of reports through Skep's data source, beside Spark's own reader of
 * the same ORC files, and beside JDBC. Server, Spark and the JDBC clients are processes of one machine, and take turns.
 */
final class ExternalBench implements AutoCloseable {
    private static final double MB = 1 << 20;
    private static final int FETCH_SIZE = 10_000;
    private static final int CORES = Runtime.getRuntime().availableProcessors();
    private static final String SKEP = "Skep's source";
    private static final String ORC = "Spark's ORC reader";
    private static final String JDBC = "JDBC";
    private static final String EVERYTHING = "all columns";

    /** What Spark reads from the view {@code %s}. */
    private static final Map<String, String> QUERIES = new LinkedHashMap<>();

    static {
        QUERIES.put(EVERYTHING, "SELECT * FROM %s");
        QUERIES.put("three columns of nine", "SELECT account, total_imps, total_cost FROM %s");
        QUERIES.put("one row in a thousand", "SELECT * FROM %s WHERE keyword BETWEEN 100000000 AND 100900000");
    }

    private final CheckoutFork server;
    private final HiveJdbc jdbc;
    private final SparkFork spark;
    private final Progress progress;
    private final Map<Contest, List<Reading>> readings = new LinkedHashMap<>();

    /** A query and who reads its rows. */
    private record Contest(String query, String reader) {}

    private record Reading(long rows, double seconds, double cpuMillis) {
        double perSecond() {
            return rows / seconds;
        }
    }

    private interface Work {
        void run() throws Exception;
    }

    private ExternalBench(CheckoutFork server, HiveJdbc jdbc, SparkFork spark, Progress progress) {
        this.server = server;
        this.jdbc = jdbc;
        this.spark = spark;
        this.progress = progress;
    }

    /**
     * Starts the server and Spark.
     *
     * @param java one of those that Spark runs on
     * @param rows how many to load; 0 to use the table of the data folder
     */
    static ExternalBench start(Path java, Path data, long rows, Progress progress) throws Exception {
        Path home = BenchServer.home();
        HiveJdbc jdbc = HiveJdbc.open(home.resolve("dist/beeline-lib"));
        CheckoutFork server = CheckoutFork.server(home, data, Map.of("skep.flight.port", "0"));
        try {
            if (rows > 0) {
                try (Connection connection = jdbc.connect(server.address())) {
                    new ReportData(rows).load(connection, Folders.beside(data, "scratch"), progress);
                }
            }
            SparkFork spark = SparkFork.start(
                    java, home, data.resolve("spark.log"), "2g", List.of("spark.master=local[" + CORES + "]"));
            return new ExternalBench(server, jdbc, spark, progress);
        } catch (Exception e) {
            server.close();
            jdbc.close();
            throw e;
        }
    }

    /**
     * Prints medians of the rounds, after one round that does not count. It fills the caches of both.
     *
     * @param jdbcRows about how many rows JDBC reads, since it would take very long for all
     */
    void run(int rounds, long jdbcRows) throws Exception {
        Path files = tableFolder();
        double megabytes = bytes(files) / MB;
        spark.run("read skep\turl=" + server.address() + "\tuser=" + HiveJdbc.USER + "\ttable=report\tnumPartitions="
                + 4 * CORES);
        spark.run("CREATE TEMPORARY VIEW orc USING orc OPTIONS (path '" + files + "')");
        long all = count("orc", "SELECT * FROM %s");
        progress.line(String.format(Locale.ROOT, "%,d rows in %,.0f MB of ORC, %d cores", all, megabytes, CORES));
        for (int round = 0; round <= rounds; round++) {
            for (Map.Entry<String, String> query : QUERIES.entrySet()) {
                compare(round, query.getKey(), query.getValue());
            }
            double share = Math.min(1, (double) jdbcRows / all);
            int days = Math.max(CORES, (int) Math.ceil(ReportData.days() * share));
            keep(round, JDBC, EVERYTHING, all * days / ReportData.days(), () -> byJdbc(days));
        }
        print(megabytes / all);
    }

    private void compare(int round, String name, String query) throws Exception {
        long rows = count("orc", query);
        if (count("skep", query) != rows) {
            throw new IllegalStateException("both readers must find the same rows: " + query);
        }
        keep(round, ORC, name, rows, () -> spark.run("drain " + query.formatted("orc")));
        keep(round, SKEP, name, rows, () -> spark.run("drain " + query.formatted("skep")));
        if (name.equals(EVERYTHING)) {
            keep(round, ORC, "first row", 1, () -> spark.run("first " + query.formatted("orc")));
            keep(round, SKEP, "first row", 1, () -> spark.run("first " + query.formatted("skep")));
            keep(round, JDBC, "first row", 1, this::firstByJdbc);
        }
    }

    private long count(String view, String query) throws IOException {
        return Long.parseLong(spark.run("SELECT count(*) FROM (" + query.formatted(view) + ")")
                .getFirst());
    }

    private void keep(int round, String reader, String query, long rows, Work work) throws Exception {
        double cpu = cpuMillis();
        long start = System.nanoTime();
        work.run();
        double seconds = (System.nanoTime() - start) / 1e9;
        if (round > 0) {
            readings.computeIfAbsent(new Contest(query, reader), _ -> new ArrayList<>())
                    .add(new Reading(rows, seconds, cpuMillis() - cpu));
        }
    }

    /** Returns the processor time so far of the server, of Spark and of the JDBC clients. */
    private double cpuMillis() {
        return server.cpuMillis() + spark.cpuMillis() + ProcessUse.cpuNanos() / 1e6;
    }

    /** Reads all columns of some days by as many connections as there are cores. */
    private void byJdbc(int days) throws InterruptedException, ExecutionException {
        try (ExecutorService clients = Executors.newFixedThreadPool(CORES)) {
            List<Future<?>> running = new ArrayList<>();
            for (int client = 0; client < CORES; client++) {
                int first = days * client / CORES;
                int end = days * (client + 1) / CORES;
                running.add(clients.submit(() -> readDays(first, end)));
            }
            for (Future<?> each : running) {
                each.get();
            }
        }
    }

    private Void readDays(int first, int end) throws SQLException {
        String query = "SELECT * FROM report WHERE yyyymmdd >= " + ReportData.day(first) + " AND yyyymmdd < "
                + ReportData.day(end);
        try (Connection connection = jdbc.connect(server.address());
                Statement statement = connection.createStatement()) {
            statement.setFetchSize(FETCH_SIZE);
            try (ResultSet rows = statement.executeQuery(query)) {
                int columns = rows.getMetaData().getColumnCount();
                while (rows.next()) {
                    for (int i = 1; i <= columns; i++) {
                        rows.getObject(i);
                    }
                }
            }
        }
        return null;
    }

    private void firstByJdbc() throws SQLException {
        try (Connection connection = jdbc.connect(server.address());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT * FROM report")) {
            rows.next();
        }
    }

    private Path tableFolder() throws SQLException {
        try (Connection connection = jdbc.connect(server.address());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("DESCRIBE FORMATTED report")) {
            while (rows.next()) {
                if (rows.getString(1).trim().equals("Location:")) {
                    return Path.of(URI.create(rows.getString(2).trim()).getPath());
                }
            }
        }
        throw new IllegalStateException("the table report has no location");
    }

    private static long bytes(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.map(Path::toFile)
                    .filter(file -> file.isFile() && !file.getName().startsWith("."))
                    .mapToLong(File::length)
                    .sum();
        }
    }

    private void print(double megabytesOfRow) {
        progress.line(String.format(
                Locale.ROOT,
                "%-24s %-20s %12s %12s %14s %10s",
                "medians",
                "",
                "rows/s",
                "MB/s of ORC",
                "CPU us a row",
                "ms"));
        readings.forEach((contest, all) -> {
            double rate = median(all, Reading::perSecond);
            double cpu = median(all, reading -> reading.cpuMillis() * 1000 / reading.rows());
            double millis = median(all, reading -> reading.seconds() * 1000);
            progress.line(String.format(
                    Locale.ROOT,
                    "%-24s %-20s %,12.0f %12s %14.2f %10.0f",
                    contest.query(),
                    contest.reader(),
                    rate,
                    contest.query().equals(EVERYTHING) ? String.format(Locale.ROOT, "%.1f", rate * megabytesOfRow) : "",
                    cpu,
                    millis));
        });
        QUERIES.keySet().forEach(query -> printRatio(query, ORC));
        printRatio(EVERYTHING, JDBC);
    }

    /** Prints the median of the rounds' ratios. */
    private void printRatio(String query, String other) {
        List<Reading> mine = readings.getOrDefault(new Contest(query, SKEP), List.of());
        List<Reading> theirs = readings.getOrDefault(new Contest(query, other), List.of());
        double[] ratios = new double[mine.size()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = mine.get(i).perSecond() / theirs.get(i).perSecond();
        }
        progress.line(String.format(
                Locale.ROOT,
                "%s: %s reads %.2f times the rows a second of %s",
                query,
                SKEP,
                CompareBench.median(ratios),
                other));
    }

    private static double median(List<Reading> readings, ToDoubleFunction<Reading> of) {
        return CompareBench.median(readings.stream().mapToDouble(of).toArray());
    }

    @Override
    public void close() throws IOException {
        spark.close();
        server.close();
        jdbc.close();
    }
}
