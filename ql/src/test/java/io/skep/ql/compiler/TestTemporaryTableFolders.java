package io.skep.ql.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that a temporary table is dropped with its folder, unless the folder also belongs to another table. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestTemporaryTableFolders {
    @TempDir
    private Path folder;

    private final TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
    private int tables;

    @AfterAll
    void close() {
        engine.close();
    }

    private Path place() {
        return folder.resolve("t" + tables++);
    }

    private void temporary(SqlSession session, Path place) {
        engine.run(session, "create temporary table tt (a int) stored as textfile location '" + place + "'");
        engine.run(session, "insert into tt values (1)");
    }

    @Test
    void goesWithItsSession() {
        Path place = place();
        try (SqlSession session = engine.session()) {
            temporary(session, place);
            assertThat(place).exists();
        }
        assertThat(place).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/in", "/.."})
    void staysWhereAnotherTableIs(String beside) throws IOException {
        Path place = Files.createDirectories(place().resolve("x"));
        Path other = Files.createDirectories(place.resolve(beside.replaceFirst("/", "")))
                .normalize();
        try (SqlSession session = engine.session()) {
            temporary(session, place);
            try (SqlSession another = engine.session()) {
                String name = "o" + tables;
                engine.run(
                        another,
                        "create external table " + name + " (a int) stored as textfile location '" + other + "'");
                engine.run(another, "insert into " + name + " values (2)");
            }
        }
        try (SqlSession another = engine.session()) {
            assertThat(engine.rows(another, "select * from o" + tables)).contains("2");
        }
    }

    @Test
    void staysWhereAnotherTableIsWhenItIsDropped() {
        Path place = place();
        try (SqlSession session = engine.session()) {
            temporary(session, place);
            engine.run(session, "create external table kept (a int) stored as textfile location '" + place + "'");
            engine.run(session, "insert into kept values (2)");
            engine.run(session, "drop table tt");
            assertThat(engine.rows(session, "select * from kept")).contains("2");
        }
    }
}
