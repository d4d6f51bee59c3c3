package io.skep.itests.hdfs;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Runs queries and returns their rows as text. */
public final class Queries {
    private Queries() {}

    /** Runs a statement until it is finished. */
    public static void run(Statement statement, String sql) throws SQLException {
        if (statement.execute(sql)) {
            try (ResultSet result = statement.getResultSet()) {
                while (result.next()) {
                    result.getObject(1);
                }
            }
        }
    }

    /** Returns the rows of a query. A space separates values. */
    public static List<String> rows(Statement statement, String sql) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (ResultSet result = statement.executeQuery(sql)) {
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 1; i <= columns; i++) {
                    row.add(String.valueOf(result.getObject(i)));
                }
                rows.add(String.join(" ", row));
            }
        }
        return rows;
    }
}
