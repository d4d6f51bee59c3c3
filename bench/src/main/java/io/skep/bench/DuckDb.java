package io.skep.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** DuckDB in this process, over the same rows: in its own tables, and as Parquet files that it wrote. */
final class DuckDb {
    private DuckDb() {}

    /** Tables of DuckDB's own, made of the generator's text. */
    static Connection nativeTables(double scale, Path scratch, Progress progress) throws SQLException, IOException {
        Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Files.createDirectories(scratch);
        int done = 0;
        try (Statement statement = connection.createStatement()) {
            for (var table : TpchTables.COLUMNS.entrySet()) {
                progress.step("DuckDB data", done++, TpchTables.COLUMNS.size());
                Path file = scratch.resolve(table.getKey() + ".tbl");
                TpchTables.write(table.getKey(), scale, file);
                statement.execute("CREATE TABLE " + table.getKey() + " (" + table.getValue() + ")");
                statement.execute(
                        "COPY " + table.getKey() + " FROM '" + file + "' (DELIMITER '|', HEADER false, QUOTE '')");
                Files.delete(file);
            }
        }
        progress.step("DuckDB data", done, TpchTables.COLUMNS.size());
        return connection;
    }

    /** Views on Parquet files with the same rows. */
    static Connection parquet(Connection tables, Path folder) throws SQLException, IOException {
        Files.createDirectories(folder);
        Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        for (String table : TpchTables.COLUMNS.keySet()) {
            Path file = folder.resolve(table + ".parquet");
            try (Statement copy = tables.createStatement();
                    Statement view = connection.createStatement()) {
                copy.execute("COPY " + table + " TO '" + file + "' (FORMAT parquet)");
                view.execute("CREATE VIEW " + table + " AS SELECT * FROM '" + file + "'");
            }
        }
        return connection;
    }
}
