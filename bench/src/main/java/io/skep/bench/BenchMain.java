package io.skep.bench;

import io.skep.bench.hashtable.HashTableBench;
import io.skep.bench.kernel.KernelBench;
import io.skep.bench.rpc.RpcBench;
import io.skep.bench.scan.ScanBench;
import io.skep.bench.simulation.SimulationBench;
import io.skep.bench.simulation.SimulationPlan;
import io.skep.common.cli.CommandRunner;
import io.skep.common.cli.HelpOption;
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
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Implements {@code bin/bench}: workloads and micro-benchmarks, most of them in comparison with other systems. */
public final class BenchMain {
    private static final List<Benchmark> BENCHMARKS = List.of(
            Benchmark.of(
                    "reports",
                    options -> new BenchMain(options).reports(),
                    "Reports over one table by many clients; --reuse takes the tables of the data folder, "
                            + "--result-cache compares rounds without and with cached results.",
                    "--rows N",
                    "--clients 8,32,128",
                    "--seconds T",
                    "--reports N",
                    "--data DIR",
                    "--rounds N",
                    "--result-cache",
                    "--reuse"),
            Benchmark.of(
                    "daemons",
                    options -> new BenchMain(options).daemons(),
                    "Reports with daemons in processes of their own.",
                    "--daemons 0,1,2,4",
                    "--rows N",
                    "--clients N",
                    "--warm T",
                    "--seconds T",
                    "--rounds N",
                    "--cache SIZE",
                    "--data DIR",
                    "--reuse"),
            Benchmark.of(
                    "compare",
                    options -> new BenchMain(options).compare(),
                    "Another checkout and this one: statements and reports in turns; with --authorize statements of"
                            + " this one need privileges, with --policies its reports have a row filter and a mask.",
                    "--with CHECKOUT",
                    "--authorize",
                    "--policies",
                    "--daemons N",
                    "--scale S",
                    "--runs N",
                    "--rows N",
                    "--clients 8,32",
                    "--warm T",
                    "--seconds T",
                    "--rounds N",
                    "--data DIR",
                    "--reuse"),
            Benchmark.of(
                    "external",
                    options -> new BenchMain(options).external(),
                    "Rows into Spark by Skep's source and by Spark's own ORC reader, and rows by JDBC; needs"
                            + " Java 17 or 21 for Spark.",
                    "--rows N",
                    "--jdbc-rows N",
                    "--rounds N",
                    "--data DIR",
                    "--reuse"),
            Benchmark.of(
                    "warmup",
                    options -> new BenchMain(options).warmUp(),
                    "The first queries of a server, over the data folder of reports;"
                            + " SKEP_START_CACHE=off shows what Java's AOT cache saves.",
                    "--data DIR",
                    "--trained"),
            Benchmark.of(
                    "tpch",
                    options -> new BenchMain(options).tpch(),
                    "TPC-H, with DuckDB over the same data.",
                    "--scale S",
                    "--runs N",
                    "--data DIR",
                    "--reuse"),
            Benchmark.of(
                    "tpcds",
                    options -> new BenchMain(options).tpcds(),
                    "TPC-DS on ORC tables and on transactional tables with deltas, with DuckDB over the same data.",
                    "--scale S",
                    "--runs N",
                    "--data DIR",
                    "--reuse"),
            Benchmark.of(
                    "latency",
                    options -> new BenchMain(options).latency(),
                    "Small queries, direct and through Tez; on a site with YARN, in its containers.",
                    "--runs N",
                    "--conf FOLDER"),
            Benchmark.of(
                    "transactions",
                    options -> new BenchMain(options).transactions(),
                    "Changes of transactional tables: one row by one client and by several, MERGE into a large table,"
                            + " rebuilds of a materialized view.",
                    "--runs N",
                    "--clients N",
                    "--seconds T",
                    "--rows N",
                    "--changes N",
                    "--rebuilds"),
            Benchmark.of(
                    "pruning",
                    options -> new BenchMain(options).pruning(),
                    "Partitions that the other side of a join excludes.",
                    "--rows N",
                    "--runs N"),
            Benchmark.of(
                    "rpc",
                    BenchMain::rpc,
                    "Fragments over the daemons' protocol, and over Thrift with a thread for each connection.",
                    "--loads HOSTSxQUERIESxFRAGMENTS,...",
                    "--seconds T"),
            Benchmark.of(
                    "compile",
                    options -> new BenchMain(options).compile(),
                    "Compilation of statements by several sessions.",
                    "--clients 1,4,16,64",
                    "--seconds T"),
            Benchmark.of(
                    "scan",
                    options -> new BenchMain(options).scan(),
                    "Reading of columns from files and from the cache.",
                    "--rows N",
                    "--data DIR"),
            Benchmark.of(
                    "hashtable",
                    BenchMain::hashTables,
                    "Hash tables of joins and aggregations: skep, operators, fastutil, HashMap, DuckDB.",
                    "--kinds join,aggregation,small",
                    "--sizes 10000,1000000,10000000",
                    "--duplicates 0,40,80",
                    "--contenders NAME,...",
                    "--heap 6g"),
            Benchmark.of(
                    "billion",
                    options -> new BenchMain(options).billion(),
                    "Aggregations and joins larger than memory: Skep, DuckDB.",
                    "--rows N",
                    "--items N",
                    "--memory 4gb",
                    "--contenders NAME,...",
                    "--runs N",
                    "--data DIR",
                    "--reuse"),
            Benchmark.of(
                    "simulation",
                    BenchMain::simulate,
                    "Scheduling of simulated clusters under a virtual clock.",
                    "--seeds N",
                    "--first SEED",
                    "--queries N",
                    "--daemons N",
                    "--clients N"),
            Benchmark.of("kernels", BenchMain::kernels, "Loops over vectors.", "--only NAME"));

