package io.skep.ql.commit;

import io.skep.metastore.commit.CommitMarks;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Journals as servers wrote them before there was a {@link CommitJournal}: a step a line, its fields between tabs. They do not say which
 * files they mean, and a tab or a line's end in a path makes them say something else; so they are never carried out. A table whose
 * journal is one of them is closed until somebody has looked at it.
 */
final class LineJournal {
    private static final String RECORD = "record";
    private static final int FIELDS = 5;

    private LineJournal() {}

    /** The tables that the journal names. */
    static Set<String> tables(byte[] journal) {
        Set<String> tables = new LinkedHashSet<>();
        for (String line : new String(journal, StandardCharsets.UTF_8).lines().toList()) {
            String[] fields = line.split("\t", -1);
            if (fields.length == FIELDS && fields[0].equals(RECORD)) {
                tables.add(CommitMarks.keyOf(fields[1], fields[2]));
            }
        }
        return tables;
    }
}
