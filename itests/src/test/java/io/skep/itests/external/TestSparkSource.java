package io.skep.itests.external;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.server.SparkProcess;
import java.io.IOException;
import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A real Spark reads through skep-spark.jar what its user may see, beside JDBC. */
@ExtendWith(SharedSpark.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
final class TestSparkSource {
    private SparkSite site;
    private SparkProcess spark;
    private Connection ann;

    @BeforeAll
    void open(SparkSite shared) throws Exception {
        site = shared;
        spark = site.spark();
        ann = site.connect("ann");
        site.run(
                "create table kinds (b boolean, t tinyint, s smallint, i int, l bigint, f float, d double, x string,"
                        + " v varchar(5), c char(4), y binary, dt date, ts timestamp, p decimal(10,2), q decimal(30,5),"
                        + " a array<int>, st struct<k:int,w:string>, m map<string,bigint>) stored as orc",
                "insert into kinds select true, 1Y, 2S, 3, 4L, 0.5, 1.5D, 'text', 'var', 'ch', cast('bin' as binary),"
                        + " date '2020-02-29', timestamp '1999-12-31 23:59:59.123456', 12.34,"
                        + " 1234567890123456789.12345, array(1, 2), named_struct('k', 7, 'w', 'seven'), map('a', 1L)"
                        + " union all select null, null, null, null, null, null, null, null, null, null, null, null,"
                        + " null, null, null, null, null, null"
                        + " union all select false, -1Y, -2S, -3, -4L, -0.5, -1.5D, '', 'ÄÖ', 'é', cast('' as binary),"
                        + " date '0001-01-01', timestamp '1900-01-01 00:00:00', -0.01, -0.00001,"
                        + " array(cast(null as int)), named_struct('k', -7, 'w', ''), map('b', cast(null as bigint))",
                "create table many (n bigint, part int, w string) stored as orc",
                "insert into many select pos, cast(pos % 7 as int), concat('w', cast(pos as string))"
                        + " from (select posexplode(split(space(29999), ' ')) as (pos, e)) s",
                "create table own (a int, b string) stored as orc",
                "insert into own values (1, 'x')",
                "create view few as select n, w from many where n < 10",
                "grant select (a) on table own to user ann",
                "grant select on table many to user ann",
                "grant select on table kinds to user ann",
                "grant select on table few to user ann");
    }

    @AfterAll
    void close() throws Exception {
        ann.close();
    }

    @Test
    void rowsOfAllTypesAreThoseOfJdbc() throws Exception {
        String plain = "b, t, s, i, l, f, d, x, v, c, y, dt, ts, p, q";
        site.read("k", "table", "default.kinds");
        assertThat(spark.run("SELECT " + plain + " FROM k"))
                .containsExactlyInAnyOrderElementsOf(SparkSite.byJdbc(ann, "select " + plain + " from kinds"));
        assertThat(spark.run("SELECT to_json(a), to_json(st), to_json(m, map('ignoreNullFields', 'false')) FROM k"))
                .containsExactlyInAnyOrderElementsOf(SparkSite.byJdbc(ann, "select a, st, m from kinds"));
        site.read("q", "query", "select part, count(*) as c, max(n) as m from many group by part order by part");
        assertThat(spark.run("SELECT * FROM q"))
                .isEqualTo(
                        SparkSite.byJdbc(ann, "select part, count(*), max(n) from many group by part order by part"));
    }

    @Test
    void typesAreThoseOfSparksHiveTables() throws Exception {
        assertThat(spark.run("DESCRIBE skep.default.kinds"))
                .contains("v\tvarchar(5)\tnull", "c\tchar(4)\tnull", "ts\ttimestamp\tnull", "p\tdecimal(10,2)\tnull")
                .contains("a\tarray<int>\tnull", "st\tstruct<k:int,w:string>\tnull", "m\tmap<string,bigint>\tnull");
        site.read("texts", "query", "select c, x from kinds");
        assertThat(plan("SELECT x FROM texts WHERE c = 'ch'")).contains("readSidePadding");
        assertThat(spark.run("SELECT x FROM texts WHERE c = 'ch'")).containsExactly("text");
    }

    @Test
    void partsAreReadSideBySide() throws Exception {
        for (int part = 0; part < 4; part++) {
            site.run(
                    "create table if not exists parts (n int) stored as orc",
                    "insert into parts values (" + part + ")");
        }
        site.run("grant select on table parts to user ann");
        site.read("p", "table", "parts\tnumPartitions=4");
        assertThat(spark.run("SELECT count(DISTINCT p), count(DISTINCT n), count(*) FROM"
                        + " (SELECT spark_partition_id() AS p, n FROM p)"))
                .containsExactly("4\t4\t4");
        site.read("p", "table", "parts\tnumPartitions=1");
        assertThat(spark.run("SELECT count(DISTINCT p), count(*) FROM (SELECT spark_partition_id() AS p FROM p)"))
                .containsExactly("1\t4");
    }

    @Test
    void theServerGetsColumnsPredicatesLimitsAndAggregates() throws Exception {
        assertThat(plan("SELECT w FROM skep.default.many WHERE n = 5 OR part IN (1, 2)"))
                .contains("Skep SELECT `w` FROM `default`.`many` WHERE ((`n` = 5L) OR (`part` IN (1, 2)))")
                .doesNotContain("Filter ");
        assertThat(plan("SELECT part, count(*), sum(part) FROM skep.default.many GROUP BY part"))
                .contains("GROUP BY `part`")
                .doesNotContain("HashAggregate");
        assertThat(plan("SELECT * FROM skep.default.many LIMIT 5")).contains("`many` LIMIT 5");
        assertThat(plan("SELECT * FROM skep.default.many LIMIT 20000")).doesNotContain("`many` LIMIT");
        assertThat(plan("SELECT part % 2, count(*) FROM skep.default.many GROUP BY part % 2"))
                .contains("Skep SELECT `part` FROM `default`.`many`")
                .contains("HashAggregate");
        assertThat(spark.run("SELECT count(*) FROM (SELECT * FROM skep.default.many LIMIT 5)"))
                .containsExactly("5");
        assertThat(spark.run("SELECT count(*) FROM (SELECT * FROM skep.default.many LIMIT 20000)"))
                .containsExactly("20000");
        // Only the number of rows.
        assertThat(spark.run("SELECT count(r) FROM (SELECT rand() AS r FROM skep.default.many WHERE n < 17)"))
                .containsExactly("17");
    }

    private String plan(String query) throws IOException {
        return String.join("\n", spark.run("EXPLAIN " + query));
    }

    @Test
    void estimatesOfTheServerDecideAboutJoins() throws Exception {
        assertThat(String.join("", spark.run("EXPLAIN COST SELECT * FROM skep.default.many")))
                .contains("rowCount=3.00E+4");
        assertThat(plan("SELECT * FROM skep.default.many m JOIN skep.default.kinds k ON m.n = k.l"))
                .contains("BroadcastHashJoin");
        assertThat(spark.run("SELECT m.w FROM skep.default.many m JOIN skep.default.kinds k ON m.n = k.l"))
                .containsExactly("w4");
    }

    @Test
    void aColumnThatOneMayNotReadIsAnError() throws Exception {
        assertThat(spark.run("SELECT a FROM skep.default.own")).containsExactly("1");
        assertThat(spark.run("SELECT count(*) FROM skep.default.own WHERE a > 0"))
                .containsExactly("1");
        for (String query :
                List.of("SELECT b", "SELECT *", "SELECT count(b)", "SELECT upper(b)", "SELECT max(a + length(b))")) {
            assertThat(spark.error(query + " FROM skep.default.own"))
                    .as(query)
                    .contains("Permission denied")
                    .contains("default.own.b");
        }
        assertThat(spark.error("SELECT a FROM skep.default.own WHERE b = 'x'")).contains("default.own.b");
        assertThat(site.readError("url=" + site.url() + "\tuser=ann\tpassword=" + SparkSite.PASSWORD
                        + "\tquery=select b from own"))
                .contains("Permission denied");
    }

    /** Neither what is pushed nor what Spark evaluates sees more than the masks. */
    @Test
    void masksAndRowFiltersHold() throws Exception {
        site.run(
                "create table patients (id int, ward string, name string) stored as orc",
                "insert into patients values (1, 'A', 'Ada'), (2, 'B', 'Bob'), (3, 'A', 'Abe')",
                "grant select on table patients to user ann",
                "alter table patients set row filter (ward = 'A' or current_user() = 'root')",
                "alter table patients alter column name set mask"
                        + " (if(current_user() = 'root', name, concat('*', id)))");
        String from = " FROM skep.default.patients";
        assertThat(spark.run("SELECT id, name" + from + " ORDER BY id")).containsExactly("1\t*1", "3\t*3");
        assertThat(spark.run("SELECT id" + from + " WHERE name = 'Ada'")).isEmpty();
        assertThat(spark.run("SELECT id" + from + " WHERE length(name) = 3")).isEmpty();
        assertThat(spark.run("SELECT id" + from + " WHERE name LIKE '*%' ORDER BY id"))
                .containsExactly("1", "3");
        assertThat(spark.run("SELECT count(*), max(name), count(DISTINCT ward)" + from))
                .containsExactly("2\t*3\t1");
        assertThat(spark.run("SELECT id" + from + " WHERE ward = 'B' OR 1 / (id - 2) > 5"))
                .isEmpty();
    }

    @Test
    void theCatalogListsWhatOneMaySee() throws Exception {
        site.run("create database hidden", "create table hidden.t (a int) stored as orc");
        assertThat(spark.run("SHOW NAMESPACES IN skep")).contains("default");
        assertThat(spark.run("SHOW TABLES IN skep.default"))
                .contains("default\tkinds\tfalse", "default\town\tfalse", "default\tfew\tfalse");
        assertThat(spark.run("SHOW TABLES IN skep.hidden")).isEmpty();
        assertThat(spark.run("SELECT w FROM skep.default.few WHERE n = 7")).containsExactly("w7");
        assertThat(spark.error("SELECT * FROM skep.default.nowhere")).contains("TABLE_OR_VIEW_NOT_FOUND");
        assertThat(spark.error("SELECT * FROM skep.nowhere.t")).contains("TABLE_OR_VIEW_NOT_FOUND");
        assertThat(spark.error("SHOW TABLES IN skep.nowhere")).contains("SCHEMA_NOT_FOUND");
    }

    @Test
    void whatChangesSomethingIsRefused() throws Exception {
        for (String statement : List.of(
                "CREATE TABLE skep.default.made (a INT)",
                "CREATE TABLE skep.default.made AS SELECT 1 AS a",
                "DROP TABLE skep.default.own",
                "ALTER TABLE skep.default.own ADD COLUMNS (z INT)",
                "ALTER TABLE skep.default.own RENAME TO default.other",
                "CREATE NAMESPACE skep.made",
                "DROP NAMESPACE skep.default")) {
            assertThat(spark.error(statement)).as(statement).contains("is not supported in catalog skep");
        }
        assertThat(spark.error("INSERT INTO skep.default.own VALUES (1, 'x')"))
                .contains("Permission denied", "INSERT", "default.own");
        assertThat(spark.error("DELETE FROM skep.default.own")).contains("does not support deletes");
    }

    /** Spark shows wall clocks of its session's zone, those that Hive has. */
    @Test
    void timestampsAreWallClocks() throws Exception {
        site.run(
                "create table clocks (id int, ts timestamp, l array<timestamp>) stored as orc",
                "insert into clocks select 1, timestamp '2021-07-01 12:00:00', array(timestamp '2021-01-01 12:00:00')"
                        + " union all select 2, timestamp '2021-03-28 02:30:00', array(cast(null as timestamp))",
                "grant select on table clocks to user ann");
        String query = "SELECT cast(ts AS string), cast(l[0] AS string), unix_seconds(ts) FROM skep.default.clocks"
                + " ORDER BY id";
        assertThat(spark.run(query))
                .containsExactly(
                        "2021-07-01 12:00:00\t2021-01-01 12:00:00\t1625140800",
                        "2021-03-28 02:30:00\tnull\t1616898600");
        spark.run("SET spark.sql.session.timeZone=Europe/Berlin");
        try {
            assertThat(spark.run(query))
                    .containsExactly(
                            "2021-07-01 12:00:00\t2021-01-01 12:00:00\t1625133600",
                            "2021-03-28 03:30:00\tnull\t1616895000");
            assertThat(spark.run("SELECT id FROM skep.default.clocks WHERE ts = TIMESTAMP '2021-03-28 03:30:00'"))
                    .containsExactly("2");
            spark.run("SET spark.sql.timestampType=TIMESTAMP_NTZ");
            assertThat(spark.run("SELECT cast(ts AS string) FROM skep.default.clocks WHERE ts < TIMESTAMP_NTZ"
                            + " '2021-03-28 03:00:00'"))
                    .containsExactly("2021-03-28 02:30:00");
        } finally {
            spark.run("RESET spark.sql.timestampType");
            spark.run("RESET spark.sql.session.timeZone");
        }
    }

    @Test
    void namesOfAnyKindAreQuoted() throws Exception {
        site.run(
                "create table odd (`a``b` int, `sel'ect \"x\" --` string) stored as textfile",
                "insert into odd values (1, 'one'), (2, 'two')",
                "grant select on table odd to user ann");
        assertThat(SparkSite.byJdbc(ann, "select `sel'ect \"x\" --` from odd where `a``b` = 2"))
                .containsExactly("two");
        site.read("odd", "table", "`default`.`odd`");
        assertThat(spark.run("SELECT * FROM odd")).containsExactly("1\tone", "2\ttwo");
        assertThat(spark.run("SELECT `sel'ect \"x\" --` FROM odd WHERE `a``b` = 2"))
                .containsExactly("two");
        assertThat(spark.run("SELECT max(`sel'ect \"x\" --`) FROM odd WHERE `sel'ect \"x\" --` <> 'two'"))
                .containsExactly("one");
        assertThat(site.readError("url=" + site.url() + "\ttable=odd; drop table odd"))
                .contains("is not the name of a table");
    }

    @Test
    void optionsAreChecked() throws Exception {
        String url = "url=" + site.url();
        assertThat(site.readError("table=many")).contains("the option url is missing");
        assertThat(site.readError(url)).contains("one of the options table and query");
        assertThat(site.readError(url + "\ttable=many\tquery=select 1")).contains("one of the options table and query");
        assertThat(site.readError(url + "\ttable=many\tfetchsize=7")).contains("no option fetchsize");
        assertThat(site.readError(url + "\ttable=many\tnumPartitions=many")).contains("numPartitions is 'many'");
        assertThat(site.readError(url + "\ttable=many\tdriver=no.such.Driver")).contains("no.such.Driver", "--jars");
        assertThat(site.readError("url=jdbc:other://x\ttable=many")).contains("is not one of the driver");
        assertThat(site.readError(
                        url + "\tuser=ann\tpassword=" + SparkSite.PASSWORD + "\tquery=select n as a, w as a from many"))
                .contains("two columns a");
    }

    @Test
    void secretsAreNotShown() throws Exception {
        site.read("secret_view", "table", "many");
        assertThat(spark.run("EXPLAIN EXTENDED SELECT * FROM secret_view").toString())
                .contains("Skep SELECT")
                .doesNotContain(SparkSite.PASSWORD);
        assertThat(spark.run("EXPLAIN FORMATTED SELECT * FROM skep.default.many")
                        .toString())
                .doesNotContain(SparkSite.PASSWORD);
        assertThat(site.readError(
                        "url=jdbc:hive2://127.0.0.1:1/default;password=" + SparkSite.PASSWORD + "\ttable=many"))
                .contains("Could not open client transport")
                .doesNotContain(SparkSite.PASSWORD);
        assertThat(site.readError("url=" + site.url() + "\tuser=ann\tpassword=x" + SparkSite.PASSWORD + "\ttable=many"))
                .contains("Error validating the login")
                .doesNotContain(SparkSite.PASSWORD);
        assertThat(site.log()).contains("SparkContext").doesNotContain(SparkSite.PASSWORD);
    }

    @Test
    void changedColumnsAreNoticed() throws Exception {
        site.run(
                "create table changing (a int) stored as orc",
                "insert into changing values (1)",
                "grant select on table changing to user ann");
        site.read("changing", "table", "changing");
        assertThat(spark.run("SELECT a FROM changing")).containsExactly("1");
        site.run("alter table changing change a a bigint");
        assertThat(spark.error("SELECT a FROM changing")).contains("the columns of the table have changed");
    }
}
