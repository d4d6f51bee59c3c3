package io.skep.metastore.hive;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.apache.hadoop.hive.metastore.api.MetaException;
import org.apache.hadoop.hive.metastore.api.NotificationEvent;
import org.apache.hadoop.hive.metastore.tools.SQLGenerator;
import org.jspecify.annotations.NullUnmarked;

/**
 * Appends events to the notification log in SQL, in the transaction of a connection. The number of the next event is
 * locked until the transaction ends, so that events become visible in their order.
 */
@NullUnmarked
final class NotificationSql {
    private static final String NEXT_EVENT = "SELECT \"NEXT_EVENT_ID\" FROM \"NOTIFICATION_SEQUENCE\"";
    private static final String COUNT_EVENTS =
            "UPDATE \"NOTIFICATION_SEQUENCE\" SET \"NEXT_EVENT_ID\" = \"NEXT_EVENT_ID\" + ?";

    /** The library takes the keys of the log's rows from this sequence, in blocks. */
    private static final String OF_LOG =
            " WHERE \"SEQUENCE_NAME\" = 'org.apache.hadoop.hive.metastore.model.MNotificationLog'";

    private static final String NEXT_ROW = "SELECT \"NEXT_VAL\" FROM \"SEQUENCE_TABLE\"" + OF_LOG;
    private static final String COUNT_ROWS = "UPDATE \"SEQUENCE_TABLE\" SET \"NEXT_VAL\" = \"NEXT_VAL\" + ?" + OF_LOG;

    private static final String INSERT = "INSERT INTO \"NOTIFICATION_LOG\" (\"NL_ID\", \"EVENT_ID\", \"EVENT_TIME\","
            + " \"EVENT_TYPE\", \"CAT_NAME\", \"DB_NAME\", \"TBL_NAME\", \"MESSAGE\", \"MESSAGE_FORMAT\")"
            + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";

    private final Connection connection;
    private final SQLGenerator sql;

    NotificationSql(Connection connection, SQLGenerator sql) {
        this.connection = connection;
        this.sql = sql;
    }

    void append(List<NotificationEvent> events) throws SQLException, MetaException {
        if (events.isEmpty()) {
            return;
        }
        String quotes = sql.getDbProduct().getPrepareTxnStmt();
        if (quotes != null) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(quotes);
            }
        }
        long event = take(NEXT_EVENT, COUNT_EVENTS, events.size());
        long row = take(NEXT_ROW, COUNT_ROWS, events.size());
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            for (NotificationEvent entry : events) {
                entry.setEventId(event);
                insert.setLong(1, row);
                insert.setLong(2, event);
                insert.setInt(3, entry.getEventTime());
                insert.setString(4, entry.getEventType());
                insert.setString(5, entry.getCatName());
                insert.setString(6, entry.getDbName());
                insert.setString(7, entry.getTableName());
                insert.setString(8, entry.getMessage());
                insert.setString(9, entry.getMessageFormat());
                insert.addBatch();
                event++;
                row++;
            }
            insert.executeBatch();
        }
    }

    /** Takes a range of numbers, whose first one is returned. */
    private long take(String next, String count, int numbers) throws SQLException, MetaException {
        long first;
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql.addForUpdateClause(next))) {
            if (!rows.next()) {
                throw new SQLException("the metastore database has no row for: " + next);
            }
            first = rows.getLong(1);
        }
        try (PreparedStatement update = connection.prepareStatement(count)) {
            update.setInt(1, numbers);
            update.executeUpdate();
        }
        return first;
    }
}
