package io.skep.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** DuckDB in this process, over the same rows: in its own tables, and as Parquet files that it wrote. */
final class DuckDb {
    private DuckDb() {}

    /**
     * Tables of DuckDB's own, made of the generator's text in a file of the folder unless they are there.
     *
     * @param memoryBytes what DuckDB may take
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

    /** Views on Parquet files with the same rows, a folder a table; written unless they are there. */
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

    /** Memory that a database holds now, in bytes, by its own account. */
    static long memoryBytes(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT sum(memory_usage_bytes) FROM duckdb_memory()")) {
            result.next();
            return result.getLong(1);
        }
    }
}
