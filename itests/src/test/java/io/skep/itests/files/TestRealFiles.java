package io.skep.itests.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.bench.Answer;
import io.skep.bench.RealFiles;
import io.skep.itests.client.ReleasedClient;
import io.skep.itests.server.SharedServer;
import io.skep.itests.server.TestServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** External tables directly over the files of demo/data return what DuckDB returns for the same files. */
@ExtendWith(SharedServer.class)
final class TestRealFiles {
    private static final Path FOLDER =
            Path.of(Objects.requireNonNull(System.getProperty("skep.home"), "skep.home is not set"), "demo/data");

    private static final String[] ORC_FACTS = {
        "12684", "68201", "9279243", "2001-04-01 05:28:00.0", "2001-06-30 23:46:00.0", "213"
    };

    private static final List<String> SAME = List.of(
            "SELECT count(*), sum(delay), sum(distance), count(DISTINCT origin) FROM flights",
            "SELECT origin, count(*), avg(delay), max(distance) FROM flights GROUP BY origin",
            "SELECT destination, delay FROM flights WHERE origin = 'SFO' AND delay > 100",
            "SELECT a.origin, count(*), min(b.delay) FROM flights a JOIN flights b ON a.origin = b.destination"
                    + " AND a.destination = b.origin AND a.delay = b.delay GROUP BY a.origin",
            "SELECT state, count(*), min(zip_code), max(city) FROM zipcodes GROUP BY state",
            "SELECT z.county, count(*) FROM zipcodes z WHERE z.city IN (SELECT city FROM zipcodes WHERE state = 'NY')"
                    + " GROUP BY z.county HAVING count(*) > 20",
            "SELECT species, count(*), sum(cost_total), max(speed) FROM birdstrikes GROUP BY species",
            "SELECT major_genre, count(*), sum(us_gross), avg(imdb_rating), max(imdb_votes) FROM movies GROUP BY"
                    + " major_genre",
            "SELECT director, title, imdb_rating, rank() OVER (PARTITION BY director ORDER BY imdb_rating DESC) FROM"
                    + " movies WHERE director LIKE 'S%' AND imdb_rating IS NOT NULL",
            RealFiles.QUERY);

    @Test
    void answersAsDuckDbDoes(TestServer server) throws Exception {
        try (ReleasedClient client = ReleasedClient.open();
                Connection connection = client.connect(server.jdbcUrl());
                Statement skep = connection.createStatement();
                Connection peer = DriverManager.getConnection("jdbc:duckdb:");
                Statement duck = peer.createStatement()) {
            try {
                for (String sql : RealFiles.statements("real_files", FOLDER)) {
                    skep.execute(sql);
                }
                peerTables(duck);
                for (String sql : SAME) {
                    assertSame(skep, sql, duck);
                }
                arrowOrc(skep);
                partitionsAndBack(skep, duck);
            } finally {
                skep.execute("DROP DATABASE IF EXISTS real_files CASCADE");
            }
        }
    }

    private static void peerTables(Statement duck) throws SQLException {
        duck.execute("CREATE VIEW flights AS SELECT * FROM read_parquet('" + FOLDER + "/flights/*.parquet')");
        duck.execute("CREATE VIEW zipcodes AS SELECT * FROM read_csv('" + FOLDER
                + "/zipcodes/zipcodes.csv', all_varchar = true, header = true)");
        duck.execute("CREATE VIEW birdstrikes AS SELECT \"Wildlife Species\" AS species, \"Flight Date\"::date AS"
                + " flight_date, TRY_CAST(\"Cost Total $\" AS INT) AS cost_total,"
                + " TRY_CAST(\"Speed IAS in knots\" AS INT) AS speed FROM read_csv('" + FOLDER
                + "/birdstrikes/birdstrikes.csv', all_varchar = true, header = true)");
        duck.execute("CREATE VIEW movies AS SELECT * FROM read_json('" + FOLDER
                + "/movies/movies.jsonl', format = 'newline_delimited', columns = {title: 'VARCHAR',"
                + " us_gross: 'BIGINT', major_genre: 'VARCHAR', director: 'VARCHAR', imdb_rating:"
                + " 'DOUBLE', imdb_votes: 'INT'})");
    }

    /**
     * Compares aggregates with those that were taken from the rows before pyarrow wrote them, because DuckDB does not
     * read ORC.
     */
    private static void arrowOrc(Statement skep) throws SQLException {
        assertThat(rows(
                        skep,
                        "SELECT count(*), sum(delay), sum(distance), min(`date`), max(`date`),"
                                + " count(DISTINCT origin) FROM flights_orc"))
                .containsExactly(List.of(ORC_FACTS));
    }

    private static void partitionsAndBack(Statement skep, Statement duck) throws SQLException {
        skep.execute("SET hive.exec.dynamic.partition.mode=nonstrict");
        skep.execute("CREATE TABLE by_month (delay bigint, distance bigint, origin string, destination string)"
                + " PARTITIONED BY (month int) STORED AS ORC");
        skep.execute("INSERT INTO by_month PARTITION (month) SELECT delay, distance, origin, destination,"
                + " month(`date`) FROM flights");
        skep.execute("INSERT INTO by_month PARTITION (month = 99) SELECT delay, distance, origin, destination FROM"
                + " flights_orc");
        duck.execute("CREATE VIEW by_month AS SELECT *, month(date) AS month FROM flights");
        assertSame(
                skep,
                "SELECT month, count(*), sum(delay), avg(distance) FROM by_month WHERE month < 99 GROUP BY month",
                duck);
        assertSame(skep, "SELECT origin, count(*) FROM by_month WHERE month = 2 AND delay < 0 GROUP BY origin", duck);
        assertThat(rows(skep, "SELECT count(*), sum(delay) FROM by_month WHERE month = 99"))
                .containsExactly(List.of(ORC_FACTS[0], ORC_FACTS[1]));
    }

    private static void assertSame(Statement skep, String sql, Statement duck) throws SQLException {
        Answer wanted = new Answer(rows(duck, sql.replace('`', '"')));
        assertThat(wanted.rows()).as(sql).isNotEmpty();
        assertThat(new Answer(rows(skep, sql)).difference(wanted)).as(sql).isEmpty();
    }

    private static List<List<String>> rows(Statement statement, String sql) throws SQLException {
        List<List<String>> rows = new ArrayList<>();
        try (ResultSet result = statement.executeQuery(sql)) {
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 1; i <= columns; i++) {
                    row.add(String.valueOf(result.getObject(i)));
                }
                rows.add(row);
            }
        }
        return rows;
    }
}
