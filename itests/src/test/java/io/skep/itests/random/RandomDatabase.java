package io.skep.itests.random;

import io.skep.itests.random.Table.Column;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/** Creates the random tables, with the same rows in both engines. */
final class RandomDatabase {
    private static final long SEED = 42;

    private RandomDatabase() {}

    /** Creates the tables in the connections' current databases. */
    static void load(Connection skep, Connection peer, Path folder) throws IOException, SQLException {
        RandomGenerator random = new SplittableRandom(SEED);
        try (Statement hive = skep.createStatement();
                Statement duckdb = peer.createStatement()) {
            hive.execute("SET hive.exec.dynamic.partition.mode=nonstrict");
            for (Table table : RandomTables.ALL) {
                Path own = Files.createDirectories(folder.resolve(table.name()));
                Path file = own.resolve("rows");
                write(table, new RandomValues(random), file);
                load(hive, table, own);
                duckdb.execute("CREATE TABLE " + table.name() + " (" + columns(table.columns()) + ")");
                duckdb.execute("COPY " + table.name() + " FROM '" + file
                        + "' (DELIMITER '|', HEADER false, QUOTE '', ESCAPE '', NULLSTR '\\N', AUTO_DETECT false)");
            }
        }
    }

    private static void write(Table table, RandomValues values, Path file) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (int row = 0; row < table.rows(); row++) {
                out.write(values.row(table, row));
                out.write('\n');
            }
        }
    }

    private static void load(Statement hive, Table table, Path folder) throws SQLException {
        String text = table.name() + "_text";
        hive.execute("CREATE EXTERNAL TABLE " + text + " (" + columns(table.columns())
                + ") ROW FORMAT DELIMITED FIELDS TERMINATED BY '|' STORED AS TEXTFILE LOCATION 'file:" + folder + "'");
        boolean partitioned = !table.partition().isEmpty();
        List<Column> columns = table.columns();
        int own = columns.size() - (partitioned ? 1 : 0);
        hive.execute("CREATE TABLE " + table.name() + " (" + columns(columns.subList(0, own)) + ") "
                + (partitioned ? "PARTITIONED BY (" + columns(columns.subList(own, own + 1)) + ") " : "")
                + table.storage());
        hive.execute("INSERT INTO " + table.name() + (partitioned ? " PARTITION (" + table.partition() + ")" : "")
                + " SELECT * FROM " + text);
        hive.execute("DROP TABLE " + text);
    }

    private static String columns(List<Column> columns) {
        return columns.stream()
                .map(column -> column.name() + " " + column.type())
                .collect(Collectors.joining(", "));
    }
}
