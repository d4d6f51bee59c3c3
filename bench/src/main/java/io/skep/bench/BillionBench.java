package io.skep.bench;

import io.skep.bench.process.ForkedJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;

/**
 * Counts many rows by very many keys, and a HAVING drops nearly all groups. The query consists of one large hash table.
 * Skep and DuckDB read the same Parquet files, each in a separate JVM with the same memory limit.
 */
final class BillionBench {
    static final String QUERY = "select count(*) from sales group by s_item_id having count(*) > 9999999999";
    /** Returns the number of groups and of their rows, which shows that no group was lost or counted twice. */
    static final String CHECK = "select count(*), sum(c), sum(c * c), sum(s_item_id % 1000 * c) from"
            + " (select s_item_id, count(*) as c from sales group by s_item_id) groups";

    private static final long MB = 1 << 20;
    private static final long FILE_ROWS = 50_000_000;
    /** The memory of a JVM in addition to heap and cache: classes, compiled code, threads, buffers. */
    private static final long BESIDE = 512 * MB;

    private final long rows;
    private final long items;
    private final long memory;
    private final Path data;
    private final Progress progress;

    /** @param memory maximum bytes that each contender's process may use */
    BillionBench(long rows, long items, long memory, Path data, Progress progress) {
        this.rows = rows;
        this.items = items;
        this.memory = memory;
        this.data = data;
        this.progress = progress;
    }

    /** @param reuse whether the files already exist */
    void run(boolean reuse, List<String> contenders, int runs) throws SQLException, IOException, InterruptedException {
        Path files = data.resolve("sales");
        if (!reuse) {
            generate(files);
        }
        progress.line(String.format(
                Locale.ROOT,
                "%,d rows, %,d items, %,d MB of Parquet; at most %,d MB of memory",
                rows,
                items,
                bytes(files) / MB,
                memory / MB));
        progress.line(BillionFork.HEADER);
        for (String contender : contenders) {
            int exit = new ForkedJvm(flags(contender))
                    .run(
                            BillionFork.class,
                            List.of(
                                    contender,
                                    data.toString(),
                                    Long.toString(contender.equals("Skep") ? cache() : memory),
                                    Integer.toString(runs)),
                            this::line);
            if (exit != 0) {
                progress.line(contender + " ended with " + exit);
            }
        }
    }

    private void line(String line) {
        if (line.startsWith(BillionFork.RESULT)) {
            progress.line(line.substring(BillionFork.RESULT.length()));
        }
    }

    private long cache() {
        return memory / 8;
    }

    private List<String> flags(String contender) {
        long heap = contender.equals("Skep") ? memory - cache() - BESIDE : 256 * MB;
        return List.of("-Xmx" + Math.max(256, heap / MB) + "m");
    }

    private void generate(Path files) throws SQLException, IOException {
        Files.createDirectories(files);
        int count = (int) ((rows + FILE_ROWS - 1) / FILE_ROWS);
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("SET memory_limit = '2GB'");
            for (int i = 0; i < count; i++) {
                progress.step("data", i, count);
                long to = Math.min(rows, (i + 1) * FILE_ROWS);
                statement.execute(String.format(
                        Locale.ROOT,
                        "COPY (SELECT (hash(i) %% %d)::INTEGER AS s_item_id FROM range(%d, %d) t(i))"
                                + " TO '%s' (FORMAT parquet)",
                        items,
                        i * FILE_ROWS,
                        to,
                        files.resolve("part-" + i + ".parquet")));
            }
            progress.step("data", count, count);
        }
    }

    private static long bytes(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            long total = 0;
            for (Path file : files.toList()) {
                total += Files.size(file);
            }
            return total;
        }
    }
}
