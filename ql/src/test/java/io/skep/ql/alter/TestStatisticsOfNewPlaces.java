package io.skep.ql.alter;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the statistics of new tables and partitions, and what INSERT, LOAD and TRUNCATE make of them, as in Hive. */
final class TestStatisticsOfNewPlaces {
    private final TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
    private final SqlSession session = engine.session();

    @TempDir
    Path work;

    @BeforeEach
    void create() {
        run("create table s (c string)");
        run("insert into s values ('a'), ('b')");
        run("create table p (c string) partitioned by (d string)");
    }

    @AfterEach
    void close() {
        session.close();
        engine.close();
    }

    private void run(String sql) {
        engine.run(session, sql);
    }

    /** Returns the figures of DESCRIBE FORMATTED that tell about rows. */
    private List<String> figures(String place) {
        return engine.printed(session, "describe formatted " + place).stream()
                .filter(line -> line.startsWith("|numRows|") || line.startsWith("|COLUMN_STATS_ACCURATE|"))
                .map(line -> line.replace("\\", ""))
                .toList();
    }

    private Path folder(String name) throws IOException {
        Path folder = Files.createDirectories(work.resolve(name));
        Files.writeString(folder.resolve("f"), "u\nv\nw\n");
        return folder;
    }

    private static final String ALL_EXACT =
            "|COLUMN_STATS_ACCURATE|{\"BASIC_STATS\":\"true\",\"COLUMN_STATS\":{\"c\":\"true\"}}";

    @Test
    void partitionsInTheirOwnFoldersAreEmpty() {
        run("alter table p add partition (d='1')");
        assertThat(figures("p partition (d='1')")).containsExactly(ALL_EXACT, "|numRows|0");
        run("insert into p partition (d='1') select c from s");
        assertThat(figures("p partition (d='1')")).containsExactly(ALL_EXACT, "|numRows|2");
    }

    @Test
    void partitionsElsewhereAreUnknown() throws IOException {
        run("alter table p add partition (d='1') location 'file:" + folder("full") + "'");
        run("alter table p add partition (d='2') location 'file:" + work.resolve("none") + "'");
        assertThat(figures("p partition (d='1')")).isEmpty();
        assertThat(figures("p partition (d='2')")).isEmpty();
        run("insert into p partition (d='1') select c from s");
        run("insert into p partition (d='2') select c from s");
        assertThat(figures("p partition (d='1')")).isEmpty();
        assertThat(figures("p partition (d='2')")).isEmpty();
        assertThat(engine.printed(session, "select d, count(*) from p group by d order by d"))
                .containsExactly("1|5", "2|2");
        run("insert overwrite table p partition (d='2') select c from s");
        assertThat(figures("p partition (d='2')")).containsExactly(ALL_EXACT, "|numRows|2");
    }

    @Test
    void foundPartitionsAreUnknown() throws IOException {
        folder("table/d=1");
        Path folder = work.resolve("table");
        Files.createDirectories(folder.resolve("d=2"));
        run("create external table e (c string) partitioned by (d string) location 'file:" + folder + "'");
        run("msck repair table e");
        assertThat(figures("e partition (d='1')")).isEmpty();
        assertThat(figures("e partition (d='2')")).isEmpty();
        run("insert into e partition (d='3') select c from s");
        assertThat(figures("e partition (d='3')")).containsExactly(ALL_EXACT, "|numRows|2");
    }

    @Test
    void loadedPlacesHaveRowsThatNobodyHasCounted() throws IOException {
        run("load data inpath 'file:" + folder("one") + "' into table p partition (d='1')");
        assertThat(figures("p partition (d='1')")).containsExactly("|numRows|0");
        run("create table l (c string)");
        run("load data inpath 'file:" + folder("two") + "' into table l");
        assertThat(figures("l")).containsExactly("|numRows|0");
        run("create external table e (c string) location 'file:" + folder("three") + "'");
        assertThat(figures("e")).isEmpty();
        run("insert into e select c from s");
        assertThat(figures("e")).isEmpty();
        assertThat(engine.printed(session, "select count(*) from e")).containsExactly("5");
    }

