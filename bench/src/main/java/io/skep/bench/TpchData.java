package io.skep.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** TPC-H in a server: text files, then SQL into ORC tables of database {@code tpch}, then statistics. */
final class TpchData {
    private final double scale;

    TpchData(double scale) {
        this.scale = scale;
    }

    void load(Connection connection, Path scratch, Progress progress) throws SQLException, IOException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE IF NOT EXISTS tpch");
            int done = 0;
            for (var table : TpchTables.COLUMNS.entrySet()) {
                progress.step("TPC-H data", done++, TpchTables.COLUMNS.size());
                load(statement, table.getKey(), table.getValue(), scratch);
            }
            progress.step("TPC-H data", done, TpchTables.COLUMNS.size());
        }
    }

    private void load(Statement statement, String table, String columns, Path scratch)
            throws SQLException, IOException {
        Path folder = Files.createDirectories(scratch.resolve("tpch-" + table));
        Path file = folder.resolve(table + ".tbl");
        TpchTables.write(table, scale, file);
        statement.execute("DROP TABLE IF EXISTS tpch." + table + "_text");
        statement.execute("DROP TABLE IF EXISTS tpch." + table);
        statement.execute("CREATE EXTERNAL TABLE tpch." + table + "_text (" + columns
                + ") ROW FORMAT DELIMITED FIELDS TERMINATED BY '|' STORED AS TEXTFILE LOCATION 'file:" + folder + "'");
        statement.execute("CREATE TABLE tpch." + table + " (" + columns + ") STORED AS ORC");
        statement.execute("INSERT INTO tpch." + table + " SELECT * FROM tpch." + table + "_text");
        statement.execute("DROP TABLE tpch." + table + "_text");
        statement.execute("ANALYZE TABLE tpch." + table + " COMPUTE STATISTICS FOR COLUMNS");
        Files.delete(file);
        Files.delete(folder);
    }
}
