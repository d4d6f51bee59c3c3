package io.skep.ql.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.metastore.Catalog;
import io.skep.metastore.DroppedFiles;
import io.skep.metastore.FolderMove;
import io.skep.metastore.ListBuckets;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.StorageDescriptor.Skew;
import io.skep.metastore.Table;
import io.skep.metastore.transaction.TransactionKind;
import io.skep.metastore.transaction.TransactionOwner;
import io.skep.metastore.transaction.TransactionStore;
import io.skep.storage.page.SplitEnumerator;
import io.skep.storage.table.TableFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A write of some kind to its own tables and folders: their initial content, the write itself, and their content after
 * it.
 */
final class SampleWrite {
    private final Kind kind;
    private final int number;
    private final Path folder;
    private final Catalog catalog;
    private final TransactionStore transactions;
    private final TableFiles files;
    private long transaction;

    enum Kind {
        INSERT,
        OVERWRITE,
        TRUNCATE,
        DYNAMIC_PARTITIONS,
        LIST_BUCKETS,
        OTHER_FORMAT,
        LOAD,
        LOAD_OVERWRITE,
        LOAD_IN_TRANSACTION,
        DIRECTORY,
        CREATE,
        TWO_TABLES,
        EXCHANGE,
        RENAME,
        RENAME_PARTITION
    }

    /**
     * @param number a number that no other write has
     * @param folder an empty folder
     */
    SampleWrite(Kind kind, int number, Path folder, Catalog catalog, TransactionStore transactions, TableFiles files) {
        this.kind = kind;
        this.number = number;
        this.folder = folder;
        this.catalog = catalog;
        this.transactions = transactions;
        this.files = files;
    }

    /**
     * Runs later commits that add to the rows seen, or replace them, and returns the rows expected after them.
     * Depending on its number, a write gets one or two of them. There are none if the table does not exist or has
     * partitions.
     */
    List<String> commitLater(TableCommits commits, List<String> rows) {
        List<String> expected = new ArrayList<>(rows);
        boolean isThere =
                kind != Kind.DIRECTORY && catalog.table("default", name("t")).isPresent();
        if (isThere && partitionKeys().isEmpty()) {
            Random random = new Random(number);
            for (int i = number % 4; i < 4; i += 2) {
                boolean isReplaced = random.nextBoolean();
                if (isReplaced) {
                    expected.removeIf(old -> old.startsWith("t "));
                }
                expected.add("t later" + i);
                commits.commit(commitLater(i, isReplaced));
            }
        }
        expected.sort(null);
        return expected;
    }

    private CommitRequest commitLater(int which, boolean isReplaced) {
        file("t/.later" + which + "/0", "later" + which);
        Table table = table("t");
        return CommitRequest.of(
                "later" + number + "-" + which,
                List.of(table),
                plan -> {
                    if (isReplaced) {
                        plan.retire(path("t"), table);
                    }
                    arrive(plan, "t/.later" + which, "t");
                    plan.change(table);
                },
                () -> {});
    }

    /**
     * Runs a statement that needs the leases of both tables, and so finishes unfinished commits of other statements.
     */
    void finishCommits(TableCommits commits) {
        List<Table> tables = Stream.of("t", "u")
                .map(name -> CommittedTable.of(name(name), folder.resolve(name), List.of()))
                .toList();
        boolean isOver = commits.exclusively(tables, "settle" + number, () -> true);
        assertThat(isOver).isTrue();
    }

    /** Creates a table over a folder that belonged to no table. */
    void createTableOverFolder() {
        create("t");
    }

    /** Returns the rows of all files, including hidden ones. */
    List<String> contents() throws IOException {
        try (Stream<Path> all = Files.walk(folder.resolve("t"))) {
            return all.filter(Files::isRegularFile)
                    .map(file -> content("file:" + file))
                    .toList();
        }
    }

