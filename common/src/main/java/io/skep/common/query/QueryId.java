package io.skep.common.query;

import java.util.regex.Pattern;

/** A query's name, unique over all servers and restarts; printable, usable in file names. */
public record QueryId(String value) {
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_.-]+");

    public QueryId {
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException("'" + value + "' is not a query id: letters, digits, '_', '.', '-'");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
