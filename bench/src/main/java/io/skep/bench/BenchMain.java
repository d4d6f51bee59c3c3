package io.skep.bench;

import io.skep.bench.hashtable.HashTableBench;
import io.skep.bench.kernel.KernelBench;
import io.skep.bench.rpc.RpcBench;
import io.skep.bench.scan.ScanBench;
import io.skep.bench.simulation.SimulationBench;
import io.skep.bench.simulation.SimulationPlan;
import io.skep.common.config.PropertyType;
import io.skep.common.log.ProcessLog;
import io.skep.service.server.ServerOptions;
import io.skep.service.server.ServerOptions.Places;
import io.skep.tez.wire.ContainerConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Implements {@code bin/bench}: workloads and micro-benchmarks, most of them in comparison with other systems. */
public final class BenchMain {
    private static final Set<String> OPTIONS =
            Set.of("--data", "--rows", "--clients", "--seconds", "--scale", "--runs");
    private static final Set<String> REPORT_OPTIONS = Set.of("--data", "--rows", "--clients", "--seconds", "--reports");
    private static final Set<String> DAEMON_OPTIONS =
            Set.of("--data", "--rows", "--clients", "--warm", "--seconds", "--daemons", "--rounds", "--cache");
    private static final Set<String> COMPARE_OPTIONS = Set.of(
            "--with",
            "--data",
            "--daemons",
            "--scale",
            "--runs",
            "--rows",
            "--clients",
            "--warm",
            "--seconds",
            "--rounds");
    private static final Set<String> HASH_TABLE_OPTIONS =
            Set.of("--kinds", "--sizes", "--duplicates", "--contenders", "--heap");
    private static final Set<String> BILLION_OPTIONS =
            Set.of("--rows", "--items", "--memory", "--contenders", "--runs", "--data");

    private static final Set<String> SIMULATION_OPTIONS =
            Set.of("--seeds", "--first", "--queries", "--daemons", "--clients");

    private static final String USAGE = """
            usage: bin/bench reports [--rows N] [--clients 8,32,128] [--seconds T | --reports N] [--data DIR] [--reuse]
                   bin/bench daemons [--daemons 0,1,2,4] [--rows N] [--clients N] [--seconds T] [--rounds N] [--data DIR] [--reuse]
                   bin/bench compare --with CHECKOUT [--daemons N] [--scale S] [--runs N] [--rows N] [--clients 8,32] [--warm T] [--seconds T]
                                     [--rounds N] [--data DIR]   # another checkout and this one: statements and reports in turns
                   bin/bench warmup --data DIR [--trained]       # of reports; SKEP_START_CACHE=off for what Java's AOT cache gives
                   bin/bench tpch [--scale S] [--runs N] [--data DIR] [--reuse]
                   bin/bench latency [--runs N] [--conf FOLDER]  # of small queries, direct and through Tez; on a site with YARN, in its containers
                   bin/bench pruning [--rows N] [--runs N]       # of partitions, by a join's other side
                   bin/bench rpc [--loads HOSTSxQUERIESxFRAGMENTS,...] [--seconds T]   # beside Thrift, a thread for each connection
                   bin/bench compile [--clients 1,4,16,64] [--seconds T]
                   bin/bench scan [--rows N] [--data DIR]
                   bin/bench hashtable [--kinds join,aggregation,small] [--sizes 10000,1000000,10000000] [--duplicates 0,40,80]
                                       [--contenders skep,operators,fastutil,HashMap,DuckDB] [--heap 6g]
                   bin/bench billion [--rows N] [--items N] [--memory 4gb] [--contenders Skep,DuckDB] [--runs N]
                                     [--data DIR] [--reuse]
                   bin/bench simulation [--seeds N] [--first SEED] [--queries N] [--daemons N] [--clients N]
                   bin/bench kernels [--only NAME]""";

    private final Progress progress = new Progress(System.out);
    private final Options options;

    private BenchMain(Options options) {
        this.options = options;
    }

    public static void main(String[] arguments) throws Exception {
        ProcessLog.start();
        switch (arguments.length == 0 ? "" : arguments[0]) {
            case "reports" -> of(arguments, REPORT_OPTIONS).reports();
            case "compare" -> of(arguments, COMPARE_OPTIONS).compare();
            case "daemons" -> of(arguments, DAEMON_OPTIONS).daemons();
            case "warmup" -> new BenchMain(Options.parse(arguments, 1, Set.of("--data"), Set.of("--trained"))).warmUp();
            case "tpch" -> of(arguments, OPTIONS).tpch();
            case "latency" -> of(arguments, Set.of("--runs", "--conf")).latency();
            case "pruning" -> of(arguments, Set.of("--rows", "--runs")).pruning();
            case "rpc" -> rpc(Options.parse(arguments, 1, Set.of("--loads", "--seconds"), Set.of()));
            case "compile" -> of(arguments, OPTIONS).compile();
            case "scan" -> of(arguments, OPTIONS).scan();
            case "billion" -> of(arguments, BILLION_OPTIONS).billion();
            case "hashtable" -> hashTables(Options.parse(arguments, 1, HASH_TABLE_OPTIONS, Set.of()));
            case "simulation" -> simulate(Options.parse(arguments, 1, SIMULATION_OPTIONS, Set.of()));
            case "kernels" -> kernels(Options.parse(arguments, 1, Set.of("--only"), Set.of()));
            default -> {
                System.err.println(USAGE);
                System.exit(2);
            }
        }
    }

