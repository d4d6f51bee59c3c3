package io.skep.ql.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.DroppedFiles;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Partition;
import io.skep.metastore.Table;
import io.skep.metastore.testing.TestingMetastore;
import io.skep.metastore.transaction.TransactionKind;
import io.skep.metastore.transaction.TransactionOwner;
import io.skep.metastore.transaction.TransactionStore;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.page.SplitEnumerator;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.common.StatsSetupConst;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests commits that fail or are interrupted, and their recovery by the next start. */
final class TestTableCommits {
    @TempDir(factory = FolderInMemory.class)
    private Path folder;

    private final TestingMetastore metastore = TestingMetastore.open();
    private final HadoopFileSystem fileSystem = new HadoopFileSystem(new Configuration(false));
    private final TableFiles files = new StoredTableFiles(fileSystem, new SplitEnumerator(fileSystem, 1 << 20));

    @AfterEach
    void close() {
        metastore.close();
    }

    /** Returns commits in the state after a server's start. */
    private TableCommits recovered() {
        TableCommits commits = new TableCommits(
                folder.resolve("commits"),
                files,
                metastore.catalog(),
                metastore.metastore().transactions(),
                CommitConfig.DEFAULT);
        commits.recover();
        return commits;
    }

    private Path file(String name) throws IOException {
        Files.createDirectories(folder.resolve(name).getParent());
        return Files.writeString(folder.resolve(name), name);
    }

    private String path(String name) {
        return "file:" + folder.resolve(name);
    }

    private Table table(List<FieldSchema> keys) {
        return table("t", keys);
    }

    private Table table(String name, List<FieldSchema> keys) {
        metastore.catalog().createTable(CommittedTable.of(name, folder.resolve(name), keys));
        return metastore.catalog().table("default", name).orElseThrow();
    }

    private void commit(TableCommits commits, Table table, Consumer<CommitPlan> plan, Runnable inCatalog) {
        commits.commit(CommitRequest.of("q-0", List.of(table), plan, inCatalog));
    }

    /** Plans the changes of an INSERT OVERWRITE of one file. */
    private void overwrite(CommitPlan plan, Table table) {
        plan.retire(path("t"), table);
        plan.arrive(path("t/.staging/0"), path("t/000000_0"));
        plan.change(table);
        plan.remove(path("t/.staging"));
    }

    private List<String> rows(TableCommits commits, Table table) {
        return commits.listConsistently(List.of(table), List.of(), seen -> files.files(path("t"))).stream()
                .map(file -> content(Path.of(file.path().substring("file:".length()))))
                .sorted()
                .toList();
    }

