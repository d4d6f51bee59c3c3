package io.skep.ql.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestTransactionalExports {
    @TempDir
    private Path folder;

    private final TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
    private final SqlSession session = engine.session();

    @BeforeAll
    void write() {
        run("create table t (a int, b string) stored as orc tblproperties ('transactional'='true')");
        run("insert into t values (1, 'x'), (2, 'y')");
        run("delete from t where a = 2");
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        assertThat(engine.reservedBytes()).isZero();
        assertThat(engine.stagingFolders()).isEmpty();
    }

    @AfterAll
    void close() {
        session.close();
        engine.close();
    }

    private void run(String sql) {
        engine.run(session, sql);
    }

    private static Path onlyFile(Path folder, String pattern) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().matches(pattern))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** The identifiers of rows in a file are those of the table that it was written for. */
    @Test
    void filesWithIdentifiersOfRowsAreNotImported() throws IOException {
        Path export = folder.resolve("export");
        run("export table t to 'file:" + export + "'");
        Path table = Path.of(engine.location("t").substring("file:".length()));
        Path delta = onlyFile(table, ".*/delta_[^/]*/bucket_\\d+(_\\d+)?");
        Path data = onlyFile(export.resolve("data"), ".*/0\\d+_0");
        Files.copy(delta, data, StandardCopyOption.REPLACE_EXISTING);
        run("create table known (a int, b string) stored as orc tblproperties ('transactional'='true')");
        run("create table plain (a int, b string) stored as orc tblproperties ('transactional'='false')");
        for (String target : List.of("known", "made", "plain")) {
            assertThatThrownBy(() -> run("import table " + target + " from 'file:" + export + "'"))
                    .as(target)
                    .isInstanceOf(SkepException.class)
                    .hasMessageContaining(data.getFileName().toString());
        }
        assertThat(engine.rows(session, "select * from known")).isEmpty();
        assertThat(engine.rows(session, "select * from plain")).isEmpty();
        assertThat(engine.rows(session, "show tables like 'made'")).isEmpty();
    }

    /** The temporary table that an export writes to is gone afterwards, also when the export fails. */
    @Test
    void noTemporaryTableIsLeft() {
        run("export table t to 'file:" + folder.resolve("first") + "'");
        assertThatThrownBy(() -> run("export table t to 'file:" + folder.resolve("first") + "'"))
                .isInstanceOf(SkepException.class);
        assertThat(engine.rows(session, "show tables like '%export%'")).isEmpty();
        assertThat(engine.rows(session, "select * from t")).containsExactly("1 | x");
    }
}
