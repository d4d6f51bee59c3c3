package io.skep.itests.random;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.client.ReleasedClient;
import io.skep.itests.server.SharedServer;
import io.skep.itests.server.TestServer;
import io.skep.itests.sql.ExecutionMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs aggregations over a star of tables with skewed keys, NULLs, duplicate keys and missing keys. Their first step is
 * pushed below joins. In every mode the rows are those of DuckDB, or, for queries that DuckDB does not support, those
 * of the plan without the pushdown.
 */
@ExtendWith(SharedServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestStarQueries {
    /** Appears in a plan only if the first step of an aggregation is pushed down. */
    private static final String STEP = "Aggregate (intermediate)";

    private static final String DATABASE = "star_queries";
    private static final int SALES = 30_000;
    private static final int ITEMS = 60;
    private static final int DAYS = 12;

    private ReleasedClient client;
    private Connection peer;

    @BeforeAll
    void load(TestServer server, @TempDir Path folder) throws Exception {
        client = ReleasedClient.open();
        peer = DriverManager.getConnection("jdbc:duckdb:");
        execute(server, "CREATE DATABASE " + DATABASE);
        SplittableRandom random = new SplittableRandom(7);
        try (Sessions sessions = Sessions.open(client, server.jdbcUrl(), DATABASE)) {
            Connection direct = direct(sessions);
            load(
                    direct,
                    folder,
                    "sales",
                    "item INT, day INT, amount INT, price DECIMAL(9,2), ratio DOUBLE, note STRING",
                    sales(random));
            load(direct, folder, "items", "id INT, brand STRING, size INT", items(random));
            load(direct, folder, "days", "day INT, year INT, weekday STRING", days());
        }
    }

    private static Connection direct(Sessions sessions) {
        return sessions.in(ExecutionMode.DIRECT).connection();
    }

    @AfterAll
    void drop(TestServer server) throws Exception {
        execute(server, "DROP DATABASE " + DATABASE + " CASCADE");
        peer.close();
        client.close();
    }

    private void execute(TestServer server, String sql) throws SQLException {
        try (Connection connection = client.connect(server.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void load(Connection direct, Path folder, String table, String columns, List<String> rows)
            throws IOException, SQLException {
        Path own = Files.createDirectories(folder.resolve(table));
        Path file = Files.write(own.resolve("rows"), rows);
        try (Statement hive = direct.createStatement();
                Statement duckdb = peer.createStatement()) {
            hive.execute("CREATE EXTERNAL TABLE " + table + "_text (" + columns
                    + ") ROW FORMAT DELIMITED FIELDS TERMINATED BY '|' STORED AS TEXTFILE LOCATION 'file:" + own + "'");
            hive.execute("CREATE TABLE " + table + " STORED AS ORC AS SELECT * FROM " + table + "_text");
            hive.execute("ANALYZE TABLE " + table + " COMPUTE STATISTICS FOR COLUMNS");
            duckdb.execute("CREATE TABLE " + table + " (" + columns + ")");
            duckdb.execute("COPY " + table + " FROM '" + file
                    + "' (DELIMITER '|', HEADER false, QUOTE '', ESCAPE '', NULLSTR '\\N', AUTO_DETECT false)");
        }
    }

    /** Returns the sales. Half of them are of one in eight items; some items are not in the catalog. */
    private static List<String> sales(SplittableRandom random) {
        List<String> rows = new ArrayList<>();
        for (int i = 0; i < SALES; i++) {
            double share = random.nextDouble();
            rows.add(orNull(random, (int) (share * share * share * (ITEMS + 20))) + "|"
                    + orNull(random, random.nextInt(DAYS)) + "|" + orNull(random, random.nextInt(50) - 10) + "|"
                    + orNull(random, random.nextInt(100) + "." + (10 + random.nextInt(80))) + "|"
                    + orNull(random, random.nextInt(400) / 4.0) + "|" + orNull(random, "n" + random.nextInt(50)));
        }
        return rows;
    }

    private static List<String> items(SplittableRandom random) {
        List<String> rows = new ArrayList<>();
        for (int i = 0; i < ITEMS; i++) {
            int id = i % 50 == 49 ? i - 1 : i;
            rows.add(
                    (i % 60 == 7 ? "\\N" : id) + "|" + orNull(random, "brand " + i % 12) + "|" + orNull(random, i % 5));
        }
        return rows;
    }

    private static List<String> days() {
        List<String> rows = new ArrayList<>();
        for (int i = 0; i < DAYS - 2; i++) {
            rows.add(i + "|" + (2020 + i / 4) + "|" + "weekday " + i % 7);
        }
        return rows;
    }

    private static String orNull(SplittableRandom random, Object value) {
        return random.nextInt(15) == 0 ? "\\N" : value.toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select brand, sum(amount), count(*), count(price), min(price), max(note), sum(ratio)"
                        + " from sales s join items i on s.item = i.id group by brand",
                "select size, avg(amount * 2), sum(price + 1), min(s.day) from items i join sales s on s.item = i.id"
                        + " where brand <> 'brand 3' group by size",
                "select s.day, brand, sum(amount), sum(price) from sales s join items i"
                        + " on s.item = i.id group by s.day, brand",
                "select brand, sum(amount), count(*) from sales s left join items i on s.item = i.id group by brand",
                "select brand, count(*), count(amount) from items i right join sales s on s.item = i.id"
                        + " and s.day > i.size group by brand",
                "select brand, year, sum(amount), count(*) from sales s join items i on s.item = i.id"
                        + " join days d on s.day = d.day group by brand, year",
                "select year, count(*), sum(price) from sales s join items i on s.item = i.id"
                        + " left join days d on s.day = d.day where year is null or year > 2020 group by year",
                "select s.day, sum(amount) from sales s where exists (select 1 from items i"
                        + " where i.id = s.item and size = 2) group by s.day",
                "select s.day, sum(amount) from sales s where not exists (select 1 from items i where i.id = s.item)"
                        + " group by s.day",
                "select count(*), sum(amount), max(price) from sales s join items i on s.item = i.id"
                        + " where brand = 'none'",
                "select count(*), sum(amount), max(price) from sales s join items i on s.item = i.id",
                "select size, count(*) from sales, items group by size",
                "select distinct brand, s.day from sales s join items i on s.item = i.id",
                "select brand, count(distinct amount) from sales s join items i on s.item = i.id group by brand",
                "select brand, s.day, sum(amount), count(*) from sales s join items i on s.item = i.id"
                        + " group by rollup(brand, s.day)",
                "select brand, sum(amount) from sales s join items i on s.item = i.id group by brand"
                        + " having sum(amount) > 20000",
            })
    void hasTheRowsOfThePeer(String query, TestServer server) throws SQLException {
        try (Sessions sessions = Sessions.open(client, server.jdbcUrl(), DATABASE)) {
            compare(sessions, query, Rows.ask(peer, query));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select brand, round(stddev(amount), 6), round(corr(amount, ratio), 6), round(variance(price), 4)"
                        + " from sales s join items i on s.item = i.id group by brand",
                "select brand, size + day % 7, count(1), grouping__id from sales s join items i on s.item = i.id"
                        + " group by brand, size + day % 7 with rollup",
                "select brand, count(*) from sales s join items i on s.item <=> i.id group by brand",
            })
    void hasTheRowsOfTheOtherPlan(String query, TestServer server) throws SQLException {
        try (Sessions sessions = Sessions.open(client, server.jdbcUrl(), DATABASE)) {
            compare(sessions, query, above(direct(sessions), query));
        }
    }

    @Test
    void functionsOfTheUser(TestServer server) throws SQLException {
        String query =
                "select brand, round(own_correlation(amount, ratio), 6) from sales s join items i on s.item = i.id"
                        + " group by brand";
        try (Sessions sessions = Sessions.open(client, server.jdbcUrl(), DATABASE)) {
            Connection direct = direct(sessions);
            try (Statement statement = direct.createStatement()) {
                statement.execute("CREATE TEMPORARY FUNCTION own_correlation AS"
                        + " 'org.apache.hadoop.hive.ql.udf.generic.GenericUDAFCorrelation'");
            }
            Rows expected = above(direct, query);
            assertThat(Rows.ask(direct, query).difference(expected, false)).isEmpty();
            assertThat(plan(direct, query)).contains(STEP);
        }
    }

    private static String plan(Connection connection, String query) throws SQLException {
        return Rows.ask(connection, "explain " + query).toString();
    }

    private static Rows above(Connection direct, String query) throws SQLException {
        try (Statement statement = direct.createStatement()) {
            statement.execute("set hive.transpose.aggr.join=false");
            Rows rows = Rows.ask(direct, query);
            assertThat(plan(direct, query)).doesNotContain(STEP);
            statement.execute("set hive.transpose.aggr.join=true");
            return rows;
        }
    }

    private static void compare(Sessions sessions, String query, Rows expected) throws SQLException {
        assertThat(plan(direct(sessions), query)).contains(STEP);
        for (ExecutionMode mode : ExecutionMode.EVERYWHERE) {
            Rows rows = Rows.ask(sessions.in(mode).connection(), query);
            assertThat(rows.difference(expected, false))
                    .as("%s, %s", mode, query)
                    .isEmpty();
        }
    }
}
