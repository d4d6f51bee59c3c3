package io.skep.ql.physical;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.ql.SqlSession;
import io.skep.ql.testing.TestingEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests which aggregates statistics answer, and checks that the answers are those of the rows. */
final class TestMetadataOnlyAggregates {
    private static TestingEngine engine;
    private static SqlSession session;

    @BeforeAll
    static void start() {
        engine = new TestingEngine(PlanningLimits.DEFAULT);
        session = engine.session();
        run("set hive.exec.dynamic.partition.mode=nonstrict");
    }

    @AfterAll
    static void stop() {
        session.close();
        engine.close();
    }

    private static void run(String sql) {
        engine.run(session, sql);
    }

    private static List<String> rows(String sql) {
        return engine.rows(session, sql);
    }

    private static String plan(String sql) {
        return engine.plan(session, sql);
    }

    /** Checks that statistics answer the query with the same values as a scan. */
    private static void assertAnswered(String table, String sql) {
        assertThat(plan(sql)).contains("From statistics: default." + table).doesNotContain("Scan default." + table);
        List<String> answered = rows(sql);
        run("set hive.compute.query.using.stats=false");
        try {
            assertThat(plan(sql)).contains("Scan default." + table);
            assertThat(answered).isEqualTo(rows(sql));
        } finally {
            run("set hive.compute.query.using.stats=true");
        }
    }

    private static void assertRead(String table, String sql) {
        assertThat(plan(sql)).contains("Scan default." + table).doesNotContain("From statistics");
    }

    @Test
    void answersWholeTables() {
        run("create table whole (i int, b bigint, d date, m decimal(10,2), w decimal(30,2), s string) stored as orc");
        run("insert into whole values (3, 30, date '2020-01-03', 3.5, 1234567890123456789012.5, 'x'),"
                + " (-1, null, date '1969-12-31', -0.5, -2, null), (2, 20, null, null, 0, 'y')");
        assertAnswered("whole", "select count(*) from whole");
        assertAnswered("whole", "select count(*), count(1), count(i), count(b), count(s) from whole");
        assertAnswered("whole", "select min(i), max(i), min(b), max(b), min(d), max(d) from whole");
        assertAnswered("whole", "select max(w), min(m), max(m), min(w) from whole");
        assertAnswered("whole", "select count(*) + 1, max(i) - min(i) from whole having count(*) > 2");
        assertAnswered(
                "whole",
                "select x from (select count(*) x from whole union all select max(i) from whole) u" + " order by x");
        run("insert into whole values (9, 9, null, null, null, null)");
        assertAnswered("whole", "select count(*), max(i), count(d) from whole");
    }

    @Test
    void readsWhatStatisticsDoNotHaveExactly() {
        run("create table inexact (i int, f double, t timestamp, s string, b boolean) stored as orc");
        run("insert into inexact values (1, 1.5, timestamp '2020-01-01 00:00:00.5', 'a', true), (2,"
                + " 2.5, null, 'b', null)");
        assertAnswered("inexact", "select count(f), count(t), count(s), count(b) from inexact");
        assertRead("inexact", "select max(f) from inexact");
        assertRead("inexact", "select min(t) from inexact");
        assertRead("inexact", "select min(s) from inexact");
        assertRead("inexact", "select max(b) from inexact");
        assertRead("inexact", "select max(i + 1) from inexact");
        assertRead("inexact", "select count(distinct i) from inexact");
        assertRead("inexact", "select sum(i) from inexact");
        assertRead("inexact", "select count(*) from inexact where i = 1");
        assertRead("inexact", "select i, count(*) from inexact group by i");
        assertRead("inexact", "select count(case when i = 1 then 1 end) from inexact");
        assertRead("inexact", "select count(INPUT__FILE__NAME) from inexact");
        assertRead("inexact", "select count(*) from inexact tablesample (50 percent)");
        assertRead("inexact", "select count(*) from inexact tablesample (1M)");
        assertRead("inexact", "select count(*) from inexact tablesample (1 rows)");
    }

    @Test
    void oneQuerySeesATableAtOneMoment() {
        run("create table moment (i int)");
        run("insert into moment values (1), (2)");
        assertRead("moment", "select i, (select count(*) from moment) from moment");
        assertRead("moment", "select count(*), 1 from moment union all select sum(i), 2 from moment");
    }

