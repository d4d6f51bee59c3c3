package io.skep.ql.alter;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests which folders MSCK turns into partitions and which it does not. */
final class TestRepairedTables {
    @Test
    void aFolderWithoutAValueIsNoPartition() throws IOException {
        try (TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
                SqlSession session = engine.session()) {
            engine.run(session, "create table t (i int) partitioned by (p string, q int)");
            Path table = engine.folder("t");
            for (String name : List.of("p=/q=1", "p=x/q=", "p=x/q=1", "P=y/q=2", "p=__HIVE_DEFAULT_PARTITION__/q=3")) {
                Path folder = Files.createDirectories(table.resolve(name));
                Files.writeString(folder.resolve("000000_0"), "1\n");
            }
            engine.run(session, "msck repair table t");
            assertThat(engine.rows(session, "show partitions t"))
                    .containsExactly("p=__HIVE_DEFAULT_PARTITION__/q=3", "p=x/q=1", "p=y/q=2");
            assertThat(engine.rows(session, "select count(*), sum(i), sum(q) from t"))
                    .containsExactly("3 | 3 | 6");
        }
    }
}
