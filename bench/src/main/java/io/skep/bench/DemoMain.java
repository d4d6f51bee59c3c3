package io.skep.bench;

import io.skep.common.cli.CommandRunner;
import io.skep.common.cli.HelpOption;
import io.skep.common.log.ProcessLog;
import io.skep.service.cli.DemoArguments;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Implements {@code bin/skep demo}. Starts a server, creates the report data and TPC-H as ORC tables through SQL, and
 * runs reports and queries over JDBC.
 */
@Command(
        name = "bin/skep demo",
        description = "Starts a server, makes sample data, runs reports and TPC-H, prints figures.")
public final class DemoMain implements Callable<Integer> {
    private static final int CLIENTS = 8;
    private static final List<String> WITHOUT_SERVER = List.of(
            "bin/skep demo --keep                    # the same, and the server stays up to be asked",
            "bin/skep server                         # a server of your own; its tables are kept in data/",
            "bin/skep beeline -e 'SHOW DATABASES'    # asks that server, from another terminal",
            "bin/skep help                           # all commands");

    private final Progress progress = new Progress(System.out);

    @Mixin
    HelpOption help = new HelpOption();

    @Mixin
    DemoArguments options = new DemoArguments();

    public static void main(String[] arguments) {
        ProcessLog.start();
        int status = CommandRunner.run(new CommandLine(new DemoMain()), arguments);
        if (status != 0) {
            System.exit(status);
        }
    }

    @Override
    public Integer call() throws Exception {
        boolean keep = options.keep;
        Path given = options.data;
        Path data = given == null ? Files.createTempDirectory("skep-demo") : given.toAbsolutePath();
        double scale = options.scale;
        progress.running("starting a server");
        try (BenchServer server = BenchServer.start(data, options.port, options.uiPort)) {
            progress.line("server: " + server.url());
            makeData(server, Folders.beside(data, "scratch"), scale);
            realFiles(server);
            reports(server);
            tpch(server, scale);
            progress.line("JDBC: " + server.url());
            progress.line("pages: " + server.uiUrl());
            next(keep ? withTheServer(data, server.uiUrl()) : WITHOUT_SERVER);
            if (keep) {
                progress.line("the server stays up; end it with Ctrl-C or bin/skep stop --data " + data);
                Thread.currentThread().join();
            }
        }
        if (!keep && given == null) {
            Folders.delete(data);
            Folders.delete(Folders.beside(data, "scratch"));
        }
        return 0;
    }

    private void next(List<String> commands) {
        progress.line("");
        progress.line("What to try next:");
        commands.forEach(command -> progress.line("  " + command));
    }

    private static List<String> withTheServer(Path data, String uiUrl) {
        String beeline = "bin/skep beeline --data " + data;
        return List.of(
                beeline + " -e 'SELECT count(*) FROM tpch.lineitem'",
                beeline
                        + "   # a prompt; try: EXPLAIN SELECT l_shipmode, count(*) FROM tpch.lineitem"
                        + " GROUP BY l_shipmode;",
                "open " + uiUrl + "   # queries, daemons and the cache, as pages",
                "bin/skep doctor --data " + data);
    }

    private void makeData(BenchServer server, Path scratch, double scale) throws Exception {
        try (Connection connection = server.connect()) {
            new ReportData(options.rows).load(connection, scratch, progress);
            new TpchData(progress).load(connection, scale, scratch);
        }
    }

    private void realFiles(BenchServer server) throws Exception {
        Path folder = Path.of(System.getProperty("skep.home", ""))
                .resolve("demo/data")
                .toAbsolutePath();
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            for (String sql : RealFiles.statements("real_files", folder)) {
                statement.execute(sql);
            }
            progress.line("real files in " + folder + ", queried in place: month, flights, minutes late, birds struck");
            try (ResultSet result = statement.executeQuery(RealFiles.QUERY)) {
                for (List<String> row : Answer.of(result).rows()) {
                    progress.line("  " + String.join(", ", row));
                }
            }
        }
    }

    private void reports(BenchServer server) throws Exception {
        ReportWorkload workload = new ReportWorkload(server.jdbc(), server.url());
        progress.running("reports of " + CLIENTS + " clients");
        workload.run(CLIENTS, 5);
        progress.line("reports: " + workload.run(CLIENTS, options.seconds));
        Latencies one = workload.repeat("select 1", 200);
        progress.line(String.format(
                Locale.ROOT,
                "select 1: p50 %.1f ms, p99 %.1f ms",
                one.percentileMillis(0.5),
                one.percentileMillis(0.99)));
    }

    private void tpch(BenchServer server, double scale) throws Exception {
        try (Connection connection = server.connect("tpch")) {
            TpchWorkload workload = new TpchWorkload(connection, scale);
            double total = 0;
            for (int query = 1; query <= TpchTables.QUERIES; query++) {
                progress.running("TPC-H query " + query + " of " + TpchTables.QUERIES);
                try {
                    BestRun time = workload.best(query, 1);
                    total += time.millis();
                    progress.line(String.format(
                            Locale.ROOT,
                            "TPC-H q%02d: %8.0f ms, %d rows: %s",
                            query,
                            time.millis(),
                            time.answer().rows().size(),
                            firstRow(time.answer())));
                } catch (SQLException e) {
                    progress.line(String.format(Locale.ROOT, "TPC-H q%02d failed: %s", query, e.getMessage()));
                }
            }
            progress.line(String.format(Locale.ROOT, "TPC-H total: %.1f s", total / 1000));
        }
    }

    private static String firstRow(Answer answer) {
        return answer.rows().isEmpty()
                ? "no rows"
                : String.join(", ", answer.rows().getFirst());
    }
}
