package io.skep.ql.insert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.ListBuckets;
import io.skep.metastore.StorageDescriptor.Skew;
import io.skep.metastore.Table;
import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests tables that are SKEWED BY ... STORED AS DIRECTORIES: their folders, what is recorded of them, and pruning. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestListBuckets {
    private static final String OTHERS = ListBuckets.DEFAULT_FOLDER;

    private TestingEngine engine;
    private SqlSession session;
    private int tables;

    @BeforeAll
    void open() {
        engine = new TestingEngine(PlanningLimits.DEFAULT);
        session = engine.session();
        run("set hive.exec.dynamic.partition.mode=nonstrict");
    }

    @AfterAll
    void close() {
        session.close();
        engine.close();
    }

    private void run(String sql) {
        engine.run(session, sql);
    }

    private List<String> rows(String sql) {
        return engine.rows(session, sql).stream().sorted().toList();
    }

    private String create(String columns, String clauses) {
        String table = "lists" + tables++;
        run("create table " + table + " (" + columns + ") " + clauses);
        return table;
    }

    private Table table(String name) {
        return engine.catalog().table("default", name).orElseThrow();
    }

    private Skew skew(String name) {
        return table(name).storage().skew();
    }

    /** Returns the folders that have files, relative to the table's, each once for each file. */
    private List<String> folders(String table) throws IOException {
        Path folder = engine.folder(table);
        return engine.files(table).stream()
                .map(file -> folder.relativize(file.getParent()).toString())
                .sorted()
                .toList();
    }

    /** Returns all visible folders, with or without files. */
    private List<String> allFolders(String table) throws IOException {
        Path folder = engine.folder(table);
        try (Stream<Path> found = Files.walk(folder)) {
            return found.filter(Files::isDirectory)
                    .map(path -> folder.relativize(path).toString())
                    .filter(path -> !path.isEmpty() && !path.startsWith("."))
                    .sorted()
                    .toList();
        }
    }

    private void refused(StandardErrorCode code, String sql) {
        assertThatThrownBy(() -> run(sql))
                .isInstanceOfSatisfying(
                        SkepException.class, error -> assertThat(error.code()).isEqualTo(code));
    }

    @Test
    void rowsAreDividedByTheirValues() throws IOException {
        String table = create("k int, v string", "skewed by (k) on (1, 2) stored as directories");
        run("insert into " + table + " values (1, 'a'), (3, 'c'), (null, 'n')");
        assertThat(folders(table)).containsExactly(OTHERS, "k=1");
        String location = table(table).storage().location();
        assertThat(skew(table).locations()).isEqualTo(Map.of(List.of("1"), location + "/k=1"));
        run("insert into " + table + " values (1, 'b'), (2, 'd')");
        assertThat(folders(table)).containsExactly(OTHERS, "k=1", "k=1", "k=2");
        assertThat(skew(table).locations()).containsOnlyKeys(List.of("1"), List.of("2"));
        assertThat(rows("select * from " + table)).containsExactly("1 | a", "1 | b", "2 | d", "3 | c", "NULL | n");
        assertThat(rows("select count(*) from " + table)).containsExactly("5");
        run("insert overwrite table " + table + " select * from " + table + " where k <> 1");
        assertThat(allFolders(table)).containsExactly(OTHERS, "k=2");
        assertThat(skew(table).locations()).containsOnlyKeys(List.of("2"));
        run("truncate table " + table);
        assertThat(allFolders(table)).isEmpty();
        assertThat(rows("select * from " + table)).isEmpty();
    }

    @Test
    void severalColumnsHaveNestedFolders() throws IOException {
        String table = create(
                "k int, v string, w int",
                "partitioned by (p string, q int)"
                        + " skewed by (k, v) on ((1, 'x'), (2, 'y=/z')) stored as directories stored as orc");
        String both = OTHERS + "/" + OTHERS;
        run("insert into " + table + " partition (p = 'a', q = 1) values (1, 'x', 1), (2, 'y=/z', 2), (1, 'y=/z', 3)");
        run("insert into " + table + " partition (p, q) values (1, 'x', 4, 'b', 1), (5, 'x', 5, 'b', 2)");
        assertThat(folders(table))
                .containsExactly(
                        "p=a/q=1/" + both,
                        "p=a/q=1/k=1/v=x",
                        "p=a/q=1/k=2/v=y%3D%2Fz",
                        "p=b/q=1/k=1/v=x",
                        "p=b/q=2/" + both);
        assertThat(rows("select w, p, q from " + table + " where v = 'x'"))
                .containsExactly("1 | a | 1", "4 | b | 1", "5 | b | 2");
        Skew skew = engine.catalog()
                .partition(table(table), List.of("a", "1"))
                .orElseThrow()
                .storage()
                .skew();
        assertThat(skew.storedAsDirectories()).isTrue();
        assertThat(skew.locations()).containsOnlyKeys(List.of("1", "x"), List.of("2", "y=/z"));
        assertThat(skew(table).locations()).isEmpty();
        run("insert overwrite table " + table + " partition (p = 'a', q = 1) values (9, 'x', 9)");
        assertThat(allFolders(table)).doesNotContain("p=a/q=1/k=1", "p=a/q=1/k=1/v=x", "p=a/q=1/k=2");
        run("alter table " + table + " partition (p = 'a', q = 1) concatenate");
        assertThat(rows("select w from " + table + " where p = 'a'")).containsExactly("9");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "decimal(5,2)|2.50|2.5|2.5",
                "decimal(5,2)|2.50|2.50|",
                "float|1.5|1.5|1.5",
                "float|1|1|",
                "double|1|1.0|1.0",
                "boolean|true|true|true",
                "date|2020-01-01|2020-01-01|2020-01-01",
                "char(5)|ab|ab|",
                "char(2)|ab|ab|ab",
                "varchar(9)|ab|ab|ab",
                "string|A|A|",
                "string|a|A|a",
                "bigint|7|7|7",
                "bigint|7|07|"
            })
    void valuesAreCompared(String given) throws IOException {
        String[] parts = given.split("\\|", -1);
        String table = create("c " + parts[0], "skewed by (c) on ('" + parts[2] + "') stored as directories");
        run("insert into " + table + " values ('" + parts[1] + "')");
        assertThat(folders(table)).containsExactly(parts[3].isEmpty() ? OTHERS : "c=" + parts[3]);
    }

    @Test
    void bucketsAreInEachFolder() throws IOException {
        String table =
                create("k int, v string", "clustered by (v) into 2 buckets skewed by (k) on (1) stored as directories");
        run("insert into " + table + " values (1, 'a'), (2, 'b'), (1, 'c'), (3, 'd'), (1, 'b')");
        assertThat(engine.files(table).stream()
                        .map(file -> engine.folder(table).relativize(file).toString())
                        .sorted())
                .isSubsetOf(OTHERS + "/000000_0", OTHERS + "/000001_0", "k=1/000000_0", "k=1/000001_0");
        assertThat(rows("select v from " + table + " where k = 1")).containsExactly("a", "b", "c");
    }

    @Test
    void aNamedPartitionKeepsItsSkew() throws IOException {
        String table = create("s string, c int", "partitioned by (p int) skewed by (s) on ('x') stored as directories");
        run("insert into " + table + " partition (p = 1) values ('x', 1)");
        run("alter table " + table + " skewed by (c) on (1) stored as directories");
        run("insert into " + table + " partition (p = 1) values ('x', 2)");
        run("insert into " + table + " partition (p) values ('x', 1, 1), ('x', 1, 2)");
        assertThat(folders(table)).containsExactly("p=1/c=1", "p=1/s=x", "p=1/s=x", "p=2/c=1");
        run("alter table " + table + " not stored as directories");
        run("insert into " + table + " partition (p = 3) values ('x', 1)");
        assertThat(folders(table)).contains("p=3");
        run("set hive.optimize.listbucketing=true");
        assertThat(rows("select c from " + table + " where s = 'x' and c = 1")).hasSize(4);
        run("set hive.optimize.listbucketing=false");
    }

    /** Rows that are no rows of their folder tell whether the folder is read. */
    private String withForeignRows() throws IOException {
        String table =
                create("k int, v string, w int", "skewed by (k, v) on ((1, 'x'), (2, 'y')) stored as directories");
        run("insert into " + table + " values (1, 'x', 10), (2, 'y', 20), (3, 'z', 30), (1, 'y', 40)");
        Files.writeString(engine.folder(table).resolve("k=2/v=y/foreign"), "1\u0001x\u000111\n");
        Files.writeString(engine.folder(table).resolve("old"), "1\u0001x\u000112\n");
        Files.createDirectories(engine.folder(table).resolve("k=2_copy_1/v=y"));
        Files.writeString(engine.folder(table).resolve("k=2_copy_1/v=y/copy"), "1\u0001x\u000113\n");
        run("set hive.optimize.listbucketing=true");
        return table;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "k = 1",
                "v = 'x'",
                "k = 1 and v = 'x'",
                "k < 2",
                "k <> 2",
                "k in (1, 7)",
                "k + 1 = 2",
                "not (k = 2)",
                "concat(v, k) = 'x1'",
                "(k = 1 or v = 'x') and w > 0",
                "k = 1 or (v = 'x' and w > 0)",
                "k = '1'",
                "v = 'x' and w is not null",
                "case when k = 1 then true else false end",
                "if(k = 2, null, true)"
            })
    void foldersAreLeftOut(String condition) throws IOException {
        String table = withForeignRows();
        String query = "select w from " + table + " where (" + condition + ") and w between 10 and 13";
        assertThat(rows(query)).containsExactly("10", "12", "13");
        run("set hive.optimize.listbucketing=false");
        assertThat(rows(query)).containsExactly("10", "11", "12", "13");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "k = 1 or w = 11",
                "k = 1 or w > 0",
                "w = 11",
                "w < 13 and w > 10",
                "k = 1 or v = 'y'",
                "k = 1 or rand() < 2",
                "k = cast(floor(rand()) as int) + 1",
                "k + w = 12",
                "coalesce(k, w) < 3",
                "k is not null",
                "k <= 2",
                "k = 2 or v = 'x'",
                "not (k = 2 and w = 20)"
            })
    void foldersAreRead(String condition) throws IOException {
        String table = withForeignRows();
        assertThat(rows("select w from " + table + " where (" + condition + ") and w = 11"))
                .containsExactly("11");
        run("set hive.optimize.listbucketing=false");
    }

    /** A value of each type is the value of its folder again, so that its rows are found. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "boolean|true|false",
                "tinyint|7|8",
                "decimal(9,3)|2.5|2.51",
                "date|2020-01-31|2020-02-01",
                "char(3)|abc|ab",
                "varchar(5)|ab|ab ",
                "string|10|9",
                "string|é%/=a|b",
                "float|1.5|2.5",
                "timestamp|2020-01-31 01:02:03|2020-02-01 00:00:00"
            })
    void rowsOfFoldersAreFound(String given) {
        String[] parts = given.split("\\|");
        String table = create(
                "c " + parts[0], "skewed by (c) on ('" + parts[1] + "', '" + parts[2] + "') stored as directories");
        run("insert into " + table + " values ('" + parts[1] + "'), ('" + parts[2] + "'), (null)");
        String value = "cast('" + parts[1] + "' as " + parts[0] + ")";
        for (String condition : List.of("= ", "<> ", "< ", ">= ", "is not distinct from ")) {
            String query = "select count(*) from " + table + " where c " + condition + value;
            run("set hive.optimize.listbucketing=true");
            List<String> pruned = rows(query);
            run("set hive.optimize.listbucketing=false");
            assertThat(rows(query)).as(condition).isEqualTo(pruned);
        }
        run("set hive.optimize.listbucketing=true");
        assertThat(rows("select count(*) from " + table + " where c = " + value))
                .containsExactly("1");
        assertThat(rows("select count(*) from " + table + " where c is null")).containsExactly("1");
        run("set hive.optimize.listbucketing=false");
    }

    /** In these tables a row has another value when it is read than when its folder was chosen. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "x|tblproperties ('serialization.null.format' = 'x')|s is null",
                "x|row format delimited null defined as 'x'|s is null",
                "a-b|row format delimited fields terminated by '-'|s = 'a'"
            })
    void foldersOfValuesThatChangeAreRead(String given) throws IOException {
        String[] parts = given.split("\\|");
        String table = create("s string", "skewed by (s) on ('" + parts[0] + "') stored as directories " + parts[1]);
        run("insert into " + table + " values ('" + parts[0] + "')");
        assertThat(folders(table)).containsExactly("s=" + parts[0]);
        run("set hive.optimize.listbucketing=true");
        assertThat(rows("select count(*) from " + table + " where " + parts[2])).containsExactly("1");
        run("set hive.optimize.listbucketing=false");
    }

    @Test
    void foldersOfMovedColumnsAreRead() throws IOException {
        String table = withForeignRows();
        refused(StandardErrorCode.SEMANTIC_ERROR, "alter table " + table + " change k j int");
        refused(StandardErrorCode.SEMANTIC_ERROR, "alter table " + table + " change k k bigint");
        run("alter table " + table + " replace columns (w int, v string, k int)");
        assertThat(skew(table).locations()).isEmpty();
        assertThat(rows("select w, k from " + table + " where k = 20")).containsExactly("2 | 20");
        run("set hive.optimize.listbucketing=false");
    }

    @Test
    void renamedTablesKeepTheirFolders() throws IOException {
        String table = withForeignRows();
        run("alter table " + table + " rename to renamed_lists");
        assertThat(skew("renamed_lists").locations().values())
                .allMatch(folder ->
                        folder.startsWith(table("renamed_lists").storage().location() + "/"));
        assertThat(rows("select w from renamed_lists where k = 1 and w < 20")).containsExactly("10", "12", "13");
        run("set hive.optimize.listbucketing=false");
    }

    /** Rows that lie in the folder of others are found after their value is declared. */
    @Test
    void olderRowsAreFound() {
        String table = create("k int", "skewed by (k) on (1) stored as directories");
        run("insert into " + table + " values (1), (2), (3)");
        run("alter table " + table + " skewed by (k) on (2, 3) stored as directories");
        run("insert into " + table + " values (1), (2), (3)");
        run("set hive.optimize.listbucketing=true");
        for (int k = 1; k <= 3; k++) {
            assertThat(rows("select * from " + table + " where k = " + k)).hasSize(2);
        }
        run("set hive.optimize.listbucketing=false");
    }

    @Test
    void definitionsAreChecked(@TempDir Path folder) throws IOException {
        Path rows = Files.writeString(folder.resolve("rows"), "1\n");
        String table = create("k int, b binary, a array<int>", "skewed by (k) on (1) stored as directories");
        refused(StandardErrorCode.SEMANTIC_ERROR, "load data local inpath '" + rows + "' into table " + table);
        refused(
                StandardErrorCode.SEMANTIC_ERROR,
                "alter table " + table + " skewed by (k, k) on ((1, 1)) stored as directories");
        refused(StandardErrorCode.SEMANTIC_ERROR, "alter table " + table + " set skewed location (1 = '/no/scheme')");
        run("alter table " + table + " set skewed location (1 = 'file:/x/1', (2, 'B') = 'hdfs://h/2')");
        assertThat(skew(table).locations())
                .isEqualTo(Map.of(List.of("1"), "file:/x/1", List.of("2", "B"), "hdfs://h/2"));
        run("alter table " + table + " skewed by (b) on ('x') stored as directories");
        refused(StandardErrorCode.NOT_SUPPORTED, "insert into " + table + " values (1, null, null)");
        run("alter table " + table + " not skewed");
        refused(StandardErrorCode.SEMANTIC_ERROR, "alter table " + table + " not stored as directories");
        refused(
                StandardErrorCode.NOT_SUPPORTED,
                "create table acid_lists (k int) skewed by (k) on (1) stored as directories stored as orc"
                        + " tblproperties ('transactional' = 'true')");
        run("create table acid_lists (k int) stored as orc tblproperties ('transactional' = 'true')");
        refused(StandardErrorCode.NOT_SUPPORTED, "alter table acid_lists skewed by (k) on (1) stored as directories");
        run("create table plain_lists (k int) skewed by (k) on (1) stored as directories stored as orc");
        refused(
                StandardErrorCode.NOT_SUPPORTED,
                "alter table plain_lists set tblproperties ('transactional' = 'true')");
    }

    @Test
    void foldersAreDescribed() {
        String table = create("k int", "skewed by (k) on (1, 2) stored as directories");
        run("insert into " + table + " values (2), (1), (3)");
        String location = table(table).storage().location();
        String shown = engine.printed(session, "describe formatted " + table).toString();
        assertThat(shown)
                .contains("Stored As SubDirectories:")
                .contains("{[1]=" + location + "/k=1, [2]=" + location + "/k=2}")
                .contains("{[1]=/" + table + "/k=1, [2]=/" + table + "/k=2}");
        assertThat(engine.printed(session, "describe extended " + table).toString())
                .contains("skewedInfo:SkewedInfo(skewedColNames:[k], skewedColValues:[[1], [2]],"
                        + " skewedColValueLocationMaps:{[1]=" + location + "/k=1, [2]=" + location + "/k=2}),"
                        + " storedAsSubDirectories:true)");
    }

    @Test
    void temporaryTablesAndQueriesMakeFolders() throws IOException {
        run("create temporary table temp_lists (k int) skewed by (k) on (1) stored as directories");
        run("insert into temp_lists values (1), (2)");
        assertThat(engine.printed(session, "describe extended temp_lists").toString())
                .contains("skewedColValueLocationMaps:{[1]=file:")
                .contains("storedAsSubDirectories:true");
        run("create table made_lists skewed by (k) on (1) stored as directories as select 1 k union all select 2");
        assertThat(folders("made_lists")).containsExactly(OTHERS, "k=1");
        run("create table like_lists like made_lists");
        assertThat(skew("like_lists")).isEqualTo(skew("made_lists").withLocations(Map.of()));
        run("create external table outer_lists (k int) skewed by (k) on (1) stored as directories");
        run("insert into outer_lists values (1), (2)");
        assertThat(folders("outer_lists")).containsExactly(OTHERS, "k=1");
    }
}