    private static String content(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void assertNothingNoted() throws IOException {
        Files.createDirectories(folder.resolve("commits"));
        try (Stream<Path> notes = Files.list(folder.resolve("commits"))) {
            assertThat(notes).isEmpty();
        }
    }

    private void assertUncounted() {
        assertThat(metastore.catalog().table("default", "t").orElseThrow().properties())
                .doesNotContainKey(StatsSetupConst.COLUMN_STATS_ACCURATE);
    }

    @Test
    void aDeathBeforeTheCatalogWasToldLeavesUnknownFigures() throws IOException {
        Table table = table(List.of());
        file("t/.staging/0");
        file("t/old");
        assertThatThrownBy(() -> commit(recovered(), table, plan -> overwrite(plan, table), TestTableCommits::die))
                .isInstanceOf(AssertionError.class);
        assertThat(rows(recovered(), table)).containsExactly("t/.staging/0");
        assertUncounted();
        assertNothingNoted();
    }

    @Test
    void aNewPartitionComesIntoTheCatalog() throws IOException {
        Table table = table(List.of(CommittedTable.column("p")));
        file("staging/p=1/0");
        Consumer<CommitPlan> plan = commit -> {
            commit.arrive(path("staging/p=1/0"), path("t/p=1/000000_0"));
            commit.change(table, "p=1", path("t/p=1"), true);
        };
        assertThatThrownBy(() -> commit(recovered(), table, plan, TestTableCommits::die))
                .isInstanceOf(AssertionError.class);
        assertThat(metastore.catalog().partitionNames(table)).isEmpty();
        recovered();
        Partition partition = metastore.catalog().partition(table, List.of("1")).orElseThrow();
        assertThat(partition.storage().location()).endsWith("/t/p=1");
        assertThat(folder.resolve("t/p=1/000000_0")).exists();
        assertNothingNoted();
    }

    @Test
    void aFailingCatalogChangesNothing() throws IOException {
        Table table = table(List.of());
        file("t/old");
        file("t/.staging/0");
        TableCommits commits = recovered();
        assertThatThrownBy(() -> commit(commits, table, plan -> overwrite(plan, table), () -> {
                    throw new IllegalStateException("no catalog");
                }))
                .hasMessage("no catalog");
        assertThat(commits.isUnfinished("q-0")).isFalse();
        assertThat(rows(commits, table)).containsExactly("t/old");
        assertThat(folder.resolve("t/.staging")).doesNotExist();
        assertThat(rows(recovered(), table)).containsExactly("t/old");
        assertNothingNoted();
    }

    /** The name is taken by a writer without the table's lease, as when two tables share one folder. */
    @Test
    void aNameThatIsTakenMeanwhileIsChosenAnew() throws IOException {
        Table table = table(List.of());
        file("t/.staging/0.gz");
        TableCommits commits = recovered();
        Consumer<CommitPlan> plan = commit -> {
            commit.arrive(path("t/.staging/0.gz"), path("t/0.gz"));
            commit.change(table);
            take("t/0.gz");
        };
        commit(commits, table, plan, () -> {});
        assertThat(rows(commits, table)).containsExactly("other", "t/.staging/0.gz");
        assertThat(folder.resolve("t/0_copy_1.gz")).exists();
        assertThat(rows(recovered(), table)).containsExactly("other", "t/.staging/0.gz");
        assertNothingNoted();
    }

    private void take(String name) {
        try {
            Files.writeString(folder.resolve(name), "other");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aNameThatIsTakenMeanwhileIsTheJournals() throws IOException {
        Table table = table(List.of());
        file("t/.staging/0");
        Consumer<CommitPlan> plan = commit -> {
            overwrite(commit, table);
            take("t/000000_0");
        };
        assertThatThrownBy(() -> commit(recovered(), table, plan, TestTableCommits::die))
                .isInstanceOf(AssertionError.class);
        assertThat(rows(recovered(), table)).containsExactly("other", "t/.staging/0");
        assertNothingNoted();
    }

    /** A cleaner of another engine, which does not know the journal, may have deleted some of the files. */
    @Test
    void filesOfACommittedTransactionStay() throws IOException {
        Table table = table(List.of());
        file("given/0");
        file("given/1");
        TransactionStore transactions = metastore.metastore().transactions();
        long transaction = transactions.open(new TransactionOwner("user", "host", "q"), TransactionKind.DEFAULT);
        Consumer<CommitPlan> plan = changes -> {
            changes.decideBy(transaction);
            changes.arrive(path("given/0"), path("t/delta/0"));
            changes.arrive(path("given/1"), path("t/delta/1"));
            changes.change(table);
        };
        assertThatThrownBy(() -> commit(recovered(), table, plan, () -> {
                    transactions.commit(transaction, false);
                    die();
                }))
                .isInstanceOf(AssertionError.class);
        Files.delete(folder.resolve("t/delta/0"));
        assertThat(rows(recovered(), table)).containsExactly("given/1");
        assertThat(folder.resolve("t/delta/1")).exists();
        assertNothingNoted();
    }

    /**
     * Once a roll-back has restored names, the commit must not go forward again. Files that it does not find under
     * their old names stay.
     */
    @Test
    void aRollBackThatFailsIsNotFollowedByACompletion() throws IOException {
        Table table = table(List.of());
        file("t/old0");
        file("t/old1");
        file("t/.staging/0");
        Queue<Runnable> moves = new ArrayDeque<>();
        TableFiles failing = withMoveActions(moves);
        moves.addAll(List.of(() -> {}, () -> {}, TestTableCommits::die));
        TableCommits dying = new TableCommits(
                folder.resolve("commits"),
                failing,
                metastore.catalog(),
                metastore.metastore().transactions(),
                CommitConfig.DEFAULT);
        assertThatThrownBy(() -> commit(dying, table, plan -> overwrite(plan, table), () -> {}))
                .isInstanceOf(AssertionError.class);
        take("t/old0");
        // The remaining old file cannot be renamed, the renamed one is moved back, and the new one cannot be moved.
        moves.addAll(List.of(TestTableCommits::refuse, () -> {}, TestTableCommits::refuse));
        TableCommits commits = new TableCommits(
                folder.resolve("commits"),
                failing,
                metastore.catalog(),
                metastore.metastore().transactions(),
                CommitConfig.DEFAULT);
        commits.recover();
        assertThat(moves).isEmpty();
        assertThat(rows(commits, table)).containsExactly("other", "t/old0", "t/old1");
        assertThat(rows(recovered(), table)).containsExactly("other", "t/old0", "t/old1");
        assertNothingNoted();
    }

    private static void refuse() {
        throw new SkepException(StandardErrorCode.FILE_SYSTEM_ERROR, "refused");
    }

    /** @param moves the actions that run at the next moves */
    private TableFiles withMoveActions(Queue<Runnable> moves) {
        return (TableFiles) Proxy.newProxyInstance(
                TableFiles.class.getClassLoader(), new Class<?>[] {TableFiles.class}, (proxy, method, arguments) -> {
                    Runnable next = method.getName().equals("move") ? moves.poll() : null;
                    if (next != null) {
                        next.run();
                    }
                    try {
                        return method.invoke(files, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** A2 of the review: the next start must not complete an old commit over newer ones. */
    @Test
    void aNameThatIsTakenByAFolderIsChosenAnew() throws IOException {
        Table table = table(List.of());
        file("t/old");
        file("t/.staging/0");
        TableCommits commits = recovered();
        Consumer<CommitPlan> plan = commit -> {
            overwrite(commit, table);
            make("t/000000_0");
        };
        commit(commits, table, plan, () -> {});
        assertThat(rows(commits, table)).containsExactly("t/.staging/0");
        assertThat(folder.resolve("t/000000_0_copy_1")).exists();
        Files.delete(folder.resolve("t/000000_0"));
        file("t/.staging/0");
        commit(commits, table, commit -> overwrite(commit, table), () -> {});
        assertThat(rows(commits, table)).containsExactly("t/.staging/0");
        assertThat(rows(recovered(), table)).containsExactly("t/.staging/0");
    }

    private void make(String name) {
        try {
            Files.createDirectory(folder.resolve(name));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void foldersTakeNamesToo() {
        table(List.of());
        make("t/000000_0");
        assertThat(new CommitPlan(files).takenNames(path("t"))).containsExactly("000000_0");
    }

    /** A5 of the review. */
    @Test
    void aTableThatWasDroppedMadeAnewOrMovedIsNotWrittenTo() throws IOException {
        Table table = table(List.of());
        file("t/.staging/0");
        TableCommits commits = recovered();
        metastore.catalog().dropTable("default", "t", DroppedFiles.KEPT);
        assertChanged(commits, table, StandardErrorCode.TABLE_NOT_FOUND);
        table(List.of());
        assertChanged(commits, table, StandardErrorCode.TABLE_CHANGED);
        Table now = metastore.catalog().table("default", "t").orElseThrow();
        metastore.catalog().alterTable("default", "t", CommittedTable.at(now, folder.resolve("elsewhere")), false);
        assertChanged(commits, now, StandardErrorCode.TABLE_CHANGED);
        assertThat(folder.resolve("t/000000_0")).doesNotExist();
        assertNothingNoted();
    }

    private void assertChanged(TableCommits commits, Table table, StandardErrorCode code) {
        assertThatThrownBy(() -> commit(commits, table, plan -> overwrite(plan, table), () -> {}))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void aCancelledCommitChangesNothing() throws IOException {
        Table table = table(List.of());
        file("t/old");
        file("t/.staging/0");
        TableCommits commits = recovered();
        CommitRequest request = new CommitRequest(
                "q-0",
                List.of(table),
                List.of(),
                false,
                Optional.empty(),
                _ -> {
                    throw new SkepException(StandardErrorCode.OPERATION_CANCELED, "canceled");
                },
                plan -> overwrite(plan, table),
                () -> {});
        assertThatThrownBy(() -> commits.commit(request)).hasMessage("canceled");
        assertThat(rows(commits, table)).containsExactly("t/old");
        assertThat(folder.resolve("t/.staging")).doesNotExist();
    }

    /** A3 of the review: names that a line-based journal could not distinguish. */
    @Test
    void anyNameIsCommittedAndRecovered() throws IOException {
        table("k", List.of());
        file("k/victim");
        Table table = table(List.of());
        List<String> names = List.of(
                "k\tb",
                "new\nline",
                "a%41b",
                "ünï\u6f22\ud83d\ude00",
                "quote\"back\\slash",
                "x".repeat(255),
                " blank ");
        for (String name : names) {
            file("t/.staging/" + name);
        }
        Consumer<CommitPlan> plan = commit -> {
            names.forEach(name -> commit.arrive(path("t/.staging/" + name), path("t/" + name)));
            commit.change(table);
            commit.remove(path("t/.staging"));
        };
        assertThatThrownBy(() -> commit(recovered(), table, plan, TestTableCommits::die))
                .isInstanceOf(AssertionError.class);
        assertThat(rows(recovered(), table)).hasSize(names.size());
        for (String name : names) {
            assertThat(folder.resolve("t").resolve(name)).hasContent("t/.staging/" + name);
        }
        assertThat(folder.resolve("k/victim")).exists();
        assertNothingNoted();
    }

    @Test
    void whatIsNotTheFileThatWasMeantStays() throws IOException {
        Table table = table(List.of());
        file("t/old");
        file("t/.staging/0");
        assertThatThrownBy(() -> commit(recovered(), table, plan -> overwrite(plan, table), TestTableCommits::die))
                .isInstanceOf(AssertionError.class);
        // The server is dead. Another writer uses the name of the retired file.
        Files.writeString(folder.resolve("t/old"), "another file");
        assertThat(rows(recovered(), table)).containsExactly("another file", "t/.staging/0");
    }

    @Test
    void aLinkIsCommittedAsALink() throws IOException {
        Table table = table(List.of());
        Path outside = file("outside/rows");
        Files.createDirectories(folder.resolve("t"));
        Files.createSymbolicLink(folder.resolve("t/link"), outside);
        file("t/.staging/0");
        TableCommits commits = recovered();
        commit(commits, table, plan -> overwrite(plan, table), () -> {});
        assertThat(rows(commits, table)).containsExactly("t/.staging/0");
        assertThat(outside).exists();
    }

    @Test
    void aJournalThatCannotBeReadClosesItsTableAndNoOther() throws IOException {
        Table table = table(List.of());
        Table other = table("other", List.of());
        file("t/.staging/0");
        assertThatThrownBy(() -> commit(recovered(), table, plan -> overwrite(plan, table), TestTableCommits::die))
                .isInstanceOf(AssertionError.class);
        Path journal = folder.resolve("commits/q-0.commit");
        byte[] bytes = Files.readAllBytes(journal);
        bytes[bytes.length / 2] ^= 1;
        Files.write(journal, bytes);
        TableCommits commits = recovered();
        assertClosed(commits, table);
        int answer = commits.listConsistently(List.of(other), List.of(), seen -> 1);
        assertThat(answer).isEqualTo(1);
        // The state persists over another start.
        assertClosed(recovered(), table);
        Path aside = folder.resolve("commits/q-0.commit.unreadable");
        assertThat(new LocalJournals(folder.resolve("commits")).unreadable())
                .singleElement()
                .satisfies(found -> assertThat(found.tables()).containsExactly("default.t"));
        Files.delete(aside);
        assertThat(rows(commits, table)).containsExactly("t/.staging/0");
    }

    private void assertClosed(TableCommits commits, Table table) {
        assertThatThrownBy(() -> rows(commits, table))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.COMMIT_UNFINISHED));
    }

    @Test
    void aJournalOfLinesIsNotCarriedOut() throws IOException {
        Table table = table(List.of());
        file("t/old");
        Files.createDirectories(folder.resolve("commits"));
        String lines = "discard\t" + path("t/old") + "\nrecord\tdefault\tt\t" + path("t") + "\t";
        Files.writeString(folder.resolve("commits/q-9.commit"), lines, StandardCharsets.UTF_8);
        assertClosed(recovered(), table);
        assertThat(folder.resolve("t/old")).exists();
    }

    @Test
    void aCreatedTableComesWithItsRowsOrNotAtAll() throws IOException {
        Table table = CommittedTable.created("made", folder.resolve("made"), "q-0");
        assertThatThrownBy(() -> recovered().commit(creation(table, TestTableCommits::die)))
                .isInstanceOf(AssertionError.class);
        recovered();
        Table made = metastore.catalog().table("default", "made").orElseThrow();
        assertThat(made.properties()).doesNotContainKey(CommitRequest.CREATED_BY);
        assertThat(folder.resolve("made/000000_0")).exists();
        metastore.catalog().dropTable("default", "made", DroppedFiles.PURGED);

        TableCommits commits = recovered();
        assertThatThrownBy(() -> commits.commit(creation(table, () -> {
                    throw new IllegalStateException("no catalog");
                })))
                .hasMessage("no catalog");
        assertThat(metastore.catalog().table("default", "made")).isEmpty();
        assertThat(folder.resolve("made")).doesNotExist();
        // A writer may still use the staging folder, so the next start checks it again.
        recovered();
        assertNothingNoted();
    }

    private CommitRequest creation(Table table, Runnable inCatalog) throws IOException {
        file("made/.staging/0");
        return new CommitRequest(
                "q-0",
                List.of(),
                List.of(),
                false,
                Optional.of(new CommitRequest.Created(
                        table, () -> metastore.catalog().createTable(table))),
                _ -> {},
                plan -> {
                    plan.arrive(path("made/.staging/0"), path("made/000000_0"));
                    plan.change(table);
                    plan.remove(path("made/.staging"));
                },
                inCatalog);
    }

    @Test
    void foldersOfTheDeadAreDeletedAndThoseOfOthersAreNot() throws IOException {
        StagingFolders mine = recovered().folders();
        mine.note(path("t/.skep-staging-q1"));
        file("t/.skep-staging-q1/0");
        file("t/.skep-staging-q2/0");
        mine.note(path("never-made"));
        Files.writeString(folder.resolve("commits/torn.folder"), path("t"));
        recovered();
        assertThat(folder.resolve("t/.skep-staging-q1")).doesNotExist();
        assertThat(folder.resolve("t/.skep-staging-q2/0")).exists();
        assertNothingNoted();
    }

    private static void die() {
        throw new AssertionError("the process dies here");
    }
}
