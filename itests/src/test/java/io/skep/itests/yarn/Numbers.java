package io.skep.itests.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A table of which each daemon reads a part, and queries on it. */
final class Numbers {
    private static final int FILES = 16;
    private static final int ROWS = 240_000;
    private static final int FEW = 5;

    /** Returns more rows than fit into the buffers for the client. */
    private static final String MANY_ROWS = "SELECT x.a, y.n FROM numbers x JOIN few y WHERE x.a >= 0";

    private Numbers() {}

    static void load(Statement statement) throws SQLException {
        statement.execute("CREATE TABLE few STORED AS ORC AS SELECT pos AS n FROM (SELECT posexplode(split(space("
                + (FEW - 1) + "), ' '))) t");
        statement.execute("CREATE TABLE numbers (a BIGINT, b INT) PARTITIONED BY (part INT) STORED AS ORC");
        statement.execute("INSERT INTO numbers PARTITION (part) SELECT pos, pos % 7, pos % " + FILES
                + " FROM (SELECT posexplode(split(space(" + (ROWS - 1) + "), ' '))) t");
    }

    static void assertAnswer(Statement statement) throws SQLException {
        try (ResultSet rows =
                statement.executeQuery("SELECT b, count(*), sum(a) FROM numbers GROUP BY b ORDER BY b LIMIT 1")) {
            assertThat(rows.next()).isTrue();
            long count = (ROWS + 6) / 7;
            assertThat(rows.getLong(2)).isEqualTo(count);
            assertThat(rows.getLong(3)).isEqualTo(7 * count * (count - 1) / 2);
        }
    }

    /** A result of which one row has been sent, so that the query cannot run again. */
    record LongResult(Statement statement, ResultSet rows) implements AutoCloseable {
        static LongResult open(Connection connection) throws SQLException {
            Statement statement = connection.createStatement();
            ResultSet rows = statement.executeQuery(MANY_ROWS);
            assertThat(rows.next()).isTrue();
            return new LongResult(statement, rows);
        }

        void assertComplete() throws SQLException {
            long count = 1;
            while (rows.next()) {
                count++;
            }
            assertThat(count).isEqualTo((long) ROWS * FEW);
        }

        @Override
        public void close() throws SQLException {
            statement.close();
        }
    }
}
