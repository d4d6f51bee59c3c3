package io.skep.ql.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.SkepException;
import io.skep.metastore.Catalog;
import io.skep.metastore.DroppedFiles;
import io.skep.metastore.Partition;
import io.skep.metastore.Table;
import io.skep.metastore.testing.TestingMetastore;
import io.skep.ql.commit.StepFaults.Fault;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.page.SplitEnumerator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tables and partitions that are dropped while a fault occurs at each step. Either they still exist with all files, or
 * they are gone with all of them.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestFolderRemoval {
    @TempDir(factory = FolderInMemory.class)
    private Path temporary;

    private final HadoopFileSystem fileSystem = new HadoopFileSystem(new Configuration(false));
    private final StepFaults faults = new StepFaults();
    private final TableFiles files =
            FaultyCalls.files(new StoredTableFiles(fileSystem, new SplitEnumerator(fileSystem, 1 << 20)), faults);
    private TestingMetastore metastore;
    private Catalog catalog;
    private Path folder = Path.of("");
    private int number;

    enum Kind {
        TABLE,
        TABLE_OF_PARTITIONS,
        PARTITION
    }

    @BeforeAll
    void open() {
        metastore = TestingMetastore.open();
        catalog = FaultyCalls.of(Catalog.class, metastore.catalog(), faults);
    }

    @AfterAll
    void close() {
        metastore.close();
    }

    private TableCommits started() {
        TableCommits commits = new TableCommits(
                FaultyDisk.of(folder.resolve("commits"), faults),
                files,
                catalog,
                metastore.metastore().transactions(),
                CommitConfig.DEFAULT);
        commits.recover();
        return commits;
    }

    private String name() {
        return "t" + number;
    }

    private Optional<Table> table() {
        return metastore.catalog().table("default", name());
    }

    private void create(boolean isPartitioned) {
        metastore
                .catalog()
                .createTable(CommittedTable.of(
                        name(), folder.resolve("t"), isPartitioned ? List.of(CommittedTable.column("p")) : List.of()));
    }

    /** Creates a table with files. One of its partitions has another location. */
    private void prepare(Kind kind) throws IOException {
        number++;
        folder = Files.createDirectories(temporary.resolve("w" + number));
        create(kind != Kind.TABLE);
        if (kind == Kind.TABLE) {
            file("t/0");
            return;
        }
        file("t/p=1/0");
        file("elsewhere/0");
        Table table = table().orElseThrow();
        metastore
                .catalog()
                .addPartitions(
                        table, List.of(partition(table, "1", "t/p=1"), partition(table, "2", "elsewhere")), false);
    }

    private Partition partition(Table table, String value, String name) {
        return new Partition(
                List.of(value), 0, 0, table.storage().withLocation("file:" + folder.resolve(name)), Map.of());
    }

    private void file(String name) throws IOException {
        Files.createDirectories(folder.resolve(name).getParent());
        Files.writeString(folder.resolve(name), name);
    }

    private List<String> found() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString())
                    .filter(file -> !file.startsWith("commits"))
                    .sorted()
                    .toList();
        }
    }

    private boolean drops(TableCommits commits, Kind kind) {
        Table table = table().orElseThrow();
        try {
            return commits.dropping(List.of(table), "q" + number, drops -> {
                drops.accept(request(kind, table));
                return true;
            });
        } catch (SkepException | AssertionError e) {
            assertThat(e).hasMessageContaining("fails here");
            return false;
        }
    }

    private DropRequest request(Kind kind, Table table) {
        if (kind != Kind.PARTITION) {
            return DropRequest.of(
                    table,
                    catalog.ownFolders(table),
                    DroppedFiles.TRASHED,
                    () -> catalog.dropTable("default", table.name(), DroppedFiles.KEPT));
        }
        List<Partition> doomed = catalog.partitions(table, values -> true);
        return DropRequest.ofPartitions(
                table,
                doomed,
                DroppedFiles.PURGED,
                () -> catalog.dropPartitions(
                        table, doomed.stream().map(Partition::values).toList(), DroppedFiles.KEPT));
    }

    /** Runs the next statement on the table. Before it runs, the failed drop is finished. */
    private void next(TableCommits commits) {
        boolean isOver = commits.exclusively(
                List.of(CommittedTable.of(name(), folder.resolve("t"), List.of())), "next" + number, () -> true);
        assertThat(isOver).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void allGoesOrNothing(Kind kind) throws IOException {
        StepFaults.atSteps("dropping a " + kind, 1, (fault, step) -> fails(kind, fault, step));
    }

    /** Returns false if there are fewer steps. */
    private boolean fails(Kind kind, Fault fault, int step) throws IOException {
        prepare(kind);
        String what = kind + " fails " + fault + " at step " + step;
        List<String> before = found();
        TableCommits commits = started();
        faults.fail(fault, step);
        boolean isDone = drops(commits, kind);
        boolean isReached = faults.isReached();
        faults.repair();
        TableCommits after = fault == Fault.DEATH && isReached ? started() : commits;
        next(after);
        boolean isThere = kind == Kind.PARTITION
                ? !metastore.catalog().partitionNames(table().orElseThrow()).isEmpty()
                : table().isPresent();
        assertThat(found()).as(what).isEqualTo(isThere ? before : List.of());
        assertThat(isDone && isThere).as(what).isFalse();
        next(started());
        try (Stream<Path> noted = Files.list(Files.createDirectories(folder.resolve("commits")))) {
            assertThat(noted).as(what).isEmpty();
        }
        if (table().isPresent()) {
            metastore.catalog().dropTable("default", name(), DroppedFiles.PURGED);
        }
        return isReached;
    }

    /** Another engine may have created a table before the next start. */
    @Test
    void filesOfALaterTableStay() throws IOException {
        prepare(Kind.TABLE);
        TableCommits commits = started();
        Table table = table().orElseThrow();
        assertThat(dies(commits, table)).isTrue();
        create(false);
        started();
        assertThat(found()).containsExactly("t/0");
        metastore.catalog().dropTable("default", name(), DroppedFiles.PURGED);
    }

    private boolean dies(TableCommits commits, Table table) {
        try {
            return commits.dropping(List.of(table), "q" + number, drops -> {
                drops.accept(DropRequest.of(table, catalog.ownFolders(table), DroppedFiles.PURGED, () -> {
                    catalog.dropTable("default", table.name(), DroppedFiles.KEPT);
                    throw new AssertionError("the process dies here");
                }));
                return false;
            });
        } catch (AssertionError e) {
            return true;
        }
    }
}
