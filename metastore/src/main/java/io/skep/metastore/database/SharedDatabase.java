package io.skep.metastore.database;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * A metastore database that the site configured and that several servers may use. An empty PostgreSQL database gets the
 * schema. An existing schema must have this library's version.
 */
public final class SharedDatabase {
    /** The schema version that Hive 4.0's library supports. */
    static final String SCHEMA_VERSION = "4.0.0";

    /** The SQLSTATE with which Derby reports that another process has opened the database. */
    private static final String DERBY_IN_USE = "XSDB6";

    private static final String POSTGRES_SCRIPT = "postgres-schema.sql";

    /**
     * An arbitrary lock number that no other application uses. Servers that start together create the schema one after
     * the other.
     */
    private static final long SCHEMA_LOCK = 0x534b_4550_4d53L;

    private SharedDatabase() {}

    /**
     * Prepares the database. Fails with METASTORE_ERROR when it cannot be reached or has a schema of another version.
     */
    public static void prepare(String url, Optional<String> user, Optional<String> password) {
        try (Connection connection = connect(url, user, password)) {
            if (isPostgres(url)) {
                preparePostgres(connection);
            }
            checkVersion(connection);
        } catch (SQLException e) {
            throw failure(url, e);
        }
    }

    static Connection connect(String url, Optional<String> user, Optional<String> password) throws SQLException {
        Properties properties = new Properties();
        user.ifPresent(value -> properties.setProperty("user", value));
        password.ifPresent(value -> properties.setProperty("password", value));
        return DriverManager.getConnection(url, properties);
    }

    static SkepException failure(String url, SQLException cause) {
        if (DERBY_IN_USE.equals(rootState(cause))) {
            return new SkepException(
                    StandardErrorCode.DATA_DIRECTORY_IN_USE,
                    "the metastore database " + withoutParameters(url) + " is in use by another process",
                    cause);
        }
        return new SkepException(
                StandardErrorCode.METASTORE_ERROR,
                "cannot use the metastore database " + withoutParameters(url) + ": " + cause.getMessage(),
                cause);
    }

    private static @Nullable String rootState(SQLException failure) {
        SQLException root = failure;
        while (root.getNextException() != null) {
            root = root.getNextException();
        }
        return root.getSQLState();
    }

    static boolean isPostgres(String url) {
        return url.startsWith("jdbc:postgresql:");
    }

    /** Parameters may contain a password. */
    private static String withoutParameters(String url) {
        int end = url.indexOf('?');
        return end < 0 ? url : url.substring(0, end);
    }

    private static void preparePostgres(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_advisory_xact_lock(" + SCHEMA_LOCK + ")");
        }
        if (!hasSchema(connection)) {
            SqlScript.parse(script()).run(connection);
        }
        connection.commit();
        // The script sets session parameters, so they are reset. The connection is used only for the version check
        // after this.
        try (Statement statement = connection.createStatement()) {
            statement.execute("RESET ALL");
        }
        connection.commit();
    }

    static boolean hasSchema(Connection connection) throws SQLException {
        DatabaseMetaData metadata = connection.getMetaData();
        try (ResultSet tables = metadata.getTables(
                connection.getCatalog(), connection.getSchema(), "VERSION", new String[] {"TABLE"})) {
            return tables.next();
        }
    }

    private static String script() {
        try (InputStream script = SharedDatabase.class.getResourceAsStream(POSTGRES_SCRIPT)) {
            if (script == null) {
                throw new IOException(POSTGRES_SCRIPT + " is not on the class path; build the metastore module");
            }
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void checkVersion(Connection connection) throws SQLException {
        String version = version(connection);
        if (!SCHEMA_VERSION.equals(version)) {
            throw new SkepException(
                            StandardErrorCode.METASTORE_ERROR,
                            "the metastore database has schema version " + version + "; this server works on "
                                    + SCHEMA_VERSION)
                    .withHint("upgrade the schema with Hive's schematool");
        }
    }

    static String version(Connection connection) throws SQLException {
        String quote = connection.getMetaData().getIdentifierQuoteString();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT " + quote + "SCHEMA_VERSION" + quote + " FROM " + quote + "VERSION" + quote)) {
            return rows.next() ? rows.getString(1) : "unknown";
        }
    }
}
