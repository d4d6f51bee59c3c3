package io.skep.bench;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Runs TPC-H's queries over a connection of Hive's driver or of another system's driver. */
final class TpchWorkload {
    private final Connection connection;
    private final double scale;

    TpchWorkload(Connection connection, double scale) {
        this.connection = connection;
        this.scale = scale;
    }

    /** The best time of several runs, in milliseconds, and the answer of the last run. */
    record Time(double millis, Answer answer) {}

    Time best(int query, int runs) throws SQLException, IOException {
        String sql = TpchTables.query(query, scale);
        double best = Double.MAX_VALUE;
        Answer answer = new Answer(List.of());
        try (Statement statement = connection.createStatement()) {
            for (int run = 0; run < runs; run++) {
                long start = System.nanoTime();
                try (ResultSet result = statement.executeQuery(sql)) {
                    answer = Answer.of(result);
                }
                best = Math.min(best, (System.nanoTime() - start) / 1e6);
            }
        }
        return new Time(best, answer);
    }
}
