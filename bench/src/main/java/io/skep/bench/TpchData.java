package io.skep.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** TPC-H in a server: ORC tables of database {@code tpch} with statistics, loaded by SQL from text or from Parquet. */
final class TpchData {
    static final String ORC = "tpch";

    /** The database of external tables over Parquet files. */
    static final String PARQUET = "tpch_parquet";

    private final Progress progress;

    TpchData(Progress progress) {
        this.progress = progress;
    }

    /** The source of one table's data. */
    private interface Source {
        void load(Statement statement, String table, String columns) throws SQLException, IOException;
    }

    /** Loads from the generator's text, which is written for this purpose and then deleted. */
    void load(Connection connection, double scale, Path scratch) throws SQLException, IOException {
        load(connection, (statement, table, columns) -> {
            Path folder = Files.createDirectories(scratch.resolve("tpch-" + table));
            Path file = folder.resolve(table + ".tbl");
            TpchTables.write(table, scale, file);
            String text = ORC + "." + table + "_text";
            external(
                    statement,
                    text,
                    columns,
                    "ROW FORMAT DELIMITED FIELDS TERMINATED BY '|' STORED AS TEXTFILE",
                    folder);
            own(statement, table, columns, text);
            statement.execute("DROP TABLE " + text);
            Files.delete(file);
            Files.delete(folder);
        });
    }

    /** Loads from Parquet files, one folder per table. Their external tables are kept. */
    void loadParquet(Connection connection, Path folder) throws SQLException, IOException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE IF NOT EXISTS " + PARQUET);
        }
        load(connection, (statement, table, columns) -> {
            String parquet = PARQUET + "." + table;
            external(statement, parquet, columns, "STORED AS PARQUET", folder.resolve(table));
            own(statement, table, columns, parquet);
            statement.execute("ANALYZE TABLE " + parquet + " COMPUTE STATISTICS FOR COLUMNS");
        });
    }

    private void load(Connection connection, Source source) throws SQLException, IOException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE IF NOT EXISTS " + ORC);
            int done = 0;
            for (var table : TpchTables.COLUMNS.entrySet()) {
                progress.step("TPC-H data", done++, TpchTables.COLUMNS.size());
                source.load(statement, table.getKey(), table.getValue());
            }
            progress.step("TPC-H data", done, TpchTables.COLUMNS.size());
        }
    }

    private static void external(Statement statement, String table, String columns, String format, Path folder)
            throws SQLException {
        statement.execute("DROP TABLE IF EXISTS " + table);
        statement.execute(
                "CREATE EXTERNAL TABLE " + table + " (" + columns + ") " + format + " LOCATION 'file:" + folder + "'");
    }

    private static void own(Statement statement, String table, String columns, String source) throws SQLException {
        String own = ORC + "." + table;
        statement.execute("DROP TABLE IF EXISTS " + own);
        statement.execute("CREATE TABLE " + own + " (" + columns + ") STORED AS ORC");
        statement.execute("INSERT INTO " + own + " SELECT * FROM " + source);
        statement.execute("ANALYZE TABLE " + own + " COMPUTE STATISTICS FOR COLUMNS");
    }
}
