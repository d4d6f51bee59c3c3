package io.skep.metastore.database;

import io.skep.common.error.SkepException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;

/**
 * The state of a metastore database, read without changing it.
 *
 * @param product name and version of the database system
 * @param schemaVersion absent when there is no schema
 * @param makesSchema whether a server's start creates a missing schema
 * @param roundTrip duration of one small query
 * @param clock absent when the database does not return its time with a zone
 */
public record DatabaseState(
        String product,
        Optional<String> schemaVersion,
        boolean makesSchema,
        Duration roundTrip,
        Optional<DatabaseClock> clock) {
    /** The schema version that a server supports. */
    public static final String SCHEMA_VERSION = SharedDatabase.SCHEMA_VERSION;

    /** The database's time, read between two times of this machine's clock. */
    public record DatabaseClock(Instant before, Instant databases, Instant after) {}

    /** @throws SkepException METASTORE_ERROR when the database cannot be reached */
    public static DatabaseState of(String url, Optional<String> user, Optional<String> password) {
        try (Connection connection = SharedDatabase.connect(url, user, password)) {
            Optional<String> version = SharedDatabase.hasSchema(connection)
                    ? Optional.of(SharedDatabase.version(connection))
                    : Optional.empty();
            Instant before = Instant.now();
            Optional<Instant> time = SharedDatabase.isPostgres(url) ? time(connection) : Optional.empty();
            Instant after = Instant.now();
            return new DatabaseState(
                    connection.getMetaData().getDatabaseProductName() + " "
                            + connection.getMetaData().getDatabaseProductVersion(),
                    version,
                    SharedDatabase.isPostgres(url),
                    roundTrip(connection),
                    time.map(database -> new DatabaseClock(before, database, after)));
        } catch (SQLException e) {
            throw SharedDatabase.failure(url, e);
        }
    }

    /** Whether a server can use the database as it is. */
    public boolean isSupported() {
        return schemaVersion.equals(Optional.of(SCHEMA_VERSION));
    }

    private static Optional<Instant> time(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT clock_timestamp()")) {
            return rows.next()
                    ? Optional.of(rows.getObject(1, OffsetDateTime.class).toInstant())
                    : Optional.empty();
        }
    }

    private static Duration roundTrip(Connection connection) throws SQLException {
        long start = System.nanoTime();
        boolean answered = connection.isValid(0);
        if (!answered) {
            throw new SQLException("the connection was closed");
        }
        return Duration.ofNanos(System.nanoTime() - start);
    }
}
