package io.skep.ql.insert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Datum;
import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests LOAD: copies and moves, files with the same name, partitions, and rejected statements. */
final class TestLoad {
    private final TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        engine.close();
    }

    private Path file(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content);
    }

    private static Datum number(long value) {
        return new Datum.OfLong(value);
    }

    private static StandardErrorCode code(Throwable failure) {
        return ((SkepException) failure).code();
    }

    @Test
    void copiesLocalFilesAndMovesOthers() throws IOException {
        Path local = file("a.txt", "1\n2\n");
        Path moved = file("b.txt", "3\n");
        try (SqlSession session = engine.session()) {
            engine.run(session, "create table t (k int) stored as textfile");
            engine.run(session, "load data local inpath '" + local + "' into table t");
            engine.run(session, "load data local inpath 'file:" + local + "' into table t");
            engine.run(session, "load data inpath '" + moved + "' into table t");
            assertThat(local).exists();
            assertThat(moved).doesNotExist();
            assertThat(engine.run(session, "select count(*), sum(k) from t"))
                    .containsExactly(List.of(number(5), number(9)));
            engine.run(session, "load data local inpath '" + folder + "/*.txt' overwrite into table t");
            assertThat(engine.run(session, "select k from t order by k"))
                    .containsExactly(List.of(number(1)), List.of(number(2)));
        }
    }

    @Test
    void loadsPartitions() throws IOException {
        Path local = file("a.txt", "1\n2\n");
        try (SqlSession session = engine.session()) {
            engine.run(session, "create table p (k int) partitioned by (ds string, hr int) stored as textfile");
            engine.run(session, "load data local inpath '" + local + "' into table p partition (ds='x', hr='01')");
            assertThat(engine.run(session, "select hr, ds, sum(k) from p group by hr, ds"))
                    .containsExactly(List.of(number(1), Datum.ofText("x"), number(3)));
            Path named = file("b.txt", "7\u0001y\u00012\n");
            engine.run(session, "load data local inpath '" + named + "' into table p");
            assertThat(engine.run(session, "select hr, ds, k from p where ds = 'y'"))
                    .containsExactly(List.of(number(2), Datum.ofText("y"), number(7)));
            assertThat(named).hasContent("7\u0001y\u00012");
        }
    }

    @Test
    void refusesWhatIsNotThereOrOfAnotherFormat() throws IOException {
        Path text = file("a.txt", "1\n2\n");
        try (SqlSession session = engine.session()) {
            engine.run(session, "create table o (k int) stored as orc");
            assertThatThrownBy(() -> engine.run(session, "load data local inpath '/no/such' into table o"))
                    .extracting(TestLoad::code)
                    .isEqualTo(StandardErrorCode.MISSING_FILE);
            assertThatThrownBy(() -> engine.run(session, "load data local inpath '" + text + "' into table o"))
                    .extracting(TestLoad::code)
                    .isEqualTo(StandardErrorCode.SEMANTIC_ERROR);
            assertThat(engine.run(session, "select count(*) from o")).containsExactly(List.of(number(0)));
        }
    }

    private void refused(SqlSession session, String statement) {
        assertThatThrownBy(() -> engine.run(session, statement))
                .as(statement)
                .extracting(TestLoad::code)
                .isIn(StandardErrorCode.INVALID_PATH, StandardErrorCode.ACCESS_DENIED);
    }

    @Test
    void aTablesOwnFolderIsNoSource() {
        try (SqlSession session = engine.session()) {
            engine.run(session, "create table t (k int) stored as textfile");
            engine.run(session, "insert into t values (1), (2)");
            engine.run(session, "create table p (k int) partitioned by (ds string) stored as textfile");
            engine.run(session, "insert into p partition (ds='x') values (3)");
            String t = engine.location("t");
            String p = engine.location("p");
            for (String overwrite : List.of("", "overwrite")) {
                for (String local : List.of("", "local")) {
                    String load = "load data " + local + " inpath '%s' " + overwrite + " into table ";
                    refused(session, load.formatted(t) + "t");
                    refused(session, load.formatted(t + "/") + "t");
                    refused(session, load.formatted(t + "/../t/./000000_0") + "t");
                    refused(session, load.formatted(t + "/0*") + "t");
                    refused(session, load.formatted(p + "/ds=x") + "p partition (ds='x')");
                    refused(session, load.formatted(p + "/ds=x") + "p partition (ds='y')");
                }
            }
            assertThat(engine.rows(session, "select k from t order by k")).containsExactly("1", "2");
            assertThat(engine.rows(session, "select k, ds from p")).containsExactly("3 | x");
        }
    }

    @Test
    void filesOfOtherTablesAreNotMovedAway() throws IOException {
        Path external = Files.createDirectories(folder.resolve("e"));
        Files.writeString(external.resolve("a.txt"), "7\n");
        Path apart = Files.createDirectories(folder.resolve("apart"));
        Files.createSymbolicLink(folder.resolve("link"), external);
        try (SqlSession session = engine.session()) {
            engine.run(session, "create table t (k int) stored as textfile");
            engine.run(session, "create table other (k int) stored as textfile");
            engine.run(session, "insert into other values (1)");
            engine.run(session, "create external table e (k int) stored as textfile location '" + external + "'");
            engine.run(
                    session,
                    "create external table x (k int) partitioned by (p int) stored as textfile location '"
                            + folder.resolve("x") + "'");
            engine.run(session, "alter table x add partition (p = 1) location '" + apart + "'");
            engine.run(session, "insert into x partition (p = 1) values (5)");
            engine.run(session, "create temporary table tmp (k int) stored as textfile");
            engine.run(session, "insert into tmp values (6)");
            for (String source : List.of(
                    engine.location("other"),
                    external.toString(),
                    external + "/a.txt",
                    folder + "/link/*.txt",
                    apart.toString())) {
                refused(session, "load data inpath '" + source + "' into table t");
            }
            assertThat(engine.rows(session, "select k from t")).isEmpty();
            assertThat(engine.rows(session, "select k from other")).containsExactly("1");
            assertThat(engine.rows(session, "select k from e")).containsExactly("7");
            assertThat(engine.rows(session, "select k from x")).containsExactly("5");
            // A copy leaves the source files in place.
            engine.run(session, "load data local inpath '" + external + "' into table t");
            assertThat(engine.rows(session, "select k from t")).containsExactly("7");
        }
    }

    @Test
    void namesWithControlCharactersAndLinksAreRefused() throws IOException {
        Path odd = Files.createDirectories(folder.resolve("odd"));
        Files.writeString(odd.resolve("a\tb"), "1\n");
        Path linked = Files.createDirectories(folder.resolve("linked"));
        Files.createSymbolicLink(linked.resolve("b"), file("target", "1\n"));
        try (SqlSession session = engine.session()) {
            engine.run(session, "create table t (k int) stored as textfile");
            refused(session, "load data inpath '" + odd + "' into table t");
            refused(session, "load data local inpath '" + odd + "' into table t");
            refused(session, "load data inpath '" + odd + "/a\\tb' into table t");
            refused(session, "load data inpath '" + linked + "' into table t");
            assertThat(odd.resolve("a\tb")).exists();
            engine.run(session, "load data local inpath '" + linked + "' into table t");
            assertThat(engine.rows(session, "select k from t")).containsExactly("1");
        }
    }

    @Test
    void foldersOfTheServerAreNoSource() throws IOException {
        Path journals = Files.createDirectories(engine.data().resolve("commits"));
        Files.writeString(journals.resolve("x"), "1\n");
        try (SqlSession session = engine.session()) {
            engine.run(session, "create table t (k int) stored as textfile");
            refused(session, "load data inpath '" + journals + "' into table t");
            refused(session, "load data local inpath '" + journals + "/x' into table t");
            assertThat(journals.resolve("x")).exists();
        }
    }
}
