package io.skep.itests.tpch;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.bench.Answer;
import io.skep.bench.TpchTables;
import io.skep.itests.client.ReleasedClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** TPC-H in the database {@code tpch} of a server, queried through the released driver, and DuckDB's answers. */
public final class TpchSuite implements AutoCloseable {
    private static final double SCALE = 0.01;

    private final double scale;
    private final String url;
    private final ReleasedClient client;
    private final Map<Integer, Answer> expected = new HashMap<>();

    private TpchSuite(double scale, String url, ReleasedClient client) {
        this.scale = scale;
        this.url = url;
        this.client = client;
    }

    /**
     * Loads the tables at scale 0.01.
     *
     * @param folder the folder for the rows as text, which the server can read
     */
    public static TpchSuite load(String url, Path folder)
            throws IOException, SQLException, ReflectiveOperationException {
        return load(url, folder, SCALE);
    }

    /** @param scale the scale factor; 1 means 6 million line items */
    public static TpchSuite load(String url, Path folder, double scale)
            throws IOException, SQLException, ReflectiveOperationException {
        TpchSuite suite = new TpchSuite(scale, url, ReleasedClient.open());
        try (Connection connection = suite.client.connect(url);
                Statement statement = connection.createStatement();
                Connection peer = DriverManager.getConnection("jdbc:duckdb:")) {
            statement.execute("CREATE DATABASE tpch");
            for (var table : TpchTables.COLUMNS.entrySet()) {
                Path file =
                        Files.createDirectories(folder.resolve(table.getKey())).resolve("rows");
                TpchTables.write(table.getKey(), scale, file);
                loadOrc(statement, table.getKey(), table.getValue(), file);
                loadPeer(peer, table.getKey(), table.getValue(), file);
            }
            for (int query = 1; query <= TpchTables.QUERIES; query++) {
                suite.expected.put(query, ask(peer, TpchTables.query(query, scale)));
            }
        }
        return suite;
    }

    private static void loadOrc(Statement statement, String table, String columns, Path file) throws SQLException {
        statement.execute("CREATE EXTERNAL TABLE tpch." + table + "_text (" + columns
                + ") ROW FORMAT DELIMITED FIELDS TERMINATED BY '|' STORED AS TEXTFILE LOCATION 'file:"
                + file.getParent() + "'");
        statement.execute("CREATE TABLE tpch." + table + " STORED AS ORC AS SELECT * FROM tpch." + table + "_text");
        statement.execute("DROP TABLE tpch." + table + "_text");
        statement.execute("ANALYZE TABLE tpch." + table + " COMPUTE STATISTICS FOR COLUMNS");
    }

    private static void loadPeer(Connection peer, String table, String columns, Path file) throws SQLException {
        try (Statement statement = peer.createStatement()) {
            statement.execute("CREATE TABLE " + table + " (" + columns + ")");
            statement.execute("COPY " + table + " FROM '" + file + "' (DELIMITER '|', HEADER false, QUOTE '')");
        }
    }

    private static Answer ask(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            return Answer.of(result);
        }
    }

    /** Returns each query in each mode. A mode is a list of settings. */
    public static Stream<Arguments> runs(List<List<String>> modes) {
        return modes.stream()
                .flatMap(mode ->
                        IntStream.rangeClosed(1, TpchTables.QUERIES).mapToObj(query -> Arguments.of(query, mode)));
    }

    public void check(int query, List<String> mode) throws IOException, SQLException {
        try (Connection connection = connect(url)) {
            try (Statement statement = connection.createStatement()) {
                for (String setting : mode) {
                    statement.execute("SET " + setting);
                }
            }
            assertThat(difference(query, connection)).as("q%d", query).isEmpty();
        }
    }

    /** Opens a session of any server with these tables. */
    public Connection connect(String server) throws SQLException {
        return client.connect(server.replaceAll("/default\\b", "/tpch"));
    }

    /** Runs a query and describes how its answer differs from DuckDB's. */
    public Optional<String> difference(int query, Connection connection) throws IOException, SQLException {
        return ask(connection, TpchTables.query(query, scale)).difference(Objects.requireNonNull(expected.get(query)));
    }

    public void drop() throws SQLException {
        try (Connection connection = client.connect(url);
                Statement statement = connection.createStatement()) {
            statement.execute("DROP DATABASE tpch CASCADE");
        }
    }

    /** Closes the client. Callers must close connections first; the tables stay. */
    @Override
    public void close() throws IOException {
        client.close();
    }
}
