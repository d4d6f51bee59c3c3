package io.skep.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a table or view.
 *
 * @param names the database and the table, or the table alone, which is then one of the session's current database
 */
record TableName(List<String> names) {
    private static final Pattern PART = Pattern.compile("\\G(?:(\\w+)|`((?:[^`]|``)+)`)(\\.(?!$)|$)");

    TableName {
        names = List.copyOf(names);
    }

    /**
     * Reads a name as SQL has it: {@code t}, {@code db.t}, or with backticks around parts.
     *
     * @throws IllegalArgumentException when it is something else
     */
    static TableName parse(String text) {
        Matcher part = PART.matcher(text);
        List<String> names = new ArrayList<>();
        int end = 0;
        while (end < text.length() && part.find()) {
            names.add(part.group(1) != null ? part.group(1) : part.group(2).replace("``", "`"));
            end = part.end();
        }
        if (end != text.length() || names.isEmpty() || names.size() > 2) {
            throw new IllegalArgumentException("Skep: '" + text + "' is not the name of a table, such as db.t");
        }
        return new TableName(names);
    }

    /** Returns the quoted name. */
    String sql() {
        return SqlText.path(names);
    }

    @Override
    public String toString() {
        return String.join(".", names);
    }
}