    @Test
    void answersPartitions() {
        run("create table parted (i int) partitioned by (p int, s string) stored as parquet");
        run("insert into parted partition (p, s) values (1, 7, 'a'), (2, 10, 'b'), (null, 10, 'c'), (5, null, 'd')");
        assertAnswered("parted", "select count(*), count(i), min(i), max(i) from parted");
        assertAnswered("parted", "select count(*), max(i) from parted where p = 10");
        assertAnswered("parted", "select count(*), max(i) from parted where p > 100");
        assertAnswered("parted", "select count(*), min(i) from parted where p = 10 and s like 'c%'");
        assertAnswered("parted", "select min(p), max(p), count(p), min(s), max(s), count(s) from parted");
        assertAnswered("parted", "select max(s) from parted where p is null");
        assertRead("parted", "select count(*) from parted where p = 10 and i = 2");
        assertRead("parted", "select count(*) from parted where p = i");
        run("insert overwrite table parted partition (p = 10, s = 'b') select i from parted where i > 1000");
        assertAnswered("parted", "select max(i), max(p), count(*) from parted where s = 'b'");
        run("alter table parted add partition (p = 11, s = 'e')");
        assertThat(rows("select count(*), max(p) from parted")).containsExactly("3 | 10");
    }

    @Test
    void emptyTablesAndNulls() {
        run("create table nothing (i int)");
        assertThat(rows("select count(*), max(i) from nothing")).containsExactly("0 | NULL");
        run("create table nulls (i int)");
        run("insert into nulls values (5)");
        run("insert overwrite table nulls select cast(null as int)");
        assertAnswered("nulls", "select count(*), count(i), min(i), max(i) from nulls");
    }

    @Test
    void trustsNoFilesThatChanged() throws IOException {
        run("create table changed (i int)");
        run("insert into changed values (1), (2)");
        assertAnswered("changed", "select count(*) from changed");
        Path file = engine.files("changed").getFirst();
        Files.writeString(file, "1\n2\n3\n");
        assertRead("changed", "select count(*) from changed");
        assertThat(rows("select count(*) from changed")).containsExactly("3");
        run("analyze table changed compute statistics");
        assertAnswered("changed", "select count(*) from changed");
        assertRead("changed", "select max(i) from changed");
        run("analyze table changed compute statistics for columns");
        assertAnswered("changed", "select count(*), max(i) from changed");
        Files.delete(file);
        assertThat(rows("select count(*) from changed")).containsExactly("0");
    }

    @Test
    void trustsNoExternalTables() {
        run("create external table outside (i int)");
        run("insert into outside values (1), (2)");
        assertRead("outside", "select count(*) from outside");
    }

    @Test
    void headerLinesAreNoRows() {
        run("create table headed (i int) tblproperties ('skip.header.line.count'='1')");
        run("insert into headed values (1), (2)");
        assertRead("headed", "select count(*) from headed");
    }

    @Test
    void columnsThatMovedAreRead() {
        run("create table moved (a int, b int)");
        run("insert into moved values (1, 2)");
        assertAnswered("moved", "select max(a), max(b) from moved");
        run("alter table moved replace columns (b int, a int)");
        assertRead("moved", "select max(a), max(b) from moved");
        assertThat(rows("select max(a), max(b) from moved")).containsExactly("2 | 1");
        assertAnswered("moved", "select count(*) from moved");
    }

    @Test
    void columnsOfPartitionsThatMovedAreRead() {
        run("create table movedparts (a int, b int) partitioned by (p int)");
        run("insert into movedparts partition (p) values (1, 2, 3)");
        assertAnswered("movedparts", "select max(a), max(b) from movedparts");
        run("alter table movedparts change column b b int first cascade");
        assertThat(rows("select max(a), max(b) from movedparts")).containsExactly("2 | 1");
        assertRead("movedparts", "select max(a) from movedparts");
    }

    @Test
    void temporaryTablesAreAnswered() {
        run("create temporary table mine (i int)");
        run("insert into mine values (4), (6)");
        assertThat(rows("select count(*), max(i) from mine")).containsExactly("2 | 6");
    }