    private static BenchMain of(String[] arguments, Set<String> options) {
        return new BenchMain(Options.parse(arguments, 1, options, Set.of("--reuse")));
    }

    private static void kernels(Options options) {
        new KernelBench(System.out::println).run(options.text("--only", ""));
    }

    /**
     * Simulates many seeds of small clusters, then one large cluster, then measures the cost of scheduling. Fails when
     * a guarantee was violated.
     */
    private static void simulate(Options options) {
        SimulationBench bench = new SimulationBench(System.out::println);
        int queries = (int) options.number("--queries", 1000);
        long first = options.number("--first", 1);
        bench.seeds(first, options.number("--seeds", 1000), queries);
        int daemons = (int) options.number("--daemons", 1000);
        int clients = (int) options.number("--clients", 10_000);
        bench.cluster(new SimulationPlan(first, daemons, 16, 4, clients, 5 * clients, 1, 0, daemons / 100));
        bench.costs();
        if (bench.failed()) {
            throw new IllegalStateException("a promise was broken; a seed is run alone by --seeds 1 --first SEED");
        }
    }

    private static void hashTables(Options options) throws Exception {
        new HashTableBench(
                        numbers(options.text("--sizes", "10000,1000000,10000000")),
                        numbers(options.text("--duplicates", "0,40,80")),
                        List.of(options.text("--contenders", String.join(",", HashTableBench.CONTENDERS))
                                .split(",")),
                        options.text("--heap", "6g"),
                        System.out::println)
                .run(List.of(options.text("--kinds", "join,aggregation").split(",")));
    }

    private static void rpc(Options options) throws Exception {
        new RpcBench((int) options.number("--seconds", 10), System.out::println)
                .run(List.of(options.text("--loads", "1x4x10,10x4x10,100x4x10,100x8x15,100x32x50")
                        .split(",")));
    }

    private static List<Integer> numbers(String list) {
        return Stream.of(list.split(",")).map(Integer::valueOf).toList();
    }

    private Path data() throws Exception {
        String given = options.text("--data", "");
        return given.isEmpty()
                ? Files.createTempDirectory("skep-bench")
                : Path.of(given).toAbsolutePath();
    }

    /** Statements are skipped without runs, reports without rounds. */
    private void compare() throws Exception {
        String other = options.text("--with", "");
        if (other.isEmpty()) {
            throw new IllegalArgumentException("compare needs --with CHECKOUT");
        }
        Path data = data();
        Path scratch = Files.createDirectories(data.resolve("scratch"));
        try (CompareBench bench = new CompareBench(
                Path.of(other).toAbsolutePath(), data, (int) options.number("--daemons", 0), progress)) {
            int runs = (int) options.number("--runs", 30);
            if (runs > 0) {
                bench.statements(options.decimal("--scale", 0.1), scratch, runs);
            }
            int rounds = (int) options.number("--rounds", 9);
            for (String clients : rounds > 0 ? options.text("--clients", "8,32").split(",") : new String[0]) {
                bench.reports(
                        options.number("--rows", 3_000_000),
                        scratch,
                        Integer.parseInt(clients),
                        (int) options.number("--warm", 60),
                        (int) options.number("--seconds", 5),
                        rounds);
            }
        }
    }

    /** With {@code --reuse} the existing tables of the data folder are used. */
    private void reports() throws Exception {
        Path data = data();
        try (BenchServer server = BenchServer.start(data, 0, 0)) {
            loadReports(server, data);
            ReportWorkload workload = new ReportWorkload(server.jdbc(), server.url());
            progress.line("warming up: " + round(workload, 8));
            for (String clients : options.text("--clients", "8,32,128").split(",")) {
                progress.line(round(workload, Integer.parseInt(clients)).toString());
            }
            print("select 1", workload.repeat("select 1", 1000));
            String day = ReportData.day(100);
            print(
                    "one account, one day",
                    workload.repeat(
                            "SELECT account, yyyymmdd, sum(total_imps) FROM report WHERE yyyymmdd = " + day
                                    + " AND account = 1000 GROUP BY account, yyyymmdd",
                            500));
            progress.line(server.memory());
        }
        drop(data);
    }

    private void loadReports(BenchServer server, Path data) throws Exception {
        if (!options.has("--reuse")) {
            try (Connection connection = server.connect()) {
                new ReportData(options.number("--rows", 100_000_000))
                        .load(connection, Folders.beside(data, "scratch"), progress);
            }
        }
    }

