package io.skep.ql.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.SkepException;
import io.skep.metastore.DroppedFiles;
import io.skep.metastore.Partition;
import io.skep.metastore.Table;
import io.skep.metastore.testing.TestingMetastore;
import io.skep.ql.commit.FaultyFiles.Fault;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.page.SplitEnumerator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every kind of write fails at every one of its changes of files, in every way. Then the table is what it was or what it was to become,
 * nothing in between; and so it stays over later commits and two starts.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestCommitFaults {
    /** More changes than any of these writes makes. */
    private static final int MAX_CHANGES = 200;

    @TempDir
    private Path temporary;

    private final HadoopFileSystem fileSystem = new HadoopFileSystem(new Configuration(false));
    private final FaultyFiles files =
            new FaultyFiles(new StoredTableFiles(fileSystem, new SplitEnumerator(fileSystem, 1 << 20)));
    private TestingMetastore metastore;
    private Path folder;
    private int number;

    /** One kind of write is enough to fail at what is forced to the disk, which is most changes. */
    private boolean isForced;

    enum Kind {
        INSERT,
        OVERWRITE,
        TRUNCATE,
        DYNAMIC_PARTITIONS,
        LOAD,
        LOAD_OVERWRITE,
        DIRECTORY,
        CREATE,
        TWO_TABLES,
        EXCHANGE
    }

    @BeforeAll
    void open() {
        metastore = TestingMetastore.open();
        folder = temporary;
    }

    @AfterAll
    void close() {
        metastore.close();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aWriteIsWholeOrNotThere(Kind kind) throws IOException {
        for (Fault fault : Fault.values()) {
            int change = 0;
            while (fails(kind, fault, change)) {
                change++;
                assertThat(change).isLessThan(MAX_CHANGES);
            }
            assertThat(change).as("changes of %s", kind).isGreaterThan(1);
        }
    }

    /** False when the write makes fewer changes. */
    private boolean fails(Kind kind, Fault fault, int change) throws IOException {
        number++;
        String what = kind + " fails " + fault + " at change " + change;
        folder = Files.createDirectories(temporary.resolve("w" + number));
        isForced = kind == Kind.INSERT;
        TableCommits commits = started();
        prepare(kind);
        List<String> before = rows(commits, kind);
        files.fail(fault, change);
        boolean isDone = false;
        try {
            commits.commit(request(kind, "q" + number));
            isDone = true;
        } catch (SkepException | AssertionError e) {
            assertThat(e).hasMessageContaining("here");
        }
        boolean isReached = files.isReached();
        files.repair();
        boolean isDead = isReached && fault == Fault.DEATH;
        TableCommits after = isDead ? started() : commits;
        List<String> rows = rows(after, kind);
        if (isDone) {
            assertThat(rows).as(what).isEqualTo(expected(kind));
        } else {
            assertThat(List.of(before, expected(kind))).as(what).contains(rows);
        }
        later(after, kind, rows, what);
        drop(kind);
        return isReached;
    }

    /** Commits that come afterwards, and two starts, change nothing of what was seen. */
    private void later(TableCommits commits, Kind kind, List<String> rows, String what) throws IOException {
        List<String> expected = new ArrayList<>(rows);
        boolean isThere = kind != Kind.DIRECTORY
                && metastore.catalog().table("default", name("t")).isPresent();
        if (isThere && kind != Kind.DYNAMIC_PARTITIONS && kind != Kind.EXCHANGE) {
            Random random = new Random(number);
            for (int i = 0; i < 3; i++) {
                String row = "later" + i;
                boolean isReplaced = random.nextBoolean();
                file("t/.later" + i + "/0", row);
                Table table = table("t");
                int staged = i;
                commits.commit(CommitRequest.of(
                        "later" + number + "-" + i,
                        List.of(table),
                        plan -> {
                            if (isReplaced) {
                                plan.retire(path("t"), table);
                            }
                            arrive(plan, "t/.later" + staged, "t");
                            plan.change(table);
                        },
                        () -> {}));
                if (isReplaced) {
                    expected.removeIf(old -> old.startsWith("t "));
                }
                expected.add("t " + row);
            }
        }
        expected.sort(null);
        assertThat(rows(commits, kind)).as(what).isEqualTo(expected);
        started();
        assertThat(rows(started(), kind)).as(what + ", after two starts").isEqualTo(expected);
        assertNothingLeft(what);
    }

    private void assertNothingLeft(String what) throws IOException {
        try (Stream<Path> noted = Files.list(folder.resolve("commits"))) {
            assertThat(noted).as(what).isEmpty();
        }
        try (Stream<Path> all = Files.walk(folder)) {
            assertThat(all.filter(path -> path.getFileName().toString().startsWith(".skep-retired")))
                    .as(what)
                    .isEmpty();
        }
    }

    private TableCommits started() throws IOException {
        Files.createDirectories(folder.resolve("commits"));
        CommitConfig config = new CommitConfig(Duration.ofMinutes(4), Duration.ofMinutes(4), isForced, List.of("file"));
        TableCommits commits = new TableCommits(folder.resolve("commits"), files, metastore.catalog(), config);
        commits.recover();
        return commits;
    }

    private String name(String table) {
        return table + number;
    }

    private Table table(String name) {
        return metastore.catalog().table("default", name(name)).orElseThrow();
    }

    private void create(String name, boolean isPartitioned) {
        metastore
                .catalog()
                .createTable(CommittedTable.of(
                        name(name),
                        folder.resolve(name),
                        isPartitioned ? List.of(CommittedTable.column("p")) : List.of()));
    }

    private String path(String name) {
        return "file:" + folder.resolve(name);
    }

    private void file(String name, String row) {
        try {
            Files.createDirectories(folder.resolve(name).getParent());
            Files.writeString(folder.resolve(name), row);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Two old rows, and two new ones beside them. */
    private void prepare(Kind kind) {
        boolean isPartitioned = kind == Kind.DYNAMIC_PARTITIONS || kind == Kind.EXCHANGE;
        if (kind != Kind.CREATE && kind != Kind.DIRECTORY) {
            create("t", isPartitioned);
        }
        if (kind == Kind.TWO_TABLES || kind == Kind.EXCHANGE) {
            create("u", isPartitioned);
        }
        switch (kind) {
            case DYNAMIC_PARTITIONS -> {
                partition("t", "1");
                file("t/p=1/old0", "old0");
                file("t/.staging/p=1/0", "new0");
                file("t/.staging/p=2/0", "new1");
            }
            case EXCHANGE -> {
                partition("u", "1");
                file("u/p=1/old0", "old0");
                file("u/p=1/old1", "old1");
            }
            default -> {
                if (kind != Kind.CREATE) {
                    file("t/old0", "old0");
                    file("t/old1", "old1");
                }
                String staging = kind == Kind.LOAD || kind == Kind.LOAD_OVERWRITE ? "given" : "t/.staging";
                file(staging + "/0", "new0");
                file(staging + "/1", "new1");
                if (kind == Kind.TWO_TABLES) {
                    file("u/.staging/0", "new0");
                }
            }
        }
    }

    private void partition(String table, String value) {
        Table found = table(table);
        Partition added = new Partition(
                List.of(value), 0, 0, found.storage().withLocation(path(table + "/p=" + value)), Map.of());
        metastore.catalog().addPartitions(found, List.of(added), false);
    }

    private List<String> expected(Kind kind) {
        return switch (kind) {
            case INSERT, LOAD -> List.of("t new0", "t new1", "t old0", "t old1");
            case OVERWRITE, LOAD_OVERWRITE, DIRECTORY, CREATE -> List.of("t new0", "t new1");
            case TRUNCATE -> List.of();
            case DYNAMIC_PARTITIONS -> List.of("t p=1", "t p=2", "t/p=1 new0", "t/p=2 new1");
            case TWO_TABLES -> List.of("t new0", "t new1", "t old0", "t old1", "u new0");
            case EXCHANGE -> List.of("t p=1", "t/p=1 old0", "t/p=1 old1");
        };
    }

    /** What a reader finds: of tables with partitions only where the catalog says so. */
    private List<String> rows(TableCommits commits, Kind kind) {
        List<String> rows = new ArrayList<>();
        for (String name : List.of("t", "u")) {
            Optional<Table> table = metastore.catalog().table("default", name(name));
            if (kind == Kind.DIRECTORY && name.equals("t")) {
                commits.listed(List.of(), seen -> rows.addAll(filesOf("t")));
            } else if (table.isPresent()) {
                commits.listed(List.of(table.get()), seen -> rows.addAll(rows(name, table.get())));
            }
        }
        rows.sort(null);
        return rows;
    }

    private List<String> rows(String name, Table table) {
        if (table.partitionKeys().isEmpty()) {
            return filesOf(name);
        }
        List<String> rows = new ArrayList<>();
        for (String partition : new TreeSet<>(metastore.catalog().partitionNames(table))) {
            rows.add(name + " " + partition);
            rows.addAll(filesOf(name + "/" + partition));
        }
        return rows;
    }

    private List<String> filesOf(String folderName) {
        return files.files(path(folderName)).stream()
                .map(file -> folderName + " " + content(file.path()))
                .toList();
    }

    private static String content(String path) {
        try {
            return Files.readString(Path.of(path.substring("file:".length())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void arrive(CommitPlan plan, String from, String to) {
        for (TableFiles.TableFile file : files.files(path(from))) {
            int copy = 0;
            while (!plan.taken(path(to)).add("f" + copy)) {
                copy++;
            }
            plan.arrive(file.path(), path(to) + "/f" + copy);
        }
        if (from.contains("/.")) {
            plan.remove(path(from));
        }
    }

    private CommitRequest request(Kind kind, String commit) {
        if (kind == Kind.CREATE) {
            return creation(commit);
        }
        List<Table> tables = switch (kind) {
            case DIRECTORY -> List.of();
            case TWO_TABLES, EXCHANGE -> List.of(table("t"), table("u"));
            default -> List.of(table("t"));
        };
        Runnable inCatalog = switch (kind) {
            case DYNAMIC_PARTITIONS -> () -> partition("t", "2");
            case EXCHANGE ->
                () -> {
                    partition("t", "1");
                    metastore.catalog().dropPartitions(table("u"), List.of(List.of("1")), DroppedFiles.PURGED);
                };
            default -> () -> {};
        };
        return CommitRequest.of(commit, tables, plan(kind), inCatalog);
    }

    private CommitRequest creation(String commit) {
        Table table = CommittedTable.created(name("t"), folder.resolve("t"), commit);
        Consumer<CommitPlan> plan = changes -> {
            arrive(changes, "t/.staging", "t");
            changes.change(table);
        };
        return new CommitRequest(
                commit,
                List.of(),
                Optional.of(new CommitRequest.Created(
                        table, () -> metastore.catalog().createTable(table))),
                () -> {},
                plan,
                () -> CatalogRepair.finish(metastore.catalog(), table("t")));
    }

    private Consumer<CommitPlan> plan(Kind kind) {
        return switch (kind) {
            case INSERT -> plan -> into(plan, "t/.staging", false);
            case LOAD -> plan -> into(plan, "given", false);
            case OVERWRITE -> plan -> into(plan, "t/.staging", true);
            case LOAD_OVERWRITE -> plan -> into(plan, "given", true);
            case TRUNCATE ->
                plan -> {
                    plan.retire(path("t"), table("t"));
                    plan.change(table("t"));
                };
            case DYNAMIC_PARTITIONS -> this::dynamicPartitions;
            case DIRECTORY ->
                plan -> {
                    plan.retire(path("t"), CommittedTable.of("", folder.resolve("t"), List.of()));
                    arrive(plan, "t/.staging", "t");
                };
            case TWO_TABLES ->
                plan -> {
                    into(plan, "t/.staging", false);
                    arrive(plan, "u/.staging", "u");
                    plan.change(table("u"));
                };
            case EXCHANGE ->
                plan -> {
                    arrive(plan, "u/p=1", "t/p=1");
                    plan.change(table("t"), "p=1", path("t/p=1"), true);
                    plan.drop(table("u"), "p=1", path("u/p=1"));
                };
            case CREATE -> throw new IllegalArgumentException();
        };
    }

    private void into(CommitPlan plan, String from, boolean isReplaced) {
        Table table = table("t");
        if (isReplaced) {
            plan.retire(path("t"), table);
        }
        arrive(plan, from, "t");
        plan.change(table);
    }

    private void dynamicPartitions(CommitPlan plan) {
        Table table = table("t");
        plan.retire(path("t/p=1"), table);
        for (String partition : List.of("p=1", "p=2")) {
            String to = path("t/" + partition);
            plan.taken(to).add("f0");
            plan.arrive(path("t/.staging/" + partition + "/0"), to + "/f0");
            plan.change(table, partition, to, partition.equals("p=2"));
        }
        plan.remove(path("t/.staging"));
    }

    private void drop(Kind kind) {
        for (String name : List.of("t", "u")) {
            if (kind != Kind.DIRECTORY
                    && metastore.catalog().table("default", name(name)).isPresent()) {
                metastore.catalog().dropTable("default", name(name), DroppedFiles.PURGED);
            }
        }
    }
}
