package io.skep.itests.client;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A connection of a released driver in a database of its own, which is dropped at the end. */
final class DriverSession implements AutoCloseable {
    private final Connection connection;
    private final String database;

    private DriverSession(Connection connection, String database) {
        this.connection = connection;
        this.database = database;
    }

    static DriverSession open(ReleasedDriver driver, String url, String database) throws Exception {
        Connection connection = ReleasedClient.open(driver).connect(url);
        DriverSession session = new DriverSession(connection, database);
        session.execute("create database if not exists " + database, "use " + database);
        return session;
    }

    Connection connection() {
        return connection;
    }

    void execute(String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** Returns all rows of a query. */
    List<List<Object>> query(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return rows(statement.executeQuery(sql));
        }
    }

    /** Returns the rows that are left in a result, with these columns or all, and closes it. */
    static List<List<Object>> rows(ResultSet result, int... columns) throws SQLException {
        List<List<Object>> rows = new ArrayList<>();
        try (result) {
            while (result.next()) {
                List<Object> row = new ArrayList<>();
                if (columns.length == 0) {
                    for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                        row.add(result.getObject(i));
                    }
                }
                for (int column : columns) {
                    row.add(result.getObject(column));
                }
                rows.add(row);
            }
        }
        return rows;
    }

    @Override
    public void close() throws SQLException {
        try (connection) {
            execute("use default", "drop database if exists " + database + " cascade");
        }
    }
}