    private final Progress progress = new Progress(System.out);
    private final Options options;

    private BenchMain(Options options) {
        this.options = options;
    }

    public static void main(String[] arguments) {
        ProcessLog.start();
        int status = CommandRunner.run(commands(), arguments);
        if (status != 0) {
            System.exit(status);
        }
    }

    static CommandLine commands() {
        CommandSpec spec = CommandSpec.create()
                .name("bin/bench")
                .addMixin("help", CommandSpec.forAnnotatedObject(new HelpOption()));
        spec.usageMessage()
                .description("Workloads and micro-benchmarks, most with their peers in the same run.")
                .synopsisSubcommandLabel("BENCHMARK")
                .footer("bin/bench BENCHMARK --help lists its options.");
        BENCHMARKS.forEach(benchmark -> spec.addSubcommand(benchmark.name(), new CommandLine(benchmark.spec())));
        return new CommandLine(spec).setExecutionStrategy(BenchMain::execute);
    }

    private static int execute(ParseResult result) {
        Integer help = CommandLine.executeHelpRequest(result);
        if (help != null) {
            return help;
        }
        ParseResult chosen = result.subcommand();
        CommandLine line = result.commandSpec().commandLine();
        if (chosen == null) {
            throw new ParameterException(line, "a benchmark is missing");
        }
        String name = chosen.commandSpec().name();
        Benchmark benchmark = BENCHMARKS.stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
        try {
            benchmark.run().with(new Options(chosen));
        } catch (ParameterException e) {
            throw e;
        } catch (Exception e) {
            throw new ExecutionException(line, name + " failed", e);
        }
        return 0;
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
            throw options.wrong("compare needs --with CHECKOUT");
        }
        Path data = data();
        Path scratch = Files.createDirectories(data.resolve("scratch"));
        try (CompareBench bench = new CompareBench(
                Path.of(other).toAbsolutePath(),
                data,
                (int) options.number("--daemons", 0),
                options.has("--authorize"),
                progress)) {
            int runs = (int) options.number("--runs", 30);
            if (runs > 0) {
                bench.statements(options.decimal("--scale", 0.1), scratch, runs);
            }
            int rounds = (int) options.number("--rounds", 9);
            if (rounds > 0) {
                bench.loadReports(options.number("--rows", 3_000_000), scratch, options.has("--policies"));
            }
            for (String clients : rounds > 0 ? options.text("--clients", "8,32").split(",") : new String[0]) {
                bench.reports(
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
                if (options.has("--result-cache")) {
                    compareCachedResults(server, Integer.parseInt(clients));
                } else {
                    progress.line(round(workload, Integer.parseInt(clients)).toString());
                }
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

    /** Runs pairs of rounds with the same reports, of which the second one may take the results of earlier ones. */
    private void compareCachedResults(BenchServer server, int clients) throws Exception {
        ReportWorkload computed = new ReportWorkload(server.jdbc(), server.url());
        ReportWorkload cached =
                new ReportWorkload(server.jdbc(), server.url() + "?hive.query.results.cache.enabled=true");
        for (int i = 0; i < options.number("--rounds", 3); i++) {
            ReportWorkload.Outcome without = round(computed, clients);
            ReportWorkload.Outcome with = round(cached, clients);
            progress.line("without the cache of results: " + without);
            progress.line("with it:                      " + with);
            progress.line(String.format(
                    Locale.ROOT,
                    "reports a second with it / without it: %.2f",
                    with.reportsPerSecond() / without.reportsPerSecond()));
        }
        String all = "SELECT yyyymmdd, sum(total_imps), sum(total_cost) FROM report GROUP BY yyyymmdd";
        print("sums of all days, without the cache", computed.repeat(all, 30));
        print("sums of all days, with it", cached.repeat(all, 30));
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

    /** With {@code --reuse} the existing tables of the data folder are used. */
    private void external() throws Exception {
        String java = System.getProperty("skep.java17", "");
        if (java.isEmpty()) {
            throw options.wrong("Spark needs Java 17 or 21, and none was found");
        }
        Path data = data();
        long rows = options.has("--reuse") ? 0 : options.number("--rows", 100_000_000);
        try (ExternalBench bench = ExternalBench.start(Path.of(java), data, rows, progress)) {
            bench.run((int) options.number("--rounds", 3), options.number("--jdbc-rows", 2_000_000));
        }
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
            throw options.wrong("warmup queries existing tables: name the --data of bin/bench reports");
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

    private void transactions() throws Exception {
        onTrained(server -> {
            TransactionBench bench = new TransactionBench(server, progress);
            if (!options.has("--rebuilds")) {
                bench.alone((int) options.number("--runs", 200));
                bench.together((int) options.number("--clients", 8), (int) options.number("--seconds", 20));
                bench.merge(options.number("--rows", 10_000_000), options.number("--changes", 100_000));
            }
            bench.rebuild(options.number("--rows", 10_000_000), options.number("--changes", 100_000));
        });
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

    private void tpcds() throws Exception {
        Path data = data();
        Path duckDb = Folders.beside(data, "duckdb");
        if (!options.has("--reuse")) {
            Folders.delete(duckDb);
        }
        try (BenchServer server = BenchServer.start(data, 0, 0)) {
            server.server().awaitTraining();
            new TpcdsBench(server, duckDb, progress)
                    .run(options.decimal("--scale", 1), options.has("--reuse"), (int) options.number("--runs", 3));
        }
        drop(data);
    }
}
