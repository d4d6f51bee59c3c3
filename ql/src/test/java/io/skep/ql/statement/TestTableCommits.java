package io.skep.ql.statement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Partition;
import io.skep.metastore.Table;
import io.skep.metastore.testing.TestingMetastore;
import io.skep.ql.statement.TableCommits.Step;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.page.SplitEnumerator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commits that were interrupted, ended by the next start. */
final class TestTableCommits {
    @TempDir
    private Path folder;

    private final TestingMetastore metastore = TestingMetastore.open();
    private final HadoopFileSystem fileSystem = new HadoopFileSystem(new Configuration(false));
    private final TableFiles files = new StoredTableFiles(fileSystem, new SplitEnumerator(fileSystem, 1 << 20));

    @AfterEach
    void close() {
        metastore.close();
    }

    /** As the server is when it starts. */
    private TableCommits started() {
        TableCommits commits = new TableCommits(folder.resolve("commits"), files);
        commits.recover(metastore.catalog());
        return commits;
    }

    private Path file(String name) throws IOException {
        Files.createDirectories(folder.resolve(name).getParent());
        return Files.writeString(folder.resolve(name), name);
    }

    private Step.Move move(String from, String to) {
        return new Step.Move("file:" + folder.resolve(from), "file:" + folder.resolve(to));
    }

    private Step.Delete delete(String name) {
        return new Step.Delete("file:" + folder.resolve(name));
    }

    private Table table(List<FieldSchema> keys) {
        metastore.catalog().createTable(CommittedTable.of("t", folder.resolve("t"), keys));
        return metastore.catalog().table("default", "t").orElseThrow();
    }

    private Step.InCatalog place(String partition) {
        String suffix = partition.isEmpty() ? "" : "/" + partition;
        return new Step.InCatalog("default", "t", partition, "file:" + folder.resolve("t") + suffix);
    }

    private void assertNothingNoted() throws IOException {
        try (Stream<Path> notes = Files.list(folder.resolve("commits"))) {
            assertThat(notes).isEmpty();
        }
    }

    @Test
    void aDeathBeforeTheCatalogWasToldLeavesUnknownFigures() throws IOException {
        table(List.of());
        file("staging/0");
        List<Step> steps = List.of(move("staging/0", "t/000000_0"), delete("staging"), place(""));
        assertThatThrownBy(() -> started().commit("q-0", List.of(), () -> steps, TestTableCommits::die))
                .isInstanceOf(AssertionError.class);
        assertThat(folder.resolve("t/000000_0")).hasContent("staging/0");
        started();
        assertThat(metastore.catalog().table("default", "t").orElseThrow().properties())
                .doesNotContainKey(TableFigures.ACCURATE);
        assertNothingNoted();
    }

    @Test
    void aNewPartitionComesIntoTheCatalog() throws IOException {
        Table table = table(List.of(CommittedTable.column("p")));
        file("staging/p=1/0");
        List<Step> steps = List.of(move("staging/p=1/0", "t/p=1/000000_0"), place("p=1"));
        assertThatThrownBy(() -> started().commit("q-0", List.of(), () -> steps, TestTableCommits::die))
                .isInstanceOf(AssertionError.class);
        assertThat(metastore.catalog().partitionNames(table)).isEmpty();
        started();
        Partition partition = metastore.catalog().partition(table, List.of("1")).orElseThrow();
        assertThat(partition.storage().location()).endsWith("/t/p=1");
        assertNothingNoted();
    }

    @Test
    void aFailingCatalogLeavesOnlyItsRepair() throws IOException {
        table(List.of());
        file("t/old");
        file("staging/0");
        List<Step> steps = List.of(delete("t/old"), move("staging/0", "t/000000_0"), place(""));
        TableCommits commits = started();
        assertThatThrownBy(() -> commits.commit("q-0", List.of(), () -> steps, () -> {
                    throw new IllegalStateException("no catalog");
                }))
                .hasMessage("no catalog");
        assertThat(commits.isUnfinished("q-0")).isTrue();
        // Another commit may use the name of a file that has gone.
        file("t/old");
        started();
        assertThat(folder.resolve("t/old")).exists();
        assertThat(metastore.catalog().table("default", "t").orElseThrow().properties())
                .doesNotContainKey(TableFigures.ACCURATE);
        assertNothingNoted();
    }

    @Test
    void whatCouldNotBeMovedIsMovedUnderAFreeName() throws IOException {
        table(List.of());
        file("staging/0");
        file("staging/1");
        file("t/000001_0");
        List<Step> steps =
                List.of(move("staging/0", "t/000000_0"), move("staging/1", "t/000001_0"), delete("staging"), place(""));
        TableCommits commits = started();
        assertThatThrownBy(() -> commits.commit("q-0", List.of(), () -> steps, () -> {}))
                .isInstanceOf(SkepException.class);
        assertThat(commits.isUnfinished("q-0")).isTrue();
        started();
        assertThat(folder.resolve("t/000001_0")).hasContent("t/000001_0");
        assertThat(folder.resolve("t/000001_0_copy_1")).hasContent("staging/1");
        assertThat(folder.resolve("staging")).doesNotExist();
        assertNothingNoted();
    }

    @Test
    void foldersOfTheDeadAreDeletedAndThoseOfOthersAreNot() throws IOException {
        TransientFolders mine = started().folders();
        mine.note("file:" + folder.resolve("t/.skep-staging-q1"));
        file("t/.skep-staging-q1/0");
        file("t/.skep-staging-q2/0");
        mine.note("file:" + folder.resolve("never-made"));
        Files.writeString(folder.resolve("commits/torn.folder"), "file:" + folder.resolve("t"));
        started();
        assertThat(folder.resolve("t/.skep-staging-q1")).doesNotExist();
        assertThat(folder.resolve("t/.skep-staging-q2/0")).exists();
        assertNothingNoted();
    }

    private static void die() {
        throw new AssertionError("the process dies here");
    }
}
