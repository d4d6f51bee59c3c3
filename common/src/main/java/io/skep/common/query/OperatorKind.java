package io.skep.common.query;

/** The purpose of an operator, by which the time of a query is broken down. */
public enum OperatorKind {
    /** Reads tables. It does not wait for files. It decodes the data and drops rows that its conditions exclude. */
    SCAN("scan"),
    /** Conditions, expressions, table functions, limits. */
    PROJECT("project"),
    JOIN("join"),
    AGGREGATION("aggregation"),
    /** Sorting, merging sorted rows, the first rows of an order. */
    SORT("sort"),
    WINDOW("window"),
    /** Exchanges between the tasks of a query, and between the drivers of a task. */
    EXCHANGE("exchange"),
    WRITE("write");

    private final String label;

    OperatorKind(String label) {
        this.label = label;
    }

    /** Returns the name that statistics and counters use. */
    public String label() {
        return label;
    }
}
