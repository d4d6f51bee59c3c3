package io.skep.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** DuckDB with TPC-DS's tables. Where HiveQL and DuckDB's SQL leave something to settings, it does as Hive. */
public final class TpcdsPeer implements AutoCloseable {
    private final Connection connection;

    private TpcdsPeer(Connection connection) {
        this.connection = connection;
    }

    /**
     * Opens a database.
     *
     * @param database DuckDB's file, or nothing for a database in memory
     */
    public static TpcdsPeer open(String database) throws SQLException {
        Connection connection = DriverManager.getConnection("jdbc:duckdb:" + database);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET default_null_order = 'NULLS_LAST_ON_ASC_FIRST_ON_DESC'");
            // A division by zero is null.
            statement.execute("SET ieee_floating_point_ops = false");
            // A text with a part that is null is null.
            statement.execute("CREATE OR REPLACE TEMPORARY MACRO concat(a, b) AS a || b");
        }
        return new TpcdsPeer(connection);
    }

    /** @param folder what {@link TpcdsTables#write} wrote */
    public void load(Path folder) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (var table : TpcdsTables.COLUMNS.entrySet()) {
                String name = table.getKey();
                Path file = folder.resolve(name).resolve(TpcdsTables.FILE);
                statement.execute("CREATE TABLE " + name + " (" + table.getValue() + ")");
                statement.execute("COPY " + name + " FROM '" + file
                        + "' (DELIMITER '|', HEADER false, QUOTE '', NULLSTR '" + TpcdsTables.NULL + "')");
            }
        }
    }

    /** Limits DuckDB's memory. */
    void limit(long memoryBytes) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET memory_limit = '" + (memoryBytes >> 20) + "MiB'");
        }
    }

    /** Returns a query of TPC-DS that has one answer only. */
    public TpcdsQuery query(int number) throws SQLException, IOException {
        return TpcdsQuery.of(number).totallyOrdered(connection);
    }

    public Answer answer(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            return Answer.of(result);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
