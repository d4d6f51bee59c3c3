package io.skep.ql.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skep.common.error.SkepException;
import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests writes that replace a file that can be neither renamed nor deleted. They fail, and nothing has changed. The
 * review's statement reported OK, and both old and new rows were present. Only root can create such files, on file
 * systems that support them; elsewhere the tests are skipped.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestImmovableFiles {
    private final TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
    private final SqlSession session = engine.session();

    @TempDir
    private Path folderOfGiven;

    @BeforeAll
    void possible() throws Exception {
        Path file = Files.createFile(engine.data().resolve("immovable"));
        boolean isPossible = chattr("+i", file);
        chattr("-i", file);
        assumeTrue(isPossible, "chattr +i is not possible here: by this user, or on this file system");
    }

    @AfterAll
    void close() {
        engine.close();
    }

    private static boolean chattr(String flag, Path file) throws InterruptedException {
        try {
            return new ProcessBuilder("chattr", flag, file.toString())
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            overwritten | insert overwrite table ${t} partition (p = 1) select 9
            dynamic     | insert overwrite table ${t} partition (p) select 9, 1 union all select 9, 2
            truncated   | truncate table ${t}
            loaded      | load data local inpath '${f}' overwrite into table ${t} partition (p = 1)
            """)
    void aFileThatCannotGoLetsTheWriteFail(String table, String write) throws Exception {
        engine.run(session, "create table " + table + " (a int) partitioned by (p int) stored as textfile");
        engine.run(session, "insert into " + table + " partition (p = 1) values (1)");
        engine.run(session, "insert into " + table + " partition (p = 1) values (2)");
        engine.run(session, "insert into " + table + " partition (p = 2) values (3)");
        Path folder = Path.of(engine.location(table).substring("file:".length()));
        Path given = Files.writeString(folderOfGiven.resolve(table), "9\n");
        String statement = write.replace("${t}", table).replace("${f}", given.toString());
        List<Path> before = files(folder);
        Path stuck = folder.resolve("p=1/000000_0_copy_1");
        assertThat(before).contains(stuck);
        assertThat(chattr("+i", stuck)).isTrue();
        try {
            assertThatThrownBy(() -> engine.run(session, statement)).isInstanceOf(SkepException.class);
            assertThat(files(folder)).isEqualTo(before);
            assertThat(rows(table)).containsExactly("1 | 1", "2 | 1", "3 | 2");
            assertThat(engine.rows(session, "select count(*) from " + table)).containsExactly("3");
        } finally {
            chattr("-i", stuck);
        }
        engine.run(session, statement);
        assertThat(rows(table)).doesNotContain("1 | 1", "2 | 1");
    }

    private List<String> rows(String table) {
        return engine.rows(session, "select a, p from " + table + " order by a");
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> found = Files.walk(folder)) {
            return found.filter(Files::isRegularFile).sorted().toList();
        }
    }
}
