package io.skep.reader;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Asks a server for splits over JDBC, with any driver of HiveServer2. */
public final class JdbcSplits {
    /** Where a row has its split. */
    private static final int SPLIT_COLUMN = 2;

    private JdbcSplits() {}

    /**
     * Asks for the splits of a query. The server checks it as it checks the query itself.
     *
     * @param connection the session whose user, database and settings count; stays the caller's
     * @param count the largest number of splits; 0 for the schema only
     * @throws SQLException the error of the query
     * @throws ReadException DAMAGED_MESSAGE when the server answers something else
     */
    public static QuerySplits of(Connection connection, String query, int count) throws SQLException {
        List<ExternalSplit> splits = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(QuerySplits.statement(query, count))) {
            while (rows.next()) {
                splits.add(ExternalSplit.decode(bytes(rows)));
            }
        }
        return QuerySplits.of(splits);
    }

    /** Not all drivers have getBytes. */
    private static byte[] bytes(ResultSet rows) throws SQLException {
        if (rows.getObject(SPLIT_COLUMN) instanceof byte[] bytes) {
            return bytes;
        }
        throw new ReadException(ReadErrorCode.DAMAGED_MESSAGE, "the server has sent a split that is not binary");
    }
}
