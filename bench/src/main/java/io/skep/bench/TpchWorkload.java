package io.skep.bench;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Runs TPC-H's queries over a connection of Hive's driver or of another system's driver. */
final class TpchWorkload {
    private final Connection connection;
    private final double scale;

    TpchWorkload(Connection connection, double scale) {
        this.connection = connection;
        this.scale = scale;
    }

    BestRun best(int query, int runs) throws SQLException, IOException {
        String sql = TpchTables.query(query, scale);
        try (Statement statement = connection.createStatement()) {
            return BestRun.of(
                    () -> {
                        try (ResultSet result = statement.executeQuery(sql)) {
                            return Answer.of(result);
                        }
                    },
                    runs);
        }
    }
}
