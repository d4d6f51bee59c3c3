package io.skep.ql.commit;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;

/**
 * Tables that have a commit whose journal cannot be read. They are neither listed nor changed until an administrator
 * has checked their files and deleted the journal. A journal that does not name its tables closes none; the doctor
 * shows it.
 */
final class ClosedTables {
    private volatile List<LocalJournals.Unreadable> journals = List.of();

    void close(List<LocalJournals.Unreadable> unreadable) {
        journals = List.copyOf(unreadable);
    }

    boolean isEmpty() {
        return journals.isEmpty();
    }

    /** @throws SkepException COMMIT_UNFINISHED when one of the tables is closed */
    void check(Set<String> tables) {
        for (LocalJournals.Unreadable journal : journals) {
            for (String table : tables) {
                if (journal.tables().contains(table) && Files.exists(journal.file())) {
                    throw new SkepException(
                                    StandardErrorCode.COMMIT_UNFINISHED,
                                    "table " + table + " is closed: a write to it was interrupted, and its journal "
                                            + journal.file() + " cannot be read")
                            .withHint("run bin/skep doctor; when the table's files are as they should be,"
                                    + " delete the journal");
                }
            }
        }
    }
}