    @Test
    void writesThatOverlapLoseNoRows() throws InterruptedException {
        run("create table busy (i int)");
        List<Thread> writers = Stream.of(1, 2, 3, 4)
                .map(number -> Thread.ofVirtual().unstarted(() -> {
                    try (SqlSession own = engine.session()) {
                        for (int i = 0; i < 5; i++) {
                            engine.run(own, "insert into busy values (" + (number * 100 + i) + ")");
                        }
                    }
                }))
                .toList();
        writers.forEach(Thread::start);
        for (Thread writer : writers) {
            writer.join();
        }
        assertAnswered("busy", "select count(*), min(i), max(i) from busy");
        assertThat(rows("select count(*), min(i), max(i) from busy")).containsExactly("20 | 100 | 404");
    }

    @Test
    void whatIsNotExactStaysSoUnderAnotherName() {
        run("create table aged (i int, j int) stored as orc");
        run("create table agedp (i int) partitioned by (p int) stored as orc");
        run("insert into aged values (1, 1), (2, 2)");
        run("insert into agedp partition (p = 1) values (1), (2)");
        assertAnswered("aged", "select max(i) from aged");
        run("alter table aged rename to named");
        assertAnswered("named", "select max(i) from named");
        run("set hive.stats.column.autogather=false");
        run("insert into named values (100, 100)");
        run("insert into agedp partition (p = 1) values (100)");
        run("set hive.stats.column.autogather=true");
        assertRead("named", "select max(i) from named");
        assertRead("agedp", "select max(i) from agedp");
        run("alter table named rename to renamed");
        run("alter table renamed add columns (k int)");
        run("alter table agedp partition (p = 1) rename to partition (p = 2)");
        run("alter table agedp rename to renamedp");
        assertRead("renamed", "select max(i) from renamed");
        assertRead("renamedp", "select max(i) from renamedp");
        run("analyze table renamed compute statistics for columns");
        assertAnswered("renamed", "select max(i), max(j), count(k) from renamed");
    }

    @Test
    void doesNotAnswerFromWhatUsersSay() {
        run("create table said (i int, j int) stored as orc");
        run("insert into said values (1, 1), (null, 2), (3, 3)");
        assertAnswered("said", "select count(i), max(i) from said");
        run("alter table said update statistics for column i set ('numDVs' = '5')");
        assertRead("said", "select count(i) from said");
        assertThat(rows("select count(i), max(i) from said")).containsExactly("2 | 3");
        assertAnswered("said", "select count(*), count(j), max(j) from said");
        run("alter table said update statistics for column j set ('highValue' = '99', 'numNulls' = '1')");
        assertThat(rows("select count(j), max(j) from said")).containsExactly("3 | 3");
        run("insert into said values (4, 4)");
        assertThat(rows("select count(i), max(i), count(j), max(j) from said")).containsExactly("3 | 4 | 4 | 4");
        run("analyze table said compute statistics for columns");
        assertAnswered("said", "select count(i), max(i), count(j), max(j) from said");
    }

    @Test
    void doesNotAnswerFromWhatUsersSayOfPartitions() {
        run("create table told (i int) partitioned by (p int) stored as orc");
        run("insert into told partition (p = 1) values (1), (null), (3)");
        run("alter table told partition (p = 1) update statistics for column i set ('numDVs' = '5')");
        assertRead("told", "select count(i) from told");
        assertThat(rows("select count(i), max(i) from told")).containsExactly("2 | 3");
        assertAnswered("told", "select count(*) from told");
    }

    @Test
    void doesNotAnswerFromFiguresThatUsersSet() {
        run("create table figured (i int) stored as orc");
        run("insert into figured values (1), (2)");
        run("alter table figured set tblproperties ('numRows' = '7')");
        assertThat(rows("select count(*) from figured")).containsExactly("2");
        run("alter table figured set tblproperties ('numRows' = '7', 'COLUMN_STATS_ACCURATE' ="
                + " '{\"BASIC_STATS\":\"true\",\"COLUMN_STATS\":{\"i\":\"true\"}}')");
        assertThat(rows("select count(*) from figured")).containsExactly("2");
        run("insert into figured values (3)");
        assertThat(rows("select count(*) from figured")).containsExactly("3");
        run("analyze table figured compute statistics");
        assertAnswered("figured", "select count(*) from figured");
        run("create table figured2 (i int) stored as orc tblproperties ('numRows' = '7', 'numFiles' = '0',"
                + " 'totalSize' = '0', 'COLUMN_STATS_ACCURATE' = '{\"BASIC_STATS\":\"true\"}')");
        assertThat(rows("select count(*) from figured2")).containsExactly("0");
        run("insert into figured2 values (3)");
        assertThat(rows("select count(*) from figured2")).containsExactly("1");
    }
}
