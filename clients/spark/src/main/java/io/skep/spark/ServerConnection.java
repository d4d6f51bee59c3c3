package io.skep.spark;

import io.skep.reader.ExternalWrite;
import io.skep.reader.JdbcSplits;
import io.skep.reader.QuerySplits;
import io.skep.spark.TableWrite.HiveColumn;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** A session with a server, over JDBC. It asks what the session's user may see. Only Spark's driver has one. */
final class ServerConnection implements AutoCloseable {
    /** The first estimate of a printed plan is that of its result. */
    private static final Pattern ROWS = Pattern.compile("(?m); rows=(\\d{1,18})$");

    private final Connection connection;
    private final SkepOptions options;

    private ServerConnection(Connection connection, SkepOptions options) {
        this.connection = connection;
        this.options = options;
    }

    /**
     * Connects and logs in.
     *
     * @throws ServerException when the server refuses
     * @throws IllegalArgumentException when there is no such driver, or the URL is not one of it
     */
    static ServerConnection open(SkepOptions options) {
        Properties login = new Properties();
        options.user().ifPresent(user -> login.put("user", user));
        options.password().ifPresent(password -> login.put("password", password));
        try {
            @Nullable Connection connection = driver(options.driver()).connect(options.url(), login);
            if (connection == null) {
                throw new IllegalArgumentException(
                        "Skep: the option url is not one of the driver, such as jdbc:hive2://host:10000");
            }
            return new ServerConnection(connection, options);
        } catch (SQLException e) {
            throw ServerException.of(e, options);
        }
    }

    private static Driver driver(String name) {
        ClassLoader given = Thread.currentThread().getContextClassLoader();
        try {
            return Class.forName(name, true, given == null ? ServerConnection.class.getClassLoader() : given)
                    .asSubclass(Driver.class)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
            throw new IllegalArgumentException(
                    "Skep: the JDBC driver " + name
                            + " cannot be loaded; Apache's releases of Spark have Hive's driver,"
                            + " for others add one with --jars, such as hive-jdbc-4.0.1-standalone.jar",
                    e);
        }
    }

    private interface Rows<T> {
        T read(ResultSet rows) throws SQLException;
    }

    private <T> T ask(String text, Rows<T> reader) {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(text)) {
            return reader.read(rows);
        } catch (SQLException e) {
            throw ServerException.of(e, options);
        }
    }

    private List<String> firstColumn(String text) {
        return ask(text, rows -> {
            List<String> values = new ArrayList<>();
            while (rows.next()) {
                values.add(rows.getString(1));
            }
            return values;
        });
    }

    /** Returns the columns of a source, with Hive's types. */
    StructType columns(Source source) {
        if (source instanceof Source.OfTable table) {
            return types(described(table.name()));
        }
        return distinct(
                ColumnTypes.of(splits(((Source.OfQuery) source).text(), 0).schema()));
    }

    private static StructType distinct(StructType columns) {
        Set<String> names = new HashSet<>();
        for (String name : columns.fieldNames()) {
            if (!names.add(name)) {
                throw new IllegalArgumentException(
                        "Skep: the query has two columns " + name + "; name one of them otherwise with AS");
            }
        }
        return columns;
    }

    /** Returns the columns of a table, also to a user who may read only some of them. */
    List<HiveColumn> described(TableName table) {
        return ask("DESCRIBE " + table.sql(), rows -> {
            List<HiveColumn> columns = new ArrayList<>();
            boolean repeated = false;
            while (rows.next()) {
                @Nullable String name = rows.getString(1);
                // After an empty line the partition columns are listed a second time.
                if (name == null || name.isBlank()) {
                    repeated = true;
                } else if (repeated) {
                    String known = name.strip();
                    columns.replaceAll(column -> column.name().equals(known) ? column.asPartition() : column);
                } else {
                    columns.add(new HiveColumn(name.strip(), rows.getString(2).strip(), false));
                }
            }
            return columns;
        });
    }

    /** Returns the columns with Spark's types. */
    static StructType types(List<HiveColumn> columns) {
        return new StructType(columns.stream()
                .map(column -> {
                    StructField field = ColumnTypes.described(column.name(), column.type());
                    return column.isPartition() ? ColumnTypes.ofPartitions(field) : field;
                })
                .toArray(StructField[]::new));
    }

    /** Runs a statement whose rows, if there are any, do not matter. */
    void run(String text) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(text);
        } catch (SQLException e) {
            throw ServerException.of(e, options);
        }
    }

    /** Asks for a ticket. Its statement stays open, so that the session does not count as idle. */
    ExternalWrite writeTicket(String text) {
        try {
            Statement statement = connection.createStatement();
            ResultSet rows = statement.executeQuery(text);
            if (rows.next() && rows.getObject(1) instanceof byte[] access) {
                return ExternalWrite.decode(access);
            }
            throw new IllegalStateException("Skep: the server has given no ticket for writing");
        } catch (SQLException e) {
            throw ServerException.of(e, options);
        }
    }

    QuerySplits splits(String query, int count) {
        try {
            return JdbcSplits.of(connection, query, count);
        } catch (SQLException e) {
            throw ServerException.of(e, options);
        }
    }

    /** Returns how many rows the server expects a query to have; empty when it does not say. */
    OptionalLong estimatedRows(String query) {
        Matcher rows = ROWS.matcher(String.join("\n", firstColumn("EXPLAIN " + query)));
        return rows.find() ? OptionalLong.of(Long.parseLong(rows.group(1))) : OptionalLong.empty();
    }

    List<String> databases() {
        return firstColumn("SHOW DATABASES");
    }

    List<String> tables(String database) {
        return firstColumn("SHOW TABLES IN " + SqlText.name(database));
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            System.getLogger(ServerConnection.class.getName())
                    .log(System.Logger.Level.DEBUG, "The session could not be closed: {0}", e.getClass());
        }
    }
}
