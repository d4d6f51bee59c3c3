package io.skep.ql.compaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.metastore.Catalog;
import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server dies after it has moved files into the folder of a transaction, and before the transaction commits. The
 * files go back to where they came from before anything deletes that folder.
 */
final class TestKilledLoads {
    private static final String INSERT_ONLY =
            " stored as textfile tblproperties ('transactional'='true', 'transactional_properties'='insert_only')";

    private volatile boolean isDying;

    private final TestingEngine engine =
            new TestingEngine(PlanningLimits.DEFAULT, UnaryOperator.identity(), UnaryOperator.identity(), this::dying);
    private final SqlSession session = engine.session();

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        session.close();
        engine.close();
    }

    /** Returns a catalog whose changes a dying server does not make. */
    private Catalog dying(Catalog catalog) {
        return (Catalog) Proxy.newProxyInstance(
                Catalog.class.getClassLoader(), new Class<?>[] {Catalog.class}, (_, method, arguments) -> {
                    if (isDying
                            && List.of("alterTable", "recordWrite", "addPartitions")
                                    .contains(method.getName())) {
                        throw new AssertionError("it dies");
                    }
                    try {
                        return method.invoke(catalog, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void dies(String statement) {
        isDying = true;
        assertThatThrownBy(() -> engine.run(session, statement))
                .isInstanceOf(AssertionError.class)
                .hasMessage("it dies");
        isDying = false;
    }

    private void clean() {
        CompactionThresholds all = new CompactionThresholds(10, 0.1, 0, Duration.ZERO);
        new CompactionCleaner(engine.compactionParts(), all, InstantSource.system(), () -> false).run();
    }

    private static List<Path> filesBelow(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(Files::isRegularFile)
                    .filter(file -> !file.getFileName().toString().startsWith("."))
                    .toList();
        }
    }

    @Test
    void theCleanerFindsNoLoadedFiles() throws IOException {
        Path given = Files.writeString(folder.resolve("a.txt"), "1\n2\n");
        engine.run(session, "create table t (a int)" + INSERT_ONLY);
        dies("load data inpath '" + given + "' into table t");
        assertThat(given).doesNotExist();
        assertThat(filesBelow(engine.folder("t"))).hasSize(1);
        clean();
        assertThat(given).hasContent("1\n2\n");
        assertThat(filesBelow(engine.folder("t"))).isEmpty();
        engine.run(session, "load data inpath '" + given + "' into table t");
        clean();
        assertThat(engine.rows(session, "select sum(a) from t")).containsExactly("3");
    }

    @Test
    void theNextStatementGivesFilesBack() throws IOException {
        Path given = Files.writeString(folder.resolve("a.txt"), "1\n2\n");
        engine.run(session, "create table t (a int)" + INSERT_ONLY);
        engine.run(session, "insert into t values (7)");
        dies("load data inpath '" + given + "' overwrite into table t");
        assertThat(given).doesNotExist();
        assertThat(engine.rows(session, "select a from t")).containsExactly("7");
        assertThat(given).hasContent("1\n2\n");
    }

    @Test
    void filesOfANewPartitionStay() throws IOException {
        Path given =
                Files.writeString(Files.createDirectories(folder.resolve("new")).resolve("a.txt"), "1\n2\n");
        engine.run(session, "create table p (a int) partitioned by (d int)" + INSERT_ONLY);
        dies("alter table p add partition (d=1) location '" + given.getParent() + "'");
        assertThat(given).doesNotExist();
        clean();
        assertThat(engine.rows(session, "select count(*) from p")).containsExactly("0");
        assertThat(given).hasContent("1\n2\n");
        assertThat(filesBelow(engine.folder("p"))).isEmpty();
        assertThat(engine.rows(session, "show partitions p")).isEmpty();
        engine.run(session, "alter table p add partition (d=1) location '" + given.getParent() + "'");
        clean();
        assertThat(engine.rows(session, "select sum(a) from p")).containsExactly("3");
    }
}
