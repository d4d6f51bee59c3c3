package io.skep.ql.commit;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Table;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Commits with a local journal that this server could neither complete nor roll back. The next statement on one of
 * their tables first tries again. Thread-safe.
 */
final class UnfinishedCommits {
    private final Map<String, CommitJournal> commits = new ConcurrentHashMap<>();

    void add(CommitJournal journal) {
        commits.put(journal.name(), journal);
    }

    /**
     * Replaces the journal of a commit, after the journal on the disk has been replaced. The commit is ended with the
     * new one.
     */
    void replace(CommitJournal journal) {
        commits.computeIfPresent(journal.name(), (name, before) -> journal);
    }

    Optional<CommitJournal> find(String name) {
        return Optional.ofNullable(commits.get(name));
    }

    boolean has(String name) {
        return commits.containsKey(name);
    }

    /** Whether no table is closed. */
    boolean isEmpty() {
        return commits.values().stream().allMatch(CommitJournal::isRemoval);
    }

    void remove(String name) {
        commits.remove(name);
    }

    List<CommitJournal> all() {
        return List.copyOf(commits.values());
    }

    /** Returns the commits that change one of the tables, or files in the location of one of them. */
    List<CommitJournal> of(Collection<Table> tables) {
        return commits.isEmpty()
                ? List.of()
                : all().stream()
                        .filter(journal -> !journal.isRemoval() && concerns(journal, tables))
                        .toList();
    }

    /**
     * Returns the drops of these tables, or of their partitions, that have left files. No statement lists these files,
     * so the tables stay open.
     */
    List<CommitJournal> removalsOf(Collection<Table> tables) {
        return commits.isEmpty()
                ? List.of()
                : all().stream()
                        .filter(journal -> journal.isRemoval() && concerns(journal, tables))
                        .toList();
    }

    private static boolean concerns(CommitJournal journal, Collection<Table> tables) {
        Set<String> keys = journal.keys();
        return !Collections.disjoint(keys, ConsistentReads.keys(tables))
                || keys.isEmpty()
                        && tables.stream()
                                .map(table -> table.storage().location() + "/")
                                .anyMatch(location -> journal.moves().stream()
                                        .anyMatch(move -> move.from().startsWith(location)
                                                || move.to().startsWith(location)));
    }

    static SkepException failure(CommitJournal journal, RuntimeException cause) {
        String what = journal.keys().isEmpty() ? "a write" : "a write to " + String.join(", ", journal.keys());
        String why = cause instanceof SkepException known ? known.fullMessage() : String.valueOf(cause);
        return new SkepException(
                        StandardErrorCode.COMMIT_UNFINISHED,
                        what + " (commit " + journal.name()
                                + ") failed halfway and can neither be completed nor be rolled" + " back now: " + why,
                        cause)
                .withHint("remove the cause: the next statement on the table ends that commit;"
                        + " look whether its rows are there before you write them again");
    }
}
