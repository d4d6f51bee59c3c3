package io.skep.ql.commit;

import io.skep.metastore.commit.LeaseStore;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Journals in the format that preceded {@link CommitJournal}: one step per line, with fields separated by tabs. They do
 * not identify the files by key, and a tab or a line break in a path changes their meaning, so they are never carried
 * out. A table that has such a journal is closed until an administrator has checked it.
 */
final class LineJournal {
    private static final String RECORD = "record";
    private static final int FIELDS = 5;

    private LineJournal() {}

    /** Returns the tables that the journal names. */
    static Set<String> tables(byte[] journal) {
        Set<String> tables = new LinkedHashSet<>();
        for (String line : new String(journal, StandardCharsets.UTF_8).lines().toList()) {
            String[] fields = line.split("\t", -1);
            if (fields.length == FIELDS && fields[0].equals(RECORD)) {
                tables.add(LeaseStore.keyOf(fields[1], fields[2]));
            }
        }
        return tables;
    }
}
