package io.skep.ql.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
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

/** Tests paths in LOCATION and INSERT DIRECTORY. A rejected statement leaves everything unchanged. */
final class TestNamedPaths {
    private final TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
    private SqlSession session;

    @TempDir
    private Path folder;

    @BeforeEach
    void open() {
        session = engine.session();
    }

    @AfterEach
    void close() {
        session.close();
        engine.close();
    }

    private void run(String... statements) {
        for (String statement : statements) {
            engine.run(session, statement);
        }
    }

    private void refused(StandardErrorCode code, String statement) {
        assertThatThrownBy(() -> engine.run(session, statement))
                .as(statement)
                .isInstanceOfSatisfying(SkepException.class, e -> {
                    assertThat(e.code()).as(e.fullMessage()).isEqualTo(code);
                    assertThat(e.fullMessage()).contains("Line 1:");
                });
    }

    /** Returns each statement that names a location, with %s in its place. */
    private static List<String> places() {
        return List.of(
                "create table n (a int) location '%s'",
                "create external table n (a int) location '%s'",
                "create temporary table n (a int) location '%s'",
                "create table n location '%s' as select 1 as a",
                "create table n like t location '%s'",
                "create database d location '%s'",
                "create database d managedlocation '%s'",
                "alter database default set location '%s'",
                "alter database default set managedlocation '%s'",
                "alter table t set location '%s'",
                "alter table p add partition (k = 2) location '%s'",
                "alter table p partition (k = 1) set location '%s'",
                "insert overwrite directory '%s' select 1",
                "insert overwrite local directory '%s' select 1");
    }

    @Test
    void controlCharactersAndFoldersOfTheServerAreRefusedEverywhere() throws IOException {
        run("create table t (a int)", "create table p (a int) partitioned by (k int)");
        run("alter table p add partition (k = 1)");
        Path journals = Files.createDirectories(engine.data().resolve("commits"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), engine.data());
        for (String place : places()) {
            refused(StandardErrorCode.INVALID_PATH, place.formatted(folder + "/k\\tb"));
            refused(StandardErrorCode.INVALID_PATH, place.formatted(folder + "/k\\nb"));
            for (String closed : List.of(
                    journals.toString(),
                    "file:" + journals + "/new",
                    engine.data() + "/warehouse/../metastore",
                    link + "/spill",
                    engine.data().toString(),
                    "/")) {
                refused(StandardErrorCode.ACCESS_DENIED, place.formatted(closed));
            }
        }
        assertThat(engine.rows(session, "show databases")).containsExactly("default");
        assertThat(engine.rows(session, "show tables")).containsExactly("p", "t");
        assertThat(engine.rows(session, "show partitions p")).containsExactly("k=1");
    }

    @Test
    void jarsOfTheServersFoldersAreRefused() throws IOException {
        Path jar = Files.createFile(engine.data().resolve("some.jar"));
        for (String statement : List.of(
                "add jar %s",
                "add jar file:%s",
                "create function f as 'x.Y' using jar '%s'",
                "create temporary function f as 'x.Y' using jar 'file:%s'")) {
            refused(StandardErrorCode.ACCESS_DENIED, statement.formatted(jar));
        }
        assertThat(engine.rows(session, "list jars")).isEmpty();
    }

    @Test
    void placesInTheWarehouseAndElsewhereAreUsed() {
        String warehouse = engine.data().resolve("warehouse").toString();
        run("create table w (a int) location '" + warehouse + "/some/where'", "insert into w values (1)");
        run("create external table a (a int) location '" + folder + "/two'", "insert into a values (2)");
        // Two tables share one folder, as in Hive's own tests.
        run("create external table b (a int) location 'file://" + folder + "/./two/'");
        assertThat(engine.rows(session, "select * from w")).containsExactly("1");
        assertThat(engine.rows(session, "select * from b")).containsExactly("2");
        run("create database d location '" + folder + "/d'", "create table d.t (a int)", "insert into d.t values (3)");
        assertThat(engine.rows(session, "select * from d.t")).containsExactly("3");
        assertThat(folder.resolve("d/t")).isDirectory();
        run("insert overwrite directory '" + warehouse + "/dest.out' select * from w");
        assertThat(Path.of(warehouse, "dest.out")).isNotEmptyDirectory();
    }

