package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.testing.Polling;
import io.skep.itests.client.ReleasedClient;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/**
 * A server and Hive's metastore service on one PostgreSQL database and one warehouse. The server believes that the
 * notification log has all changes, so it sees a change of the service only through that log.
 */
final class MetastoreSite implements AutoCloseable {
    private final Path folder;
    private final Deque<Closeable> started = new ArrayDeque<>();
    private final EmbeddedPostgres database;
    private final MetastoreProcess service;
    private final Connection connection;

    /** @param folder the folder for all files */
    MetastoreSite(Path folder) throws Exception {
        this.folder = folder;
        try {
            database = EmbeddedPostgres.builder()
                    .setDataDirectory(folder.resolve("postgres"))
                    .start();
            started.push(database);
            Map<String, String> site = Map.of(
                    "javax.jdo.option.ConnectionURL",
                    database.getJdbcUrl("postgres", "postgres"),
                    "hive.metastore.warehouse.dir",
                    "file:" + warehouse(),
                    "hive.metastore.transactional.event.listeners",
                    "org.apache.hive.hcatalog.listener.DbNotificationListener");
            Path data = Files.createDirectories(folder.resolve("data"));
            ServerProcess server = ServerProcess.start(data, site);
            started.push(server::close);
            service = MetastoreProcess.start(data, site);
            started.push(service::close);
            ReleasedClient client = ReleasedClient.open();
            started.push(client::close);
            connection = client.connect(server.url());
        } catch (Exception e) {
            closeStarted();
            throw e;
        }
    }

    Path warehouse() {
        return folder.resolve("warehouse");
    }

    MetastoreProcess service() {
        return service;
    }

    /** Runs statements on the server. */
    void run(String... texts) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String text : texts) {
                statement.execute(text);
            }
        }
    }

    /** Returns the first column of the server's answer. */
    List<String> rows(String query) throws SQLException {
        return table(query).stream().map(List::getFirst).toList();
    }

    /** Returns the server's answer. */
    List<List<String>> table(String query) throws SQLException {
        List<List<String>> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            while (result.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                    row.add(String.valueOf(result.getString(i)));
                }
                rows.add(row);
            }
        }
        return rows;
    }

    /** Returns the types of the events of the notification log after a number, which must be without gaps. */
    List<String> eventsAfter(long number) throws SQLException {
        List<String> types = new ArrayList<>();
        try (Connection log = database.getPostgresDatabase().getConnection();
                Statement statement = log.createStatement();
                ResultSet events =
                        statement.executeQuery("SELECT \"EVENT_ID\", \"EVENT_TYPE\" FROM \"NOTIFICATION_LOG\""
                                + " WHERE \"EVENT_ID\" > " + number + " ORDER BY 1")) {
            while (events.next()) {
                types.add(events.getString(2));
                assertThat(events.getLong(1)).isEqualTo(number + types.size());
            }
        }
        return types;
    }

    /** Returns the number of the last event of the notification log. */
    long lastEvent() throws SQLException {
        try (Connection log = database.getPostgresDatabase().getConnection();
                Statement statement = log.createStatement();
                ResultSet next =
                        statement.executeQuery("SELECT \"NEXT_EVENT_ID\" - 1 FROM \"NOTIFICATION_SEQUENCE\"")) {
            next.next();
            return next.getLong(1);
        }
    }

    /** Waits until the server answers a query with these rows. It may fail before that. */
    void awaitRows(String query, String... expected) {
        Polling.await(query)
                .ignoreExceptionsInstanceOf(SQLException.class)
                .until(() -> rows(query).equals(List.of(expected)));
    }

    @Override
    public void close() throws IOException, SQLException {
        try {
            connection.close();
        } finally {
            closeStarted();
        }
    }

    private void closeStarted() throws IOException {
        while (!started.isEmpty()) {
            started.pop().close();
        }
    }
}
