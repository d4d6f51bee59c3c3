package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Spark reads and writes tables of the server through the metastore service, and the server those of Spark. Needs
 * {@code -Dskep.spark=PYTHON}, a Python with pyspark 4 (pip install 'pyspark>=4,<5', 500 MB). Spark uses the client of
 * Hive 2 that it contains; {@code -Dskep.spark.hive=JARS} names the jars of a client of Hive 4.0.1 instead,
 * separated by commas: hive-exec, hive-metastore, guava, commons-lang3, javax.servlet-api, and of Spark's own jars
 * commons-*, antlr-runtime and http*.
 */
@Timeout(300)
@EnabledIfSystemProperty(named = "skep.spark", matches = ".+")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestSparkCatalog {
    private MetastoreSite site;
    private SparkProcess spark;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        site = new MetastoreSite(folder);
        List<String> arguments = new ArrayList<>(List.of(site.warehouse().toString()));
        String jars = System.getProperty("skep.spark.hive", "");
        if (!jars.isEmpty()) {
            arguments.add(jars);
        }
        spark = SparkProcess.start(
                System.getProperty("skep.spark"), site.service().uri(), folder.resolve("spark.log"), arguments);
    }

    @AfterAll
    void stop() throws Exception {
        try {
            spark.close();
        } finally {
            site.close();
        }
    }

    @Test
    void sparkReadsAndWritesATableOfTheServer() throws Exception {
        for (String format : List.of("ORC", "PARQUET", "TEXTFILE")) {
            String name = "of_skep_" + format;
            site.run(
                    "CREATE TABLE " + name + " (a INT, b STRING, c DECIMAL(10,2), d DATE) STORED AS " + format,
                    "INSERT INTO " + name + " VALUES (1, 'one', 1.5, DATE '2020-02-29'), (2, NULL, NULL, NULL)");
            assertThat(spark.run("SELECT * FROM " + name + " ORDER BY a"))
                    .as(format)
                    .containsExactly("1\tone\t1.50\t2020-02-29", "2\tNone\tNone\tNone");
            assertThat(site.rows("SELECT count(*) FROM " + name)).containsExactly("2");
            spark.run("INSERT INTO " + name + " VALUES (3, 'three', 3.25, DATE '1969-12-31')");
            site.awaitRows("SELECT a FROM " + name + " ORDER BY a", "1", "2", "3");
            site.awaitRows("SELECT count(*) FROM " + name, "3");
            site.awaitRows("SELECT max(a) FROM " + name, "3");
            assertThat(site.table("SELECT b, c, d FROM " + name + " WHERE a = 3"))
                    .as(format)
                    .containsExactly(List.of("three", "3.25", "1969-12-31"));
            site.run("INSERT INTO " + name + " VALUES (4, 'four', 4, DATE '2000-01-01')");
            spark.run("REFRESH TABLE " + name);
            assertThat(spark.run("SELECT count(*) FROM " + name)).containsExactly("4");
        }
    }

    @Test
    void sparkReadsAndWritesPartitionsOfTheServer() throws Exception {
        site.run(
                "CREATE TABLE parts (a INT) PARTITIONED BY (k STRING) STORED AS ORC",
                "INSERT INTO parts PARTITION (k = 'x') VALUES (1)",
                "INSERT INTO parts PARTITION (k = 'y z') VALUES (2)");
        assertThat(spark.run("SELECT a FROM parts WHERE k = 'y z'")).containsExactly("2");
        assertThat(spark.run("SHOW PARTITIONS parts")).containsExactly("k=x", "k=y z");
        spark.run("INSERT INTO parts PARTITION (k = 'new') VALUES (3)");
        site.awaitRows("SELECT a FROM parts WHERE k = 'new'", "3");
        spark.run("INSERT OVERWRITE parts PARTITION (k = 'x') VALUES (10)");
        site.awaitRows("SELECT a FROM parts WHERE k = 'x'", "10");
        site.awaitRows("SELECT max(a) FROM parts", "10");
        spark.run("ALTER TABLE parts DROP PARTITION (k = 'y z')");
        site.awaitRows("SELECT k FROM parts ORDER BY k", "new", "x");
    }

    @Test
    void theServerReadsAndWritesTablesOfSpark() throws Exception {
        spark.run("CREATE DATABASE of_spark");
        spark.run("CREATE TABLE of_spark.t (a INT, b STRING) STORED AS PARQUET");
        spark.run("INSERT INTO of_spark.t VALUES (1, 'one'), (2, 'two')");
        site.awaitRows("SELECT b FROM of_spark.t ORDER BY a", "one", "two");
        site.run("INSERT INTO of_spark.t VALUES (3, 'three')");
        spark.run("REFRESH TABLE of_spark.t");
        assertThat(spark.run("SELECT b FROM of_spark.t ORDER BY a")).containsExactly("one", "two", "three");
        // A table of Spark's own kind, which is Hive's as well.
        spark.run("CREATE TABLE of_spark.u USING orc AS SELECT a, b, a * 10 AS c FROM of_spark.t");
        site.awaitRows("SELECT c FROM of_spark.u ORDER BY c", "10", "20", "30");
        spark.run("ALTER TABLE of_spark.u ADD COLUMNS (d INT)");
        site.awaitRows("SELECT count(*) FROM of_spark.u WHERE d IS NULL", "3");
        spark.run("DROP TABLE of_spark.u");
        site.awaitRows("SHOW TABLES IN of_spark", "t");
        site.run("DROP TABLE of_spark.t");
        assertThat(spark.run("SHOW TABLES IN of_spark")).isEmpty();
        spark.run("DROP DATABASE of_spark");
        site.awaitRows("SHOW DATABASES LIKE 'of_spark'");
    }

    /** What Spark keeps in a table's properties must not hinder the server, and the other way around. */
    @Test
    void viewsAndStatisticsAreKept() throws Exception {
        site.run(
                "CREATE TABLE counted (a INT) STORED AS ORC",
                "INSERT INTO counted VALUES (1), (2)",
                "CREATE VIEW small AS SELECT a FROM counted WHERE a < 2");
        assertThat(spark.run("SELECT * FROM small")).containsExactly("1");
        spark.run("ANALYZE TABLE counted COMPUTE STATISTICS FOR ALL COLUMNS");
        site.awaitRows("SELECT max(a) FROM counted", "2");
        site.run("ANALYZE TABLE counted COMPUTE STATISTICS FOR COLUMNS");
        spark.run("REFRESH TABLE counted");
        assertThat(spark.run("SELECT count(*) FROM counted")).containsExactly("2");
    }
}
