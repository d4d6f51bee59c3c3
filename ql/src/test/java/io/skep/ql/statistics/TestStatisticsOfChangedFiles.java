package io.skep.ql.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks that statistics answer no query if the files, or the way to read them, have changed since the rows were
 * counted.
 */
final class TestStatisticsOfChangedFiles {
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

    /** Checks that the answer is that of the rows, with statistics and without. */
    private static void assertRows(String sql, String expected) {
        assertThat(engine.rows(session, sql)).as(sql).containsExactly(expected);
        run("set hive.compute.query.using.stats=false");
        try {
            assertThat(engine.rows(session, sql)).as(sql + ", read").containsExactly(expected);
        } finally {
            run("set hive.compute.query.using.stats=true");
        }
    }

    private static void assertAnswered(String sql) {
        assertThat(engine.plan(session, sql)).contains("From statistics");
    }

    @ParameterizedTest
    @ValueSource(strings = {"textfile", "orc", "parquet"})
    void tablesOverOneFolderCountEachOthersRows(String format) {
        String one = "one_" + format;
        String other = "other_" + format;
        run("create table " + one + " (i int) stored as " + format);
        run("create table " + other + " (i int) stored as " + format + " location '" + engine.location(one) + "'");
        run("insert into " + one + " values (1), (2)");
        run("insert into " + other + " values (7)");
        assertRows("select count(*), max(i) from " + one, "3 | 7");
        assertRows("select count(*), max(i) from " + other, "3 | 7");
        run("insert into " + one + " values (9)");
        assertRows("select count(*), count(i), max(i) from " + one, "4 | 4 | 9");
        run("insert overwrite table " + one + " values (5)");
        assertAnswered("select max(i) from " + one);
        assertRows("select count(*), max(i) from " + other, "1 | 5");
        run("insert overwrite table " + other + " values (6)");
        assertRows("select count(*), max(i) from " + one, "1 | 6");
        run("insert into " + one + " values (3)");
        assertRows("select count(*), min(i), max(i) from " + one, "2 | 3 | 6");
    }

    @Test
    void partitionsOfOneFolderCountEachOthersRows() {
        run("create table shared (i int) partitioned by (p int)");
        run("alter table shared add partition (p = 1) partition (p = 2) location '" + engine.location("shared")
                + "/p=1'");
        run("insert into shared partition (p) values (10, 1), (20, 2)");
        assertRows("select count(*), max(i), max(p) from shared", "4 | 20 | 2");
        run("insert overwrite table shared partition (p) values (30, 1), (40, 2)");
        assertRows("select count(*), max(i), max(p) from shared", "4 | 40 | 2");
        run("insert overwrite table shared partition (p = 1) values (50)");
        assertRows("select count(*), max(i), max(p) from shared", "2 | 50 | 2");
    }

    @Test
    void anotherLocationHasOtherRows() {
        run("create table near (i int)");
        run("create table far (i int)");
        run("insert into near values (5)");
        run("insert into far values (7)");
        run("alter table near set location '" + engine.location("far") + "'");
        assertRows("select count(*), max(i) from near", "1 | 7");
        run("create table nears (i int) partitioned by (p int)");
        run("insert into nears partition (p = 1) values (5)");
        run("alter table nears partition (p = 1) set location '" + engine.location("far") + "'");
        assertRows("select count(*), max(i) from nears", "1 | 7");
    }

    @Test
    void filesThatAreReadOtherwiseHaveOtherValues() {
        run("create table split_t (i int, s string) row format delimited fields terminated by ','");
        run("insert into split_t values (1, 'x;2'), (2, 'y;3')");
        assertRows("select count(i), max(i) from split_t", "2 | 2");
        run("alter table split_t set serdeproperties ('field.delim' = ';')");
        assertRows("select count(i), max(i) from split_t", "0 | NULL");
        run("create table nulls (i int)");
        run("insert into nulls values (1), (2)");
        run("alter table nulls set tblproperties ('serialization.null.format' = '2')");
        assertRows("select count(*), count(i), max(i) from nulls", "2 | 1 | 1");
        run("create table split_p (i int, s string) partitioned by (p int) row format delimited fields terminated"
                + " by ','");
        run("insert into split_p partition (p = 1) values (1, 'x;2'), (2, 'y;3')");
        run("alter table split_p partition (p = 1) set serdeproperties ('field.delim' = ';')");
        assertRows("select count(i), max(i) from split_p", "0 | NULL");
        run("create table nulls_p (i int) partitioned by (p int)");
        run("insert into nulls_p partition (p = 1) values (1), (2)");
        run("alter table nulls_p set tblproperties ('serialization.null.format' = '2')");
        assertRows("select count(*), count(i), max(i) from nulls_p", "2 | 1 | 1");
    }