    @Test
    void foldersOfTablesAreNoTargetOfADirectory() throws IOException {
        Path external = folder.resolve("e/x");
        run("create table t (a int) stored as textfile", "insert into t values (1)");
        run("create external table e (a int) stored as textfile location '" + external + "'");
        run("insert into e values (2)");
        run("create external table q (a int) partitioned by (p int) location '" + folder + "/q'");
        run("alter table q add partition (p = 1) location '" + folder + "/apart'");
        run("insert into q partition (p = 1) values (3)");
        run("create temporary table m (a int)", "insert into m values (4)");
        run("create external table s1 (a int) stored as textfile location '" + folder + "/shared'");
        run("create external table s2 (a int) stored as textfile location '" + folder + "/shared'");
        String table = engine.location("t");
        for (String target : List.of(
                table,
                table + "/below",
                engine.data() + "/warehouse",
                external + "/below",
                folder + "/e",
                folder + "/shared",
                folder + "/apart")) {
            refused(StandardErrorCode.INVALID_PATH, "insert overwrite directory '" + target + "' select a + 1 from t");
            refused(
                    StandardErrorCode.INVALID_PATH,
                    "from t insert overwrite local directory '" + folder + "/free' select a"
                            + " insert overwrite local directory '" + target.replace("file:", "") + "' select a");
        }
        assertThat(engine.rows(session, "select * from t")).containsExactly("1");
        assertThat(engine.rows(session, "select * from e")).containsExactly("2");
        assertThat(engine.rows(session, "select a from q")).containsExactly("3");
        assertThat(engine.rows(session, "select a from m")).containsExactly("4");
    }

    @Test
    void theFolderOfAnExternalTableHasItsRows() throws IOException {
        Path external = Files.createDirectories(folder.resolve("e/x"));
        Files.createSymbolicLink(folder.resolve("link"), external);
        run("create table t (a int) stored as textfile", "insert into t values (1)");
        run("create external table e (a int) stored as textfile location '" + external + "'");
        run("insert into e values (2)", "analyze table e compute statistics for columns");
        int expected = 2;
        for (String target : List.of(external.toString(), folder + "/e/y/../x", folder + "/link")) {
            expected += 10;
            run("insert overwrite directory '" + target + "' select a + 10 from e union all select null from t");
            run("insert overwrite directory '" + target + "' select a from e where a > 0");
            assertThat(engine.rows(session, "select * from e")).containsExactly(Integer.toString(expected));
            assertThat(engine.rows(session, "select count(*), max(a) from e")).containsExactly("1 | " + expected);
        }
        run("create temporary table hiding (a int)");
        try (SqlSession other = engine.session()) {
            engine.run(
                    other, "create external table hiding (a int) stored as textfile location '" + folder + "/hidden'");
        }
        refused(StandardErrorCode.INVALID_PATH, "insert overwrite directory '" + folder + "/hidden' select a from e");
        run("alter table e set tblproperties ('table_type' = 'ICEBERG')");
        refused(StandardErrorCode.NOT_SUPPORTED, "insert overwrite directory '" + external + "' select a from t");
    }

    @Test
    void directoriesOfOneStatementDoNotOverlap() {
        run("create table t (a int)", "insert into t values (1)");
        refused(
                StandardErrorCode.INVALID_PATH,
                "from t insert overwrite directory '" + folder + "/x' select a insert overwrite directory '" + folder
                        + "/x/y' select a");
    }

    @Test
    void whatAStatementMayDeleteIsItsOwn() throws IOException {
        Path data = Files.createDirectories(folder.resolve("data"));
        Files.writeString(data.resolve("rows"), "1\n");
        refused(StandardErrorCode.INVALID_PATH, "create table c location '" + data + "' as select 2 as a");
        refused(StandardErrorCode.INVALID_PATH, "create temporary table m (a int) location '" + data + "'");
        run("create temporary external table m (a int) stored as textfile location '" + data + "'");
        assertThat(engine.rows(session, "select * from m")).containsExactly("1");
        run("drop table m");
        assertThat(data.resolve("rows")).exists();
        run("create temporary external table m (a int) stored as textfile location '" + data + "'");
        session.close();
        assertThat(data.resolve("rows")).exists();
    }
}
