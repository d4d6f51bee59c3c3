package io.skep.ql.commit;

import io.skep.ql.commit.CommitJournal.Kind;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What a commit changes, apart from the folders that it made itself.
 *
 * @param folders folders that get files, and those of tables and partitions that change
 * @param removed files that are moved or deleted
 */
public record ChangedFiles(Set<String> folders, Set<String> removed) {
    static ChangedFiles of(CommitJournal journal) {
        Set<String> own = Set.copyOf(journal.folders());
        Set<String> folders = new LinkedHashSet<>();
        Set<String> removed = new LinkedHashSet<>();
        journal.entries().forEach(entry -> folders.add(entry.location()));
        journal.moves().forEach(move -> {
            if (move.kind() == Kind.ARRIVING) {
                folders.add(parent(move.to()));
            }
            if (!isIn(own, move.from())) {
                removed.add(move.from());
            }
        });
        journal.sources().forEach(source -> removed.add(source.path()));
        return new ChangedFiles(folders, removed);
    }

    private static boolean isIn(Set<String> folders, String file) {
        for (String at = parent(file); !at.isEmpty(); at = parent(at)) {
            if (folders.contains(at)) {
                return true;
            }
        }
        return false;
    }

    private static String parent(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }
}