    @Test
    void propertiesThatReadersDoNotAskForKeepStatistics() {
        run("create table noted (i int)");
        run("insert into noted values (1), (2)");
        run("alter table noted set tblproperties ('note' = 'x')");
        assertAnswered("select count(*), max(i) from noted");
        run("alter table noted set tblproperties ('EXTERNAL' = 'TRUE')");
        run("alter table noted set tblproperties ('EXTERNAL' = 'FALSE')");
        assertRows("select count(*), max(i) from noted", "2 | 2");
    }

    @Test
    void filesThatOthersReplacedAreRead() throws IOException {
        run("create external table outside (i int)");
        run("insert into outside values (5)");
        Path file = engine.files("outside").getFirst();
        Files.delete(file);
        Files.writeString(file.resolveSibling("000001_0"), "7\n");
        run("alter table outside set tblproperties ('EXTERNAL' = 'FALSE')");
        assertRows("select count(*), max(i) from outside", "1 | 7");

        run("create table replaced (i int)");
        run("insert into replaced values (55), (5)");
        file = engine.files("replaced").getFirst();
        Files.delete(file);
        // The file has the same number of bytes with one row less.
        Files.writeString(file.resolveSibling("000001_0"), "1111\n");
        assertRows("select count(*), max(i) from replaced", "1 | 1111");
    }

    @Test
    void countingFilesDoesNotCountRows() throws IOException {
        run("create table looked (i int)");
        run("insert into looked values (5)");
        Files.writeString(engine.folder("looked").resolve("more"), "6\n7\n");
        run("analyze table looked compute statistics noscan");
        assertRows("select count(*), max(i) from looked", "3 | 7");
        run("analyze table looked compute statistics");
        assertAnswered("select count(*) from looked");
        assertRows("select count(*), max(i) from looked", "3 | 7");
        run("create table looked_p (i int) partitioned by (p int)");
        run("insert into looked_p partition (p = 1) values (5)");
        Files.writeString(engine.folder("looked_p").resolve("p=1").resolve("more"), "6\n7\n");
        run("analyze table looked_p partition (p = 1) compute statistics noscan");
        assertRows("select count(*), max(i) from looked_p", "3 | 7");
    }

    @Test
    void partitionsOfOthersAreCountedByTheirOwnNames() throws IOException {
        run("create table named (i int) partitioned by (p int, d double, x decimal(5, 2), t date)");
        for (String name : List.of(
                "p=1/d=1/x=1/t=2020-01-01",
                "p=01/d=1.0/x=1.0/t=2020-1-1",
                "p=abc/d=1e0/x=1.00/t=2020-01-01",
                "p=__HIVE_DEFAULT_PARTITION__/d=z/x=1.5/t=2020-02-02")) {
            Path folder = Files.createDirectories(engine.folder("named").resolve(name));
            Files.writeString(folder.resolve("000000_0"), "1\n2\n");
        }
        run("msck repair table named");
        assertRows("select count(*), count(i), max(i) from named", "8 | 8 | 2");
        run("analyze table named compute statistics");
        assertRows("select count(*), count(i), max(i) from named", "8 | 8 | 2");
        run("analyze table named compute statistics for columns");
        assertRows("select count(*), count(i), max(i) from named", "8 | 8 | 2");
        assertRows("select count(*), count(i), max(i) from named where p = 1", "4 | 4 | 2");
        assertRows("select count(*) from named where d is null", "2");
    }

    @Test
    void statisticsGoAlongWithTheFiles() {
        run("create table moved (i int)");
        run("insert into moved values (5), (6)");
        run("alter table moved rename to moved_on");
        assertAnswered("select count(*), max(i) from moved_on");
        assertRows("select count(*), max(i) from moved_on", "2 | 6");
        run("create table moved_p (i int) partitioned by (p int)");
        run("insert into moved_p partition (p = 1) values (5), (6)");
        run("alter table moved_p partition (p = 1) rename to partition (p = 2)");
        assertAnswered("select count(*), max(i) from moved_p");
        assertRows("select count(*), max(i), min(p) from moved_p", "2 | 6 | 2");
    }

    @Test
    void whatFiguresAreOfIsShownToNobody() {
        run("create table plain (i int)");
        run("insert into plain values (5)");
        for (String sql : List.of(
                "show tblproperties plain",
                "describe formatted plain",
                "describe extended plain",
                "show create table plain")) {
            assertThat(engine.rows(session, sql)).as(sql).noneMatch(row -> row.contains("skep."));
        }
    }
}
