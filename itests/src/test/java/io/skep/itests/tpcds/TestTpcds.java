package io.skep.itests.tpcds;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.bench.Answer;
import io.skep.bench.TpcdsData;
import io.skep.bench.TpcdsPeer;
import io.skep.bench.TpcdsQuery;
import io.skep.bench.TpcdsTables;
import io.skep.itests.client.ReleasedClient;
import io.skep.itests.server.SharedServer;
import io.skep.itests.server.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the 99 queries at scale 0.01 over plain ORC tables and over transactional tables with deltas, and some of them
 * in other modes. DuckDB provides the expected answers and their order.
 */
@ExtendWith(SharedServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestTpcds {
    private static final double SCALE = 0.01;

    /** The others find no rows in tables of this size. */
    private static final int ANSWERS_WITH_ROWS = 82;

    private static final List<String> MODES =
            List.of("hive.llap.io.enabled=false", "skep.operator.max-memory=65536", "skep.scheduler=tez");

    /** Queries with many joins, set operations, rollups, windows and subqueries. */
    private static final List<Integer> SAMPLE = List.of(5, 14, 23, 35, 51, 67, 72, 78, 95);

    private final Map<Integer, TpcdsQuery> queries = new HashMap<>();
    private final Map<Integer, Answer> expected = new HashMap<>();
    private final Map<String, Answer> tables = new HashMap<>();
    private ReleasedClient client;
    private String url;
    private Path data;

    @BeforeAll
    void load(TestServer server, @TempDir Path folder) throws Exception {
        data = server.data();
        url = server.jdbcUrl();
        client = ReleasedClient.open();
        TpcdsTables.write(SCALE, folder);
        try (TpcdsPeer peer = TpcdsPeer.open("")) {
            peer.load(folder);
            for (int number = 1; number <= TpcdsQuery.QUERIES; number++) {
                TpcdsQuery query = peer.query(number);
                queries.put(number, query);
                expected.put(number, peer.answer(query.forDuckDb()));
            }
            for (String table : TpcdsTables.COLUMNS.keySet()) {
                tables.put(table, peer.answer(figures(table)));
            }
        }
        try (Connection connection = client.connect(url);
                Statement statement = connection.createStatement()) {
            TpcdsData.load(statement, folder);
        }
    }

    @AfterAll
    void drop() throws Exception {
        try (Connection connection = client.connect(url);
                Statement statement = connection.createStatement()) {
            statement.execute("DROP DATABASE " + TpcdsData.ORC + " CASCADE");
            statement.execute("DROP DATABASE " + TpcdsData.TRANSACTIONAL + " CASCADE");
        }
        client.close();
    }

    static Stream<Arguments> runs() {
        return Stream.of(TpcdsData.ORC, TpcdsData.TRANSACTIONAL)
                .flatMap(database ->
                        IntStream.rangeClosed(1, TpcdsQuery.QUERIES).mapToObj(query -> Arguments.of(query, database)));
    }

    static Stream<Arguments> modes() {
        return MODES.stream().flatMap(mode -> SAMPLE.stream().map(query -> Arguments.of(query, mode)));
    }

    @ParameterizedTest(name = "q{0} {1}")
    @MethodSource("runs")
    void answersAsThePeerDoes(int query, String database) throws SQLException {
        check(query, database, "skep.scheduler=direct");
    }

    @ParameterizedTest(name = "q{0} {1}")
    @MethodSource("modes")
    void answersTheSameInOtherModes(int query, String mode) throws SQLException {
        check(query, TpcdsData.TRANSACTIONAL, mode);
    }

    @Test
    void mostAnswersHaveRows() {
        assertThat(expected.values())
                .filteredOn(answer -> !answer.rows().isEmpty())
                .hasSize(ANSWERS_WITH_ROWS);
    }

    @Test
    void bothDatabasesHaveThePeersRows() throws SQLException {
        for (String database : List.of(TpcdsData.ORC, TpcdsData.TRANSACTIONAL)) {
            try (Connection connection = connect(database)) {
                for (String table : TpcdsTables.COLUMNS.keySet()) {
                    assertThat(ask(connection, figures(table)))
                            .as("%s.%s", database, table)
                            .isEqualTo(tables.get(table));
                }
            }
        }
    }

    @Test
    void transactionalTablesHaveDeltasOfInsertionsAndDeletions() throws IOException {
        for (String table : TpcdsTables.COLUMNS.keySet()) {
            List<String> folders = folders(TpcdsData.TRANSACTIONAL + ".db/" + table);
            // Small tables may have no row to correct or to delete.
            assertThat(folders).as(table).anyMatch(name -> name.startsWith("delta_"));
            if (table.matches(".*_(sales|returns)|inventory|customer.*|item|.*_dim")) {
                assertThat(folders)
                        .as(table)
                        .filteredOn(name -> name.startsWith("delete_delta_"))
                        .hasSize(2);
            }
        }
    }

    /** Returns the names of the folders in a table's folder. */
    private List<String> folders(String table) throws IOException {
        try (Stream<Path> folders = Files.walk(data)) {
            return folders.filter(folder ->
                            folder.getParent() != null && folder.getParent().endsWith(table))
                    .map(folder -> folder.getFileName().toString())
                    .toList();
        }
    }

    private static String figures(String table) {
        return "SELECT count(*), sum(" + TpcdsData.key(table) + ") FROM " + table;
    }

    private void check(int query, String database, String setting) throws SQLException {
        String text = Objects.requireNonNull(queries.get(query)).forSkep();
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement()) {
            statement.execute("SET " + setting);
            assertThat(ask(connection, text).differenceInOrder(Objects.requireNonNull(expected.get(query))))
                    .as("q%d", query)
                    .isEmpty();
        }
    }

    private Connection connect(String database) throws SQLException {
        return client.connect(url.replaceAll("/default\\b", "/" + database));
    }

    private static Answer ask(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            return Answer.of(result);
        }
    }
}
