package io.skep.mapred;

import io.skep.reader.ExternalReader;
import io.skep.reader.ExternalSplit;
import io.skep.reader.FlightSplits;
import io.skep.reader.JdbcSplits;
import io.skep.reader.Login;
import io.skep.reader.QuerySplits;
import io.skep.reader.ReadException;
import java.io.IOException;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** Asks the server of a job's settings for splits. The connection ends with the answer, and the splits stay valid. */
public final class LlapSplits {
    private static final String HIVE_DRIVER = "org.apache.hive.jdbc.HiveDriver";
    private static final long MEMORY = 64L << 20;

    private LlapSplits() {}

    /**
     * Returns the splits of the query.
     *
     * @param count the most that are wanted, over Flight SQL without effect; 0 for one split that only has the schema
     * @throws IOException the error of the query, with its text
     */
    public static LlapSplit[] of(InputSettings settings, int count) throws IOException {
        QuerySplits answer = answer(settings, count);
        List<ExternalSplit> splits = count == 0
                ? List.of(new ExternalSplit(
                        new byte[0], List.of(), answer.schema().serializeAsMessage(), false))
                : answer.splits();
        return splits.stream().map(LlapSplit::new).toArray(LlapSplit[]::new);
    }

    /** Returns the columns of the query. */
    public static RowSchema schema(InputSettings settings) throws IOException {
        return new RowSchema(answer(settings, 0).schema());
    }

    private static QuerySplits answer(InputSettings settings, int count) throws IOException {
        try {
            return settings.url().startsWith("jdbc:") ? overJdbc(settings, count) : overFlight(settings);
        } catch (ReadException | SQLException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static QuerySplits overJdbc(InputSettings settings, int count) throws SQLException, IOException {
        try (Connection connection = connect(settings);
                Statement statement = connection.createStatement()) {
            if (!settings.database().isEmpty()) {
                statement.execute("use `" + settings.database().replace("`", "``") + "`");
            }
            for (String query : settings.sessionQueries()) {
                statement.execute(query);
            }
            return JdbcSplits.of(connection, settings.query(), count);
        }
    }

    private static Connection connect(InputSettings settings) throws SQLException, IOException {
        boolean hive = settings.url().startsWith("jdbc:hive2:");
        if (hive) {
            load();
        }
        try {
            // Without a user, that of the address counts.
            return settings.user().isEmpty()
                    ? DriverManager.getConnection(settings.url())
                    : DriverManager.getConnection(settings.url(), settings.user(), settings.password());
        } catch (SQLException e) {
            if (hive && !isLoaded(settings.url())) {
                throw new IOException(
                        "there is no JDBC driver for jdbc:hive2: on the class path; add hive-jdbc and what it needs, or"
                                + " set " + InputSettings.URL + " to grpc+tcp://host:port, where the server has"
                                + " Flight SQL (skep.flight.port)",
                        e);
            }
            throw e;
        }
    }

    /** Class loaders of tasks hide drivers from their discovery. */
    private static void load() {
        try {
            Class.forName(HIVE_DRIVER);
        } catch (ClassNotFoundException e) {
            System.getLogger(LlapSplits.class.getName())
                    .log(System.Logger.Level.DEBUG, "another driver may be there", e);
        }
    }

    private static boolean isLoaded(String url) {
        try {
            return DriverManager.getDriver(url) != null;
        } catch (SQLException e) {
            return false;
        }
    }

    private static QuerySplits overFlight(InputSettings settings) throws IOException {
        boolean elsewhere =
                !settings.database().isEmpty() && !settings.database().equalsIgnoreCase("default");
        if (elsewhere || !settings.sessionQueries().isEmpty()) {
            throw new IOException("another database than default and " + InputSettings.SESSION_QUERIES
                    + " need a JDBC URL in " + InputSettings.URL + ": Flight SQL has no sessions");
        }
        URI server;
        try {
            server = URI.create(settings.url());
        } catch (IllegalArgumentException e) {
            throw new IOException(InputSettings.URL + " is neither a JDBC URL nor grpc+tcp://host:port", e);
        }
        Optional<Login> login = settings.user().isEmpty()
                ? Optional.empty()
                : Optional.of(new Login(settings.user(), settings.password()));
        try (BufferAllocator memory = new RootAllocator(MEMORY)) {
            return FlightSplits.of(new ExternalReader(memory, settings.trust()), server, login, settings.query());
        }
    }
}
