package io.skep.bench;

import java.nio.file.Path;
import java.util.List;

/** External tables over the files of demo/data, which DuckDB, pyarrow and people wrote. See the README there. */
public final class RealFiles {
    /** Flights, their delays, and bird strikes, for each month of 2001. */
    public static final String QUERY = """
            SELECT f.month, f.flights, f.late, s.strikes, s.worst
            FROM (SELECT month(`date`) AS month, count(*) AS flights, round(avg(delay), 2) AS late
                  FROM flights GROUP BY month(`date`)) f
            JOIN (SELECT month(flight_date) AS month, count(*) AS strikes, max(cost_total) AS worst
                  FROM birdstrikes WHERE year(flight_date) = 2001 GROUP BY month(flight_date)) s
            ON f.month = s.month
            ORDER BY f.month""";

    private static final String CSV =
            " ROW FORMAT SERDE 'org.apache.hadoop.hive.serde2.OpenCSVSerde' STORED AS TEXTFILE";
    private static final String JSON = " ROW FORMAT SERDE 'org.apache.hive.hcatalog.data.JsonSerDe' STORED AS TEXTFILE";
    private static final String HEADER = " TBLPROPERTIES ('skip.header.line.count' = '1')";
    private static final String FLIGHTS =
            " (`date` timestamp, delay bigint, distance bigint, origin string, destination string)";

    private RealFiles() {}

    /** Returns the statements that create a database with these tables. No data is copied. */
    public static List<String> statements(String database, Path folder) {
        return List.of(
                "CREATE DATABASE IF NOT EXISTS " + database,
                "USE " + database,
                external("flights" + FLIGHTS + " STORED AS PARQUET", folder.resolve("flights")),
                external("flights_orc" + FLIGHTS + " STORED AS ORC", folder.resolve("flights_orc")),
                external(
                        "zipcodes (zip_code string, latitude string, longitude string, city string, state string,"
                                + " county string)" + CSV,
                        folder.resolve("zipcodes"),
                        HEADER),
                external(
                        "strikes_text (airport string, aircraft string, damage string, flight_date string,"
                                + " operator string, state string, phase string, size string, species string,"
                                + " time_of_day string, cost_other string, cost_repair string, cost_total string,"
                                + " speed string)" + CSV,
                        folder.resolve("birdstrikes"),
                        HEADER),
                "CREATE VIEW IF NOT EXISTS birdstrikes AS SELECT airport, aircraft, damage,"
                        + " CAST(flight_date AS date) AS flight_date, state, species,"
                        + " CAST(cost_total AS int) AS cost_total, CAST(speed AS int) AS speed FROM strikes_text",
                external(
                        "movies (title string, us_gross bigint, worldwide_gross bigint, release_date string,"
                                + " major_genre string, director string, imdb_rating double, imdb_votes int)" + JSON,
                        folder.resolve("movies")));
    }

    private static String external(String definition, Path location) {
        return external(definition, location, "");
    }

    private static String external(String definition, Path location, String properties) {
        return "CREATE EXTERNAL TABLE IF NOT EXISTS " + definition + " LOCATION '" + location.toUri() + "'"
                + properties;
    }
}
