package io.skep.itests.random;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.client.ReleasedClient;
import io.skep.itests.server.SharedServer;
import io.skep.itests.server.TestServer;
import io.skep.itests.sql.ExecutionMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Joins a partitioned table, large enough for several tasks, with filtered tables that decide which of its partitions
 * are read. The rows are those of a plan that reads all partitions, in every mode. Through Tez, the query's log says
 * that splits were pruned.
 */
@ExtendWith(SharedServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestPartitionedStars {
    private static final String DATABASE = "partitioned_stars";
    private static final int DAYS = 12;

    /**
     * The first parameter is a month, the second a country. Conditions on the partition keys themselves would prune
     * partitions before the query runs.
     */
    private static final List<String> QUERIES = List.of(
            "select d.month, count(*), sum(s.amount) from sales s join days d on s.day = d.day"
                    + " where d.month = %d group by d.month",
            "select d.name, count(s.item), sum(s.amount) from sales s"
                    + " right join (select * from days where month = %d) d on s.day = d.day group by d.name",
            "select s.day, count(*) from sales s where s.day in (select day from days"
                    + " where month <> %d) group by s.day",
            "select t.country, d.month, sum(s.amount) from sales s join days d on s.day = d.day"
                    + " join towns t on s.town = t.town where d.month = %d and t.country <> '%s'"
                    + " group by t.country, d.month",
            "select s.town, s.total, t.country from (select town, sum(amount) total from sales"
                    + " where day <> %d group by town) s join towns t on s.town = t.town where t.country = '%s'",
            "select count(*), max(a.n) from (select item n, day from sales"
                    + " union all select amount, day from sales where item < 100) a"
                    + " join days d on a.day = d.day where d.month = %d");

    private ReleasedClient client;

    @BeforeAll
    void load(TestServer server) throws Exception {
        client = ReleasedClient.open();
        try (Connection connection = client.connect(server.jdbcUrl());
                Statement statement = connection.createStatement()) {
            for (String sql : List.of(
                    "CREATE DATABASE " + DATABASE,
                    "USE " + DATABASE,
                    "set hive.exec.dynamic.partition.mode=nonstrict",
                    "CREATE TABLE sales (item INT, amount INT) PARTITIONED BY (day INT, town STRING) STORED AS ORC",
                    "INSERT INTO sales PARTITION (day, town) SELECT a.n * 500 + b.n, b.n % 97,"
                            + " if(b.n % 13 = 12, null, b.n % 13), if(a.n % 3 = 2, null, concat('town ', a.n % 3))"
                            + " FROM (SELECT posexplode(split(space(499), ' ')) AS (n, x)) a,"
                            + " (SELECT posexplode(split(space(499), ' ')) AS (n, x)) b",
                    "CREATE TABLE days (day INT, month INT, name STRING) STORED AS ORC",
                    "INSERT INTO days SELECT if(n % 7 = 6, null, n), n % 5, concat('day ', n)"
                            + " FROM (SELECT posexplode(split(space(" + (DAYS + 3) + "), ' ')) AS (n, x)) a",
                    "CREATE TABLE towns (town STRING, country STRING) STORED AS ORC",
                    "INSERT INTO towns VALUES ('town 0', 'a'), ('town 1', 'b'), ('town 7', 'b'), (null, 'c')")) {
                statement.execute(sql);
            }
        }
    }

    @AfterAll
    void drop(TestServer server) throws Exception {
        try (Connection connection = client.connect(server.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute("DROP DATABASE " + DATABASE + " CASCADE");
        }
        client.close();
    }

    @Test
    void readWhatMatches(TestServer server) throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        try (Sessions sessions = Sessions.open(client, server.jdbcUrl(), DATABASE);
                Sessions whole = Sessions.open(client, server.jdbcUrl(), DATABASE)) {
            Connection reading = whole.in(ExecutionMode.DIRECT).connection();
            set(reading, "hive.tez.dynamic.partition.pruning=false");
            set(reading, "hive.tez.dynamic.semijoin.reduction=false");
            for (String form : QUERIES) {
                String query = String.format(Locale.ROOT, form, random.nextInt(5), random.nextBoolean() ? "a" : "b");
                Rows expected = Rows.ask(reading, query);
                for (ExecutionMode mode : ExecutionMode.EVERYWHERE) {
                    Rows rows = Rows.ask(sessions.in(mode).connection(), query);
                    assertThat(rows.difference(expected, false))
                            .as("%s, %s, seed %d", mode, query, seed)
                            .isEmpty();
                }
                assertThat(log(sessions.in(ExecutionMode.TEZ).connection(), query))
                        .as("%s, seed %d", query, seed)
                        .anyMatch(line -> line.matches(".*Splits: \\d+ left out.*"));
            }
        }
    }

    @Test
    void readAllWhenTheyAreToldTo(TestServer server) throws Exception {
        try (Sessions sessions = Sessions.open(client, server.jdbcUrl(), DATABASE)) {
            Connection tez = sessions.in(ExecutionMode.TEZ).connection();
            set(tez, "hive.tez.dynamic.partition.pruning=false");
            assertThat(log(tez, String.format(Locale.ROOT, QUERIES.getFirst(), 1)))
                    .anyMatch(line -> line.contains("Stage 0:"))
                    .noneMatch(line -> line.contains("left out"));
        }
    }

    private static void set(Connection connection, String setting) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("set " + setting);
        }
    }

    /** Returns the part of the query's log that the driver has when it has read the rows. */
    private static List<String> log(Connection connection, String query) throws Exception {
        try (Statement statement = connection.createStatement()) {
            try (var rows = statement.executeQuery(query)) {
                while (rows.next()) {
                    rows.getObject(1);
                }
                List<?> lines =
                        (List<?>) statement.getClass().getMethod("getQueryLog").invoke(statement);
                return lines.stream().map(String::valueOf).toList();
            }
        }
    }
}
