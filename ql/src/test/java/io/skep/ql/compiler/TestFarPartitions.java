package io.skep.ql.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skep.metastore.database.Trees;
import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Tests writes to a partition on another disk than its table. Files are first copied to a place from which they can be
 * renamed, and nothing else is left there.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestFarPartitions {
    private static final Path MEMORY = Path.of("/dev/shm");

    private final TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
    private final SqlSession session = engine.session();
    private Path far = MEMORY;

    @BeforeAll
    void open() throws IOException {
        assumeTrue(
                Files.isWritable(MEMORY) && !Files.getFileStore(MEMORY).equals(Files.getFileStore(engine.data())),
                "there is no second disk: /dev/shm");
        far = Files.createTempDirectory(MEMORY, "skep-far");
    }

    @AfterAll
    void close() throws IOException {
        engine.close();
        if (!far.equals(MEMORY)) {
            Trees.delete(far);
        }
    }

    @Test
    void rowsAreCommittedAndReplacedThere() throws IOException {
        engine.run(session, "create table t (a int) partitioned by (p int) stored as textfile");
        engine.run(session, "alter table t add partition (p = 1) location '" + far + "'");
        engine.run(session, "insert into t partition (p = 1) values (1)");
        engine.run(session, "insert into t partition (p) select 2, 1 union all select 3, 2");
        assertThat(engine.rows(session, "select a, p from t order by a")).containsExactly("1 | 1", "2 | 1", "3 | 2");
        engine.run(session, "insert overwrite table t partition (p) select 4, 1 union all select 5, 2");
        assertThat(engine.rows(session, "select a, p from t order by a")).containsExactly("4 | 1", "5 | 2");
        assertThat(engine.rows(session, "select count(*) from t")).containsExactly("2");
        try (Stream<Path> found = Files.list(far)) {
            assertThat(found).hasSize(1).allMatch(Files::isRegularFile);
        }
    }
}
