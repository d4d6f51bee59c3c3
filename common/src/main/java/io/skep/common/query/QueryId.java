package io.skep.common.query;

/** A query's name, unique over all servers and restarts; printable, usable in file names. */
public record QueryId(String value) {
    public QueryId {
        if (!value.matches("[A-Za-z0-9_.-]+")) {
            throw new IllegalArgumentException("'" + value + "' is not a query id: letters, digits, '_', '.', '-'");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
