package io.skep.ql.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.DroppedFiles;
import io.skep.metastore.FolderMove;
import io.skep.metastore.Table;
import io.skep.metastore.testing.TestingMetastore;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.page.SplitEnumerator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests what other statements do in a table's folder while the table is renamed. Failures at each step are in
 * {@link TestCommitFaults}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestTableRenames {
    private static final String STAGING = StagingFolders.PREFIX + "q7/";

    @TempDir
    private Path folder;

    private final HadoopFileSystem fileSystem = new HadoopFileSystem(new Configuration(false));
    private final TableFiles files = new StoredTableFiles(fileSystem, new SplitEnumerator(fileSystem, 1 << 20));
    private TestingMetastore metastore;

    @BeforeAll
    void open() {
        metastore = TestingMetastore.open();
    }

    @AfterAll
    void close() {
        metastore.close();
    }

    @BeforeEach
    void prepare() {
        metastore.clear();
        files.delete("file:" + folder.resolve("t"));
        files.delete("file:" + folder.resolve("u"));
        metastore.catalog().createTable(CommittedTable.of("t", folder.resolve("t"), List.of()));
        write("t/0");
    }

    private void write(String name) {
        try {
            Files.createDirectories(folder.resolve(name).getParent());
            Files.writeString(folder.resolve(name), name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> found() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(path -> !path.startsWith(folder.resolve("commits")) && !path.equals(folder))
                    .map(path -> folder.relativize(path).toString())
                    .sorted()
                    .toList();
        }
    }

    private TableCommits started() {
        TableCommits commits = new TableCommits(
                folder.resolve("commits"),
                files,
                metastore.catalog(),
                metastore.metastore().transactions(),
                CommitConfig.DEFAULT);
        commits.recover();
        return commits;
    }

    /** @param change the change of the catalog; it receives the action that renames there */
    private void rename(TableCommits commits, String to, Consumer<Runnable> change) {
        Table table = metastore.catalog().table("default", "t").orElseThrow();
        Table renamed = CommittedTable.renamed(table, "u", folder.resolve("u"));
        FolderMove move = new FolderMove(table.storage().location(), to);
        boolean isDone = commits.renaming(List.of(table, renamed), "q1", renames -> {
            renames.accept(RenameRequest.ofTable(
                    table,
                    renamed,
                    Optional.of(move),
                    () -> change.accept(() -> metastore.catalog().alterTable("default", "t", renamed, false))));
            return true;
        });
        assertThat(isDone).isTrue();
    }

    private String to() {
        return "file:" + folder.resolve("u");
    }

    @Test
    void whatOthersWereAboutToWriteGoes() throws IOException {
        write("t/" + STAGING + "0");
        rename(started(), to(), Runnable::run);
        assertThat(found()).containsExactly("u", "u/0");
        assertThat(metastore.catalog().table("default", "u")).isPresent();
    }

    /** A write may create its next file at the table's old location just before the roll-back of the rename. */
    @Test
    void whatOthersWriteMeanwhileIsThereWhenItFails() throws IOException {
        write("t/" + STAGING + "0");
        assertThatThrownBy(() -> rename(started(), to(), inCatalog -> {
                    write("t/" + STAGING + "1");
                    write("t/5");
                    throw new SkepException(StandardErrorCode.METASTORE_ERROR, "it fails here");
                }))
                .hasMessageContaining("it fails here");
        String staging = "t/" + STAGING;
        assertThat(found())
                .containsExactly(
                        "t", staging.substring(0, staging.length() - 1), staging + "0", staging + "1", "t/0", "t/5");
        assertThat(metastore.catalog().table("default", "u")).isEmpty();
    }

    /** Neither file is lost, and no statement reads the table before one of them has another name. */
    @Test
    void filesOfOneNameKeepTheTableClosed() throws IOException {
        TableCommits commits = started();
        assertThatThrownBy(() -> rename(commits, to(), inCatalog -> {
                    write("t/0");
                    throw new SkepException(StandardErrorCode.METASTORE_ERROR, "it fails here");
                }))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.COMMIT_UNFINISHED));
        Table table = metastore.catalog().table("default", "t").orElseThrow();
        assertThatThrownBy(() -> commits.listConsistently(List.of(table), List.of(), seen -> true))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.COMMIT_UNFINISHED));
        Files.move(folder.resolve("t/0"), folder.resolve("t/1"));
        boolean isOpen = commits.listConsistently(List.of(table), List.of(), seen -> true);
        assertThat(isOpen).isTrue();
        assertThat(found()).containsExactly("t", "t/0", "t/1");
    }

    /** The answer was lost, but the change was made. */
    @Test
    void whatTheCatalogHasDoneCounts() throws IOException {
        rename(started(), to(), inCatalog -> {
            inCatalog.run();
            throw new SkepException(StandardErrorCode.METASTORE_ERROR, "it fails here");
        });
        assertThat(found()).containsExactly("u", "u/0");
        assertThat(metastore.catalog().table("default", "t")).isEmpty();
    }

    @Test
    void aTableThatIsGoneMeanwhileLeavesItsFiles() throws IOException {
        assertThatThrownBy(() -> rename(started(), to(), inCatalog -> {
                    metastore.catalog().dropTable("default", "t", DroppedFiles.KEPT);
                    throw new SkepException(StandardErrorCode.METASTORE_ERROR, "it fails here");
                }))
                .hasMessageContaining("it fails here");
        assertThat(found()).containsExactly("t", "t/0");
    }

    @Test
    void aFolderThatCannotBeRenamedStays() throws IOException {
        assertThatThrownBy(() -> rename(started(), "s3a://bucket/u", Runnable::run))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.NOT_SUPPORTED));
        assertThatThrownBy(() -> rename(started(), "hdfs://elsewhere/u", Runnable::run))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.FILE_SYSTEM_ERROR));
        assertThat(found()).containsExactly("t", "t/0");
    }
}