    @Test
    void truncatedColumnsAreUnknown() {
        run("truncate table s");
        assertThat(figures("s")).containsExactly("|COLUMN_STATS_ACCURATE|{\"BASIC_STATS\":\"true\"}", "|numRows|0");
        assertThat(engine.printed(session, "select min(c), count(*) from s")).containsExactly("|0");
    }

    @Test
    void nothingIsGatheredWhereTheSessionDoesNotWantIt() {
        run("set hive.stats.autogather=false");
        run("alter table p add partition (d='1')");
        assertThat(figures("p partition (d='1')")).isEmpty();
        run("insert into s values ('c')");
        assertThat(figures("s")).containsExactly("|numRows|2");
        run("create table n (c string)");
        run("insert into n select c from s");
        assertThat(figures("n")).isEmpty();
        assertThat(engine.printed(session, "select count(*) from n")).containsExactly("3");
    }

    @Test
    void insertsEstimateTheColumnsOfTransactionalTables() {
        run("create table t (a int, b string) stored as orc tblproperties ('transactional'='true')");
        run("insert into t values (1, 'x'), (2, 'yy')");
        assertThat(column("t a")).containsExactly("min|1", "max|2", "num_nulls|0", "distinct_count|2");
        run("insert into t values (5, 'x'), (2, 'y')");
        assertThat(column("t a")).containsExactly("min|1", "max|5", "num_nulls|0", "distinct_count|3");
        assertThat(figures("t")).containsExactly("|numRows|4");
        run("set hive.stats.autogather=false");
        run("insert into t values (9, 'z')");
        run("set hive.stats.autogather=true");
        run("update t set a = 100 where a = 1");
        assertThat(column("t a")).containsExactly("min|1", "max|5", "num_nulls|0", "distinct_count|3");
        assertThat(figures("t")).containsExactly("|numRows|4");
        run("insert overwrite table t select 7, 'q'");
        assertThat(column("t a")).containsExactly("min|7", "max|7", "num_nulls|0", "distinct_count|1");
        run("truncate table t");
        run("insert into t values (8, 'r')");
        assertThat(column("t a")).containsExactly("min|8", "max|8", "num_nulls|0", "distinct_count|1");
        assertThat(engine.printed(session, "select min(a), max(a), count(*) from t"))
                .containsExactly("8|8|1");
    }

    /** The rows of an INSERT say little about a table with rows that nobody has counted. */
    @Test
    void insertsDoNotEstimateUncountedRows() {
        run("create table t (a int) stored as orc tblproperties ('transactional'='true')");
        run("set hive.stats.autogather=false");
        run("insert into t select pos from (select posexplode(split(space(99), ' '))) x");
        run("set hive.stats.autogather=true");
        run("insert into t values (1)");
        assertThat(column("t a")).isNotEmpty().allMatch(line -> line.endsWith("|"));
    }

    /** A small INSERT into a large table leaves the statistics of columns as they are. */
    @Test
    void smallInsertsEstimateNoColumns() {
        run("create table t (a int) partitioned by (d int) stored as orc tblproperties ('transactional'='true')");
        run("insert into t partition (d=1) select pos from (select posexplode(split(space(99), ' '))) x");
        run("insert into t partition (d=1) values (1000)");
        assertThat(column("t partition (d=1) a"))
                .containsExactly("min|0", "max|99", "num_nulls|0", "distinct_count|100");
        run("insert into t partition (d=1) select 2000 from s limit 10");
        run("insert into t partition (d=1) values (1), (2), (3), (4), (5), (2000)");
        assertThat(column("t partition (d=1) a")).contains("max|2000");
    }

    private List<String> column(String column) {
        return engine.printed(session, "describe formatted " + column).stream()
                .filter(line -> line.matches("(min|max|num_nulls|distinct_count)\\|.*"))
                .toList();
    }
}
