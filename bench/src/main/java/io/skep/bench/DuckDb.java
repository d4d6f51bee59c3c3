package io.skep.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** DuckDB in this process, with the same rows in its own tables, and in Parquet files that it wrote. */
final class DuckDb {
    private DuckDb() {}

    /**
     * Opens DuckDB's own tables, in a file of the folder. Creates them from the generator's text if they do not exist.
     *
     * @param memoryBytes DuckDB's memory limit
     */
    static Connection nativeTables(double scale, Path folder, long memoryBytes, Progress progress)
            throws SQLException, IOException {
        Files.createDirectories(folder);
        Path file = folder.resolve("tpch.duckdb");
        boolean there = Files.exists(file);
        Connection connection = connect(file.toString(), memoryBytes);
        if (!there) {
            load(connection, scale, folder, progress);
        }
        return connection;
    }

    private static Connection connect(String database, long memoryBytes) throws SQLException {
        Connection connection = DriverManager.getConnection("jdbc:duckdb:" + database);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET memory_limit = '" + (memoryBytes >> 20) + "MiB'");
        }
        return connection;
    }

    private static void load(Connection connection, double scale, Path folder, Progress progress)
            throws SQLException, IOException {
        int done = 0;
        try (Statement statement = connection.createStatement()) {
            for (var table : TpchTables.COLUMNS.entrySet()) {
                progress.step("DuckDB data", done++, TpchTables.COLUMNS.size());
                Path text = folder.resolve(table.getKey() + ".tbl");
                TpchTables.write(table.getKey(), scale, text);
                statement.execute("CREATE TABLE " + table.getKey() + " (" + table.getValue() + ")");
                statement.execute(
                        "COPY " + table.getKey() + " FROM '" + text + "' (DELIMITER '|', HEADER false, QUOTE '')");
                Files.delete(text);
            }
        }
        progress.step("DuckDB data", done, TpchTables.COLUMNS.size());
    }

    /** Opens views on Parquet files with the same rows, one folder per table. Writes the files if they do not exist. */
    static Connection parquet(Connection tables, Path folder, long memoryBytes) throws SQLException, IOException {
        Connection connection = connect("", memoryBytes);
        for (String table : TpchTables.COLUMNS.keySet()) {
            Path file = Files.createDirectories(folder.resolve(table)).resolve("data.parquet");
            try (Statement copy = tables.createStatement();
                    Statement view = connection.createStatement()) {
                if (!Files.exists(file)) {
                    copy.execute("COPY " + table + " TO '" + file + "' (FORMAT parquet)");
                }
                view.execute("CREATE VIEW " + table + " AS SELECT * FROM '" + file + "'");
            }
        }
        return connection;
    }

    /** Returns the memory that a database reports to use, in bytes. */
    static long memoryBytes(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT sum(memory_usage_bytes) FROM duckdb_memory()")) {
            result.next();
            return result.getLong(1);
        }
    }
}
