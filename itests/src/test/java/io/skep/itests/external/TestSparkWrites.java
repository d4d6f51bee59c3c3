package io.skep.itests.external;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.server.SparkProcess;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A real Spark writes through skep-spark.jar, and JDBC reads what has arrived. */
@ExtendWith(SharedSpark.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
final class TestSparkWrites {
    private static final String TYPES =
            "b boolean, t tinyint, s smallint, i int, l bigint, f float, d double, x string,"
                    + " v varchar(5), c char(4), y binary, dt date, ts timestamp, p decimal(10,2), q decimal(30,5),"
                    + " a array<int>, st struct<k:int,w:string>, m map<string,bigint>";

    /** Three rows: usual values, nulls, and values at the edges. */
    private static final String ROWS = "VALUES (true, 1Y, 2S, 3, 4L, float(0.5), double(1.5), 'text', 'var', 'ch',"
            + " X'62', DATE '2020-02-29', TIMESTAMP '1999-12-31 23:59:59.123456', 12.34, 1234567890123456789.12345,"
            + " array(1, null), named_struct('k', 7, 'w', 'seven'), map('a', 1L, 'b', null)),"
            + " (null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,"
            + " null), (false, -128Y, -32768S, -2147483648, -9223372036854775808L, float('-Infinity'), double('NaN'),"
            + " '', 'ÄÖ  ', 'é', X'', DATE '0001-01-01', TIMESTAMP '0001-01-01 00:00:00', -99999999.99,"
            + " -9999999999999999999999999.99999, array(), named_struct('k', null, 'w', ''), map())";

    private SparkSite site;
    private SparkProcess spark;
    private Connection ann;

    @BeforeAll
    void open(SparkSite shared) throws SQLException {
        site = shared;
        spark = site.spark();
        ann = site.connect("ann");
    }

    @AfterAll
    void close() throws SQLException {
        ann.close();
    }

    /** Creates a table that ann may read and add rows to. */
    private void create(String name, String rest) throws SQLException {
        site.run("create table " + name + " " + rest, "grant select, insert on table " + name + " to user ann");
    }

    private List<String> byJdbc(String query) throws SQLException {
        return SparkSite.byJdbc(ann, query);
    }

    @Test
    void rowsOfAllTypesArrive() throws Exception {
        create("w_kinds", "(" + TYPES + ") stored as orc");
        create("w_text", "(" + TYPES + ") stored as textfile");
        String types = TYPES.replace("k:int,w:string", "k:int,w:string");
        spark.run("CREATE OR REPLACE TEMPORARY VIEW w_rows AS SELECT * FROM " + ROWS + " AS r ("
                + types.replaceAll("(\\w+) [^,(<]+(\\([^)]*\\)|<[^>]*>)?", "$1") + ")");
        spark.run("INSERT INTO skep.default.w_kinds SELECT * FROM w_rows");
        String plain = "b, t, s, i, l, f, d, x, v, trim(c), y, dt, ts, p, q";
        assertThat(byJdbc("select " + plain + ", a, st, m from w_kinds where i = 3"))
                .containsExactly("true\t1\t2\t3\t4\t0.5\t1.5\ttext\tvar\tch\tb\t2020-02-29\t1999-12-31 23:59:59.123456"
                        + "\t12.34\t1234567890123456789.12345\t[1,null]\t{\"k\":7,\"w\":\"seven\"}"
                        + "\t{\"a\":1,\"b\":null}");
        assertThat(byJdbc("select count(*), count(b), count(l), count(x), count(ts), count(q), count(m) from w_kinds"))
                .containsExactly("3\t2\t2\t2\t2\t2\t2");
        // Spark reads what it has written, and writes it into a table of another format.
        spark.run("INSERT INTO skep.default.w_text SELECT * FROM skep.default.w_kinds");
        assertThat(byJdbc("select " + plain + ", a, st from w_text where b is not null"))
                .containsExactlyInAnyOrderElementsOf(
                        byJdbc("select " + plain + ", a, st from w_kinds where b is not null"));
        assertThat(spark.run("SELECT b, t, s, i, l, f, d, x, v, dt, ts, p, q, to_json(a), to_json(m) FROM w_rows"))
                .containsExactlyInAnyOrderElementsOf(
                        spark.run("SELECT b, t, s, i, l, f, d, x, v, dt, ts, p, q, to_json(a), to_json(m)"
                                + " FROM skep.default.w_kinds"));
    }

    @Test
    void wallClocksAreThoseOfTheSession() throws Exception {
        create("w_clocks", "(id int, ts timestamp, l array<timestamp>) stored as orc");
        spark.run("SET spark.sql.session.timeZone=Europe/Berlin");
        try {
            spark.run("INSERT INTO skep.default.w_clocks VALUES (1, TIMESTAMP '2021-07-01 12:00:00',"
                    + " array(TIMESTAMP '2021-01-01 12:00:00')), (2, TIMESTAMP '2021-03-28 03:30:00', null),"
                    + " (3, TIMESTAMP '1950-01-01 00:00:00.000001', array(null))");
        } finally {
            spark.run("RESET spark.sql.session.timeZone");
        }
        assertThat(byJdbc("select id, ts, l from w_clocks order by id"))
                .containsExactly(
                        "1\t2021-07-01 12:00:00.0\t[\"2021-01-01 12:00:00\"]",
                        "2\t2021-03-28 03:30:00.0\tnull",
                        "3\t1950-01-01 00:00:00.000001\t[null]");
    }

    @Test
    void whoMayNotWriteGetsTheErrorOfTheServer() throws Exception {
        site.run("create table w_closed (a int) stored as orc", "grant select on table w_closed to user ann");
        assertThat(spark.error("INSERT INTO skep.default.w_closed VALUES (1)"))
                .contains("Permission denied", "INSERT", "default.w_closed");
        create("w_append", "(a int) stored as orc");
        spark.run("INSERT INTO skep.default.w_append VALUES (1)");
        assertThat(spark.error("INSERT OVERWRITE skep.default.w_append VALUES (2)"))
                .contains("Permission denied", "DELETE", "default.w_append");
        assertThat(byJdbc("select a from w_append")).containsExactly("1");
        site.run("create view w_view as select a from w_append", "grant select, insert on w_view to user ann");
        assertThat(spark.error("INSERT INTO skep.default.w_view VALUES (1)")).contains("view");
    }

    @Test
    void modesAreThoseOfSpark() throws Exception {
        create("w_modes", "(a int, b string) stored as parquet");
        site.run("grant delete on table w_modes to user ann");
        write("append", "w_modes", "SELECT 'x' AS b, 1 AS a");
        write("append", "w_modes", "SELECT 2 AS a, 'y' AS b");
        assertThat(byJdbc("select a, b from w_modes order by a")).containsExactly("1\tx", "2\ty");
        write("overwrite", "w_modes", "SELECT 3 AS a, 'z' AS b");
        assertThat(byJdbc("select a, b from w_modes")).containsExactly("3\tz");
        assertThat(spark.error(command("error", "w_modes", "SELECT 4 AS a, 'z' AS b")))
                .contains("UNSUPPORTED_DATA_SOURCE_SAVE_MODE");
        assertThat(spark.error(command("append", "w_modes", "SELECT 4 AS a"))).contains("`b`");
        write("overwrite", "w_modes", "SELECT 3 AS a, 'z' AS b WHERE false");
        assertThat(byJdbc("select count(*) from w_modes")).containsExactly("0");
    }

    private void write(String mode, String table, String query) throws IOException {
        spark.run(command(mode, table, query));
    }

    private String command(String mode, String table, String query) {
        return "write " + mode + "\turl=" + site.url() + "\tuser=ann\tpassword=" + SparkSite.PASSWORD + "\ttable="
                + table + "\t" + query;
    }

    @Test
    void partitionsAreWritten() throws Exception {
        create("w_parts", "(a int) partitioned by (p string, q int) stored as orc");
        site.run("grant delete on table w_parts to user ann");
        spark.run("INSERT INTO skep.default.w_parts VALUES (1, 'x', 1), (2, 'x', 2), (3, 'y z', 1)");
        spark.run("INSERT INTO skep.default.w_parts PARTITION (p = 'x', q = 1) VALUES (4)");
        assertThat(byJdbc("select * from w_parts order by a"))
                .containsExactly("1\tx\t1", "2\tx\t2", "3\ty z\t1", "4\tx\t1");
        assertThat(spark.error("INSERT OVERWRITE skep.default.w_parts VALUES (5, 'x', 1)"))
                .contains("partitionOverwriteMode=dynamic");
        spark.run("SET spark.sql.sources.partitionOverwriteMode=dynamic");
        try {
            spark.run("INSERT OVERWRITE skep.default.w_parts VALUES (5, 'x', 1)");
        } finally {
            spark.run("RESET spark.sql.sources.partitionOverwriteMode");
        }
        assertThat(byJdbc("select * from w_parts order by a")).containsExactly("2\tx\t2", "3\ty z\t1", "5\tx\t1");
        assertThat(spark.error("INSERT OVERWRITE skep.default.w_parts PARTITION (p = 'x', q = 1) VALUES (6)"))
                .contains("w_parts");
        assertThat(byJdbc("select count(*) from w_parts")).containsExactly("3");
    }

    @Test
    void failedTasksAreRepeatedAndCountOnce() throws Exception {
        create("w_retried", "(n bigint, w string) stored as orc");
        // The task has sent more than a megabyte when it fails.
        spark.run("INSERT INTO skep.default.w_retried SELECT id, repeat('x', 1000) FROM range(0, 20000, 1, 3)"
                + " WHERE fail_once(id, 15000L) >= 0");
        assertThat(byJdbc("select count(*), count(distinct n), sum(length(w)) from w_retried"))
                .containsExactly("20000\t20000\t20000000");
    }

    @Test
    void aFailedWriteChangesNothing() throws Exception {
        create("w_failed", "(n bigint) stored as orc");
        assertThat(spark.error("INSERT INTO skep.default.w_failed SELECT if(id < 15000, id, raise_error('planned'))"
                        + " FROM range(0, 20000, 1, 3)"))
                .contains("planned");
        assertThat(byJdbc("select count(*) from w_failed")).containsExactly("0");
    }

    @Test
    void constraintsOfTheTableHold() throws Exception {
        create("w_checked", "(a int not null enable, v varchar(3)) stored as orc");
        assertThat(spark.error("INSERT INTO skep.default.w_checked VALUES (null, 'x')"))
                .containsIgnoringCase("not null");
        assertThat(spark.error("INSERT INTO skep.default.w_checked VALUES (1, 'long')"))
                .contains("EXCEED_LIMIT_LENGTH");
        assertThat(spark.error("INSERT INTO skep.default.w_checked SELECT id, 'x' FROM range(2147483648, 2147483649)"))
                .contains("OVERFLOW");
        assertThat(byJdbc("select count(*) from w_checked")).containsExactly("0");
        create("w_buckets", "(a int) clustered by (a) sorted by (a) into 3 buckets stored as orc");
        spark.run("INSERT INTO skep.default.w_buckets SELECT id FROM range(100)");
        assertThat(byJdbc("select count(*), count(distinct input__file__name) from w_buckets"))
                .containsExactly("100\t3");
    }

    /** What is hidden from a user does not get out, and is not lost. */
    @Test
    void masksAndFiltersHold() throws Exception {
        create("w_masked", "(id int, name string) stored as orc");
        create("w_copy", "(id int, name string) stored as orc");
        site.run(
                "insert into w_masked values (1, 'Ada'), (2, 'Bob')",
                "grant delete on table w_masked to user ann",
                "alter table w_masked set row filter (id <> 2 or current_user() = 'root')",
                "alter table w_masked alter column name set mask (if(current_user() = 'root', name, '*'))");
        spark.run("INSERT INTO skep.default.w_copy SELECT * FROM skep.default.w_masked");
        assertThat(byJdbc("select * from w_copy")).containsExactly("1\t*");
        spark.run("INSERT INTO skep.default.w_masked VALUES (3, 'Cy')");
        assertThat(byJdbc("select * from w_masked order by id")).containsExactly("1\t*", "3\t*");
        try (Connection root = site.connect("root")) {
            assertThat(SparkSite.byJdbc(root, "select name from w_masked order by id"))
                    .containsExactly("Ada", "Bob", "Cy");
        }
        assertThat(spark.error("INSERT OVERWRITE skep.default.w_masked SELECT * FROM skep.default.w_copy"))
                .contains("would lose what its row filter or masks hide");
    }

    @Test
    void longRowsAndManyOfThem() throws Exception {
        create("w_long", "(n bigint, w string) stored as orc");
        spark.run("INSERT INTO skep.default.w_long SELECT id, repeat('y', 200000) FROM range(0, 30, 1, 2)");
        assertThat(byJdbc("select count(*), sum(length(w)) from w_long")).containsExactly("30\t6000000");
        assertThat(spark.error("INSERT INTO skep.default.w_long VALUES (1, repeat('y', 2000000))"))
                .contains("a longer row is written over JDBC");
        assertThat(site.log()).doesNotContain(SparkSite.PASSWORD);
    }
}