    /** Checks that no retired file and no intermediate folder is left. */
    void assertNothingHidden(String what) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            assertThat(all.filter(path -> path.getFileName().toString().startsWith(".skep-")))
                    .as(what)
                    .isEmpty();
        }
    }

    private String name(String table) {
        return table + number;
    }

    private Table table(String name) {
        return catalog.table("default", name(name)).orElseThrow();
    }

    private void create(String name) {
        Table table = CommittedTable.of(
                name(name),
                folder.resolve(name),
                partitionKeys().stream().map(CommittedTable::column).toList());
        Skew skew =
                kind == Kind.LIST_BUCKETS ? new Skew(List.of("a"), List.of(List.of("1")), true, Map.of()) : Skew.NONE;
        catalog.createTable(table.withStorage(table.storage().withSkew(skew)));
    }

    private List<String> partitionKeys() {
        return switch (kind) {
            case DYNAMIC_PARTITIONS, OTHER_FORMAT, EXCHANGE -> List.of("p");
            case RENAME_PARTITION -> List.of("p", "q");
            default -> List.of();
        };
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

    /** Creates two old rows, and two new ones next to them. */
    void prepare() {
        if (kind != Kind.CREATE && kind != Kind.DIRECTORY) {
            create("t");
        }
        if (kind == Kind.TWO_TABLES || kind == Kind.EXCHANGE) {
            create("u");
        }
        switch (kind) {
            case DYNAMIC_PARTITIONS -> {
                partition("t", "1");
                file("t/p=1/old0", "old0");
                file("t/.staging/p=1/0", "new0");
                file("t/.staging/p=2/0", "new1");
            }
            case LIST_BUCKETS -> {
                file("t/a=1/old0", "old0");
                file("t/.staging/a=1/0", "new0");
                file("t/.staging/" + ListBuckets.DEFAULT_FOLDER + "/0", "new1");
            }
            case OTHER_FORMAT -> {
                partition("t", "1");
                file("t/p=1/old0", "old0");
                file("t/.staging/p=1/0", "new0");
            }
            case EXCHANGE -> {
                partition("u", "1");
                file("u/p=1/old0", "old0");
                file("u/p=1/old1", "old1");
            }
            case RENAME -> {
                file("t/old0", "old0");
                file("t/old1", "old1");
            }
            case RENAME_PARTITION -> {
                partition("t", "1", "1");
                file("t/p=1/q=1/old0", "old0");
            }
            default -> {
                if (kind != Kind.CREATE) {
                    file("t/old0", "old0");
                    file("t/old1", "old1");
                }
                String staging = kind.name().startsWith("LOAD") ? "given" : "t/.staging";
                file(staging + "/0", "new0");
                file(staging + "/1", "new1");
                if (kind == Kind.TWO_TABLES) {
                    file("u/.staging/0", "new0");
                }
            }
        }
    }

    private void partition(String table, String... values) {
        Table found = table(table);
        String place = path(table + "/" + PartitionName.of(found, List.of(values)));
        Partition added = new Partition(List.of(values), 0, 0, found.storage().withLocation(place), Map.of());
        catalog.addPartitions(found, List.of(added), false);
    }

    List<String> expected() {
        return switch (kind) {
            case INSERT, LOAD -> List.of("t new0", "t new1", "t old0", "t old1");
            case LOAD_IN_TRANSACTION -> List.of("t new0", "t new1", "t old0", "t old1");
            case OVERWRITE, LIST_BUCKETS, LOAD_OVERWRITE, DIRECTORY -> List.of("t new0", "t new1");
            case CREATE -> List.of("t new0", "t new1", "table");
            case TRUNCATE -> List.of();
            case DYNAMIC_PARTITIONS -> List.of("t p=1", "t p=2", "t/p=1 new0", "t/p=2 new1");
            case OTHER_FORMAT -> List.of("t p=1", "t/p=1 as after", "t/p=1 new0");
            case TWO_TABLES -> List.of("t new0", "t new1", "t old0", "t old1", "u new0");
            case EXCHANGE -> List.of("t p=1", "t/p=1 old0", "t/p=1 old1");
            case RENAME -> List.of("u old0", "u old1");
            case RENAME_PARTITION -> List.of("t p=2/q=1", "t/p=2/q=1 old0");
        };
    }

    /** Returns the rows that a reader finds. Of partitioned tables it reads only the partitions in the catalog. */
    List<String> rows(TableCommits commits) {
        List<String> rows = new ArrayList<>();
        for (String name : List.of("t", "u")) {
            Optional<Table> table = catalog.table("default", name(name));
            if (kind == Kind.DIRECTORY && name.equals("t")) {
                commits.listConsistently(
                        List.of(),
                        List.of(CommittedTable.of(name("t"), folder.resolve("t"), List.of())),
                        seen -> rows.addAll(filesOf("t")));
            } else if (table.isPresent()) {
                rows.addAll(commits.listConsistently(
                        List.of(table.get()), List.of(), seen -> rows(name, table.get(), seen)));
                if (kind == Kind.LOAD_IN_TRANSACTION) {
                    // Files of a transaction that does not commit are where the statement has found them.
                    assertThat(rows.contains("given new0")).isEqualTo(!isCommitted());
                }
                // Listing the files of a table first finishes its unfinished commit.
                if (kind == Kind.CREATE && catalog.table("default", name(name)).isPresent()) {
                    rows.add("table");
                }
            }
        }
        rows.sort(null);
        return rows;
    }

    /** @param seen records what was listed, so that several servers can verify it */
    private List<String> rows(String name, Table table, SplitEnumerator.Seen seen) {
        if (table.partitionKeys().isEmpty()) {
            files.splits(table, Optional.empty(), seen);
            List<String> rows = new ArrayList<>(filesOf(name));
            if (kind == Kind.LOAD_IN_TRANSACTION) {
                rows.addAll(filesOf("given"));
            }
            return rows;
        }
        files.splits(table, catalog.partitions(table, values -> true), Optional.empty(), seen);
        List<String> rows = new ArrayList<>();
        for (String partition : new TreeSet<>(catalog.partitionNames(table))) {
            rows.add(name + " " + partition);
            rows.addAll(filesOf(name + "/" + partition));
            if (kind == Kind.OTHER_FORMAT) {
                boolean isBefore = formatOf(table).equals(table.storage().format());
                rows.add(name + "/" + partition + (isBefore ? " as before" : " as after"));
            }
        }
        return rows;
    }

    private boolean isCommitted() {
        return transaction != 0 && transactions.validTransactions(0).isTxnValid(transaction);
    }

    private TableFormat formatOf(Table table) {
        return catalog.partition(table, List.of("1")).orElseThrow().storage().format();
    }

    /** Returns the format of the partition's files after the write. */
    private static TableFormat after(Table table) {
        TableFormat before = table.storage().format();
        return new TableFormat(before.inputFormat(), before.outputFormat(), before.serde(), Map.of("field.delim", "|"));
    }

    private void otherFormat(CommitPlan plan) {
        Table table = table("t");
        plan.retire(path("t/p=1"), table);
        arrive(plan, "t/.staging/p=1", "t/p=1");
        plan.change(table, "p=1", path("t/p=1"), table.storage().format(), after(table));
        plan.remove(path("t/.staging"));
    }

    /** Changes the catalog as a statement does, followed by another change. */
    private void otherFormatInCatalog() {
        Table table = table("t");
        Partition known = catalog.partition(table, List.of("1")).orElseThrow();
        catalog.alterPartitions(table, List.of(known.withStorage(known.storage().withFormat(after(table)))));
        catalog.alterTable("default", table.name(), table, false);
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
            while (!plan.takenNames(path(to)).add("f" + copy)) {
                copy++;
            }
            plan.arrive(file.path(), path(to) + "/f" + copy);
        }
        if (from.contains("/.")) {
            plan.remove(path(from));
        }
    }

    /** Runs the write. */
    void run(TableCommits commits, String commit) {
        if (kind == Kind.RENAME || kind == Kind.RENAME_PARTITION) {
            Table table = table("t");
            boolean isDone = commits.renaming(List.of(table, LeasedNames.of("default", name("u"))), commit, renames -> {
                renames.accept(kind == Kind.RENAME ? rename(table) : partitionRename(table));
                return true;
            });
            assertThat(isDone).isTrue();
        } else {
            if (kind == Kind.LOAD_IN_TRANSACTION) {
                transaction = transactions.open(new TransactionOwner("user", "host", "q"), TransactionKind.DEFAULT);
            }
            commits.commit(request(commit));
        }
    }

    private RenameRequest rename(Table table) {
        Table renamed = CommittedTable.renamed(table, name("u"), folder.resolve("u"));
        return RenameRequest.ofTable(
                table,
                renamed,
                Optional.of(new FolderMove(path("t"), path("u"))),
                () -> catalog.alterTable("default", table.name(), renamed, false));
    }

    private RenameRequest partitionRename(Table table) {
        Partition before = catalog.partition(table, List.of("1", "1")).orElseThrow();
        List<String> values = List.of("2", "1");
        Partition after = new Partition(values, 0, 0, before.storage(), before.properties());
        return RenameRequest.ofPartition(
                table,
                "p=1/q=1",
                "p=2/q=1",
                catalog.movedFolder(table, before, values),
                () -> catalog.renamePartition(table, before.values(), after));
    }

    private CommitRequest request(String commit) {
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
            case OTHER_FORMAT -> this::otherFormatInCatalog;
            case LOAD_IN_TRANSACTION ->
                () -> {
                    catalog.alterTable("default", name("t"), table("t"), false);
                    transactions.commit(transaction, false);
                };
            case EXCHANGE ->
                () -> {
                    partition("t", "1");
                    catalog.dropPartitions(table("u"), List.of(List.of("1")), DroppedFiles.PURGED);
                };
            default -> () -> {};
        };
        boolean isDirectory = kind == Kind.DIRECTORY;
        List<String> folders = isDirectory ? List.of(path("t")) : List.of();
        return new CommitRequest(commit, tables, folders, isDirectory, Optional.empty(), _ -> {}, plan(), inCatalog);
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
                List.of(),
                false,
                Optional.of(new CommitRequest.Created(table, () -> catalog.createTable(table))),
                _ -> {},
                plan,
                () -> CatalogRepair.finish(catalog, table("t")));
    }

    private Consumer<CommitPlan> plan() {
        return switch (kind) {
            case INSERT -> plan -> into(plan, "t/.staging", false);
            case LOAD -> plan -> into(plan, "given", false);
            case OVERWRITE -> plan -> into(plan, "t/.staging", true);
            case LOAD_OVERWRITE -> plan -> into(plan, "given", true);
            case LOAD_IN_TRANSACTION ->
                plan -> {
                    plan.decideBy(transaction);
                    arrive(plan, "given", "t/delta");
                    plan.change(table("t"));
                };
            case TRUNCATE ->
                plan -> {
                    plan.retire(path("t"), table("t"));
                    plan.change(table("t"));
                };
            case DYNAMIC_PARTITIONS -> this::dynamicPartitions;
            case LIST_BUCKETS ->
                plan -> {
                    plan.retire(path("t"), table("t"));
                    for (String list : List.of("a=1", ListBuckets.DEFAULT_FOLDER)) {
                        arrive(plan, "t/.staging/" + list, "t/" + list);
                    }
                    plan.change(table("t"));
                    plan.remove(path("t/.staging"));
                };
            case OTHER_FORMAT -> this::otherFormat;
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
            case CREATE, RENAME, RENAME_PARTITION -> throw new IllegalArgumentException();
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
            plan.takenNames(to).add("f0");
            plan.arrive(path("t/.staging/" + partition + "/0"), to + "/f0");
            plan.change(table, partition, to, partition.equals("p=2"));
        }
        plan.remove(path("t/.staging"));
    }

    void drop() {
        for (String name : List.of("t", "u")) {
            if (kind != Kind.DIRECTORY && catalog.table("default", name(name)).isPresent()) {
                catalog.dropTable("default", name(name), DroppedFiles.PURGED);
            }
        }
    }
}
