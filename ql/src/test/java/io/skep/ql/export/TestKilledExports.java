package io.skep.ql.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.SkepException;
import io.skep.ql.SqlSession;
import io.skep.ql.commit.StepFaults;
import io.skep.ql.commit.StepFaults.Fault;
import io.skep.ql.testing.TestingEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A server fails, dies, or loses its metastore and its files, at a step of EXPORT or IMPORT. Then the export or the
 * table is whole or not there, the statement can be run again unless it is whole, and what was read is as it was.
 */
@Timeout(1800)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestKilledExports {
    private static final int STRIDE = 7;
    private static final String FULL = " stored as orc tblproperties ('transactional'='true')";
    private static final String INSERT_ONLY =
            " tblproperties ('transactional'='true', 'transactional_properties'='insert_only')";

    enum Kind {
        TABLE("t", ""),
        PARTITIONS("p", ""),
        ONE_PARTITION("p", " partition (d='one')"),
        ROW_IDS("acid", ""),
        ROW_IDS_PARTITIONS("acidp", ""),
        INSERT_ONLY("mm", ""),
        INSERT_ONLY_PARTITIONS("mmp", " partition (d='one')");

        private final String table;
        private final String partition;

        Kind(String table, String partition) {
            this.table = table;
            this.partition = partition;
        }
    }

    @TempDir
    private Path folder;

    private final StepFaults faults = new StepFaults();
    private TestingEngine engine;
    private SqlSession session;

    @BeforeAll
    void open() {
        engine = TestingEngine.failing(faults);
        session = engine.session();
        run("create table t (a int, b string)");
        run("insert into t values (1, 'x')");
        run("insert into t values (2, 'y')");
        run("create table p (a int) partitioned by (d string) stored as orc");
        run("insert into p partition (d) values (1, 'one'), (2, 'two')");
        run("create table acid (a int, b string)" + FULL);
        // One file each, since the number of files that an export gets depends on the tasks that read more than one.
        run("insert into acid values (1, 'x'), (2, 'y'), (3, 'z')");
        run("delete from acid where a = 2");
        run("create table acidp (a int) partitioned by (d string)" + FULL);
        run("insert into acidp partition (d) values (1, 'one'), (2, 'one'), (3, 'two')");
        run("delete from acidp where a = 2");
        run("create table mm (a int, b string)" + INSERT_ONLY);
        run("insert into mm values (1, 'x'), (2, 'y')");
        run("create table mmp (a int) partitioned by (d string)" + INSERT_ONLY);
        run("insert into mmp partition (d) values (1, 'one'), (2, 'two')");
    }

    @AfterAll
    void close() {
        session.close();
        engine.close();
    }

    private void run(String statement) {
        engine.run(session, statement);
    }

    private List<String> rows(String table) {
        List<String> rows = new ArrayList<>(engine.rows(session, "select * from " + table));
        rows.sort(null);
        return rows;
    }

    private boolean succeeds(String statement) {
        try {
            run(statement);
            return true;
        } catch (SkepException | AssertionError e) {
            return false;
        }
    }

    /** A dead server finishes or undoes what was cut off when it starts again. */
    private void repair(Fault fault) {
        faults.repair();
        engine.endTransactions();
        if (fault == Fault.DEATH) {
            engine.compactionParts().commits().recover();
        }
    }

    private Path target() {
        return folder.resolve("export");
    }

    /** Returns the files of an export but for those that are hidden. */
    private List<String> exported() throws IOException {
        if (!Files.exists(target())) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(target())) {
            return all.filter(Files::isRegularFile)
                    .map(path -> target().relativize(path).toString())
                    .filter(path -> !path.startsWith(".skep-"))
                    .sorted()
                    .toList();
        }
    }

    private void deleteExport() throws IOException {
        if (Files.exists(target())) {
            try (Stream<Path> all = Files.walk(target())) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    private String export(Kind kind) {
        return "export table " + kind.table + kind.partition + " to 'file:" + target() + "'";
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void anExportIsWholeOrNotThere(Kind kind) throws IOException {
        run("drop table if exists n");
        deleteExport();
        run(export(kind));
        List<String> whole = exported();
        assertThat(whole).contains("_metadata").hasSizeGreaterThan(1);
        List<String> rows = rows(kind.table);
        StepFaults.atSteps("export " + kind, STRIDE, EnumSet.allOf(Fault.class), (fault, step) -> {
            String what = "EXPORT of " + kind + " fails " + fault + " at step " + step;
            deleteExport();
            faults.fail(fault, step);
            boolean isDone = succeeds(export(kind));
            boolean isReached = faults.isReached();
            repair(fault);
            assertThat(exported()).as(what).isIn(isDone ? List.of(whole) : List.of(whole, List.of()));
            boolean isAgain = succeeds(export(kind));
            assertThat(isDone && isAgain).as(what).isFalse();
            assertThat(exported()).as(what).isEqualTo(whole);
            assertThat(rows(kind.table)).as(what).isEqualTo(rows);
            return isReached;
        });
        run("import table n from 'file:" + target() + "'");
        assertThat(rows("n"))
                .isEqualTo(rows.stream()
                        .filter(row -> kind.partition.isEmpty() || row.endsWith("one"))
                        .toList());
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void anImportedTableIsWholeOrNotThere(Kind kind) throws IOException {
        run("drop table if exists n");
        deleteExport();
        run(export(kind));
        List<String> whole = exported();
        String statement = "import table n from 'file:" + target() + "'";
        run(statement);
        List<String> rows = rows("n");
        StepFaults.atSteps("import " + kind, STRIDE, EnumSet.allOf(Fault.class), (fault, step) -> {
            String what = "IMPORT of " + kind + " fails " + fault + " at step " + step;
            run("drop table if exists n");
            faults.fail(fault, step);
            boolean isDone = succeeds(statement);
            boolean isReached = faults.isReached();
            repair(fault);
            boolean isThere = succeeds("select * from n");
            assertThat(isThere || !isDone).as(what).isTrue();
            if (!isThere) {
                run(statement);
            }
            assertThat(rows("n")).as(what).isEqualTo(rows);
            assertThat(exported()).as(what).isEqualTo(whole);
            return isReached;
        });
    }

    private static Stream<Arguments> targets() {
        return Stream.of(
                Arguments.of(Kind.ONE_PARTITION, " stored as orc"),
                Arguments.of(Kind.ONE_PARTITION, FULL),
                Arguments.of(Kind.INSERT_ONLY_PARTITIONS, INSERT_ONLY));
    }

    @ParameterizedTest
    @MethodSource("targets")
    void anImportedPartitionIsWholeOrNotThere(Kind kind, String options) throws IOException {
        deleteExport();
        run(export(kind));
        String statement = "import table q from 'file:" + target() + "'";
        StepFaults.atSteps("import of a partition" + options, STRIDE, EnumSet.allOf(Fault.class), (fault, step) -> {
            String what = "IMPORT of a partition fails " + fault + " at step " + step;
            run("drop table if exists q");
            run("create table q (a int) partitioned by (d string)" + options);
            run("insert into q partition (d='kept') values (7)");
            faults.fail(fault, step);
            boolean isDone = succeeds(statement);
            boolean isReached = faults.isReached();
            repair(fault);
            List<String> found = rows("q");
            assertThat(found).as(what).isIn(List.of("1 | one", "7 | kept"), List.of("7 | kept"));
            assertThat(found.size() == 2 || !isDone).as(what).isTrue();
            if (found.size() == 1) {
                run(statement);
            }
            assertThat(rows("q")).as(what).containsExactly("1 | one", "7 | kept");
            return isReached;
        });
    }
}