    /** With {@code --reuse} the existing tables of the data folder are used. */
    private void daemons() throws Exception {
        Path data = data();
        try (BenchServer server = BenchServer.start(data, 0, 0)) {
            loadReports(server, data);
        }
        new DaemonsBench(
                        data,
                        PropertyType.size(1L << 20, Long.MAX_VALUE).parse(options.text("--cache", "4gb")),
                        progress,
                        (int) options.number("--clients", 8),
                        (int) options.number("--warm", 90),
                        (int) options.number("--seconds", 20))
                .run(numbers(options.text("--daemons", "0,1,2,4")), (int) options.number("--rounds", 3));
        drop(data);
    }

    private ReportWorkload.Outcome round(ReportWorkload workload, int clients) throws Exception {
        long reports = options.number("--reports", 0);
        return reports > 0
                ? workload.runCounted(clients, reports)
                : workload.run(clients, (int) options.number("--seconds", 30));
    }

    /**
     * Uses the tables that {@code reports --data} left. Starts immediately, or after the server has run its own warm-up
     * queries.
     */
    private void warmUp() throws Exception {
        if (options.text("--data", "").isEmpty()) {
            throw new IllegalArgumentException(
                    "warmup asks tables that are there: name the --data of bin/bench reports");
        }
        try (BenchServer server = BenchServer.start(data(), 0, 0)) {
            if (options.has("--trained")) {
                progress.line("trained by " + server.server().awaitTraining() + " queries");
            }
            new WarmUpBench(server, progress).run();
            progress.line(server.memory());
        }
    }

    private void billion() throws Exception {
        Path data = data();
        long rows = options.number("--rows", 100_000_000);
        long memory = PropertyType.size(1L << 30, Long.MAX_VALUE).parse(options.text("--memory", "4gb"));
        new BillionBench(rows, options.number("--items", Math.max(1, rows / 100 * 3)), memory, data, progress)
                .run(
                        options.has("--reuse"),
                        List.of(options.text("--contenders", "Skep,DuckDB").split(",")),
                        (int) options.number("--runs", 1));
        drop(data);
    }

    private void latency() throws Exception {
        String conf = options.text("--conf", "");
        Map<String, String> site =
                conf.isEmpty() ? Map.of() : Places.parse("--conf", conf).site();
        boolean containers = ContainerConfig.inContainers(site);
        onTrained(
                site,
                server -> new LatencyBench(server, progress, (int) options.number("--runs", 200), containers).run());
    }

    private void pruning() throws Exception {
        onTrained(server -> new PruningBench(
                        server, progress, options.number("--rows", 6_400_000), (int) options.number("--runs", 30))
                .run());
    }

    private interface Measurement {
        void of(BenchServer server) throws Exception;
    }

    private void onTrained(Measurement measurement) throws Exception {
        onTrained(Map.of(), measurement);
    }

    /** Runs a measurement on a server that has completed its start. */
    private void onTrained(Map<String, String> site, Measurement measurement) throws Exception {
        Path data = data();
        try (BenchServer server = BenchServer.start(new ServerOptions(0, 0, data, site))) {
            server.server().awaitTraining();
            measurement.of(server);
        }
        drop(data);
    }

    private void compile() throws Exception {
        List<Integer> sessions = Stream.of(
                        options.text("--clients", "1,4,16,64").split(","))
                .map(Integer::valueOf)
                .toList();
        new CompileBench(progress, (int) options.number("--seconds", 10)).run(sessions);
    }

    private void print(String what, Latencies latencies) {
        progress.line(String.format(
                Locale.ROOT,
                "%s: p50 %.1f ms, p99 %.1f ms",
                what,
                latencies.percentileMillis(0.5),
                latencies.percentileMillis(0.99)));
    }

    private void drop(Path data) throws Exception {
        if (options.text("--data", "").isEmpty()) {
            Folders.delete(data);
            Folders.delete(Folders.beside(data, "scratch"));
            Folders.delete(Folders.beside(data, "duckdb"));
        }
    }

    private void scan() throws Exception {
        Path data = data();
        new ScanBench(options.number("--rows", 100_000_000), data.resolve("scan"), progress::line).run();
        drop(data);
    }

    private void tpch() throws Exception {
        double scale = options.decimal("--scale", 1);
        int runs = (int) options.number("--runs", 3);
        Path data = data();
        Path duckDb = Folders.beside(data, "duckdb");
        if (!options.has("--reuse")) {
            Folders.delete(duckDb);
        }
        try (BenchServer server = BenchServer.start(data, 0, 0)) {
            // The warm-up would use a core that DuckDB's queries need.
            server.server().awaitTraining();
            new TpchBench(server, scale, progress).run(duckDb, options.has("--reuse"), runs);
        }
        drop(data);
    }
}
