package io.skep.common.query;

/** What an operator is there for, by which the time of a query is told apart. */
public enum OperatorKind {
    /** Reads tables: waits for no file, but decodes what was read and drops what its conditions exclude. */
    SCAN("scan"),
    /** Conditions, expressions, table functions, limits. */
    PROJECT("project"),
    JOIN("join"),
    AGGREGATION("aggregation"),
    /** Sorting, merging of what is sorted, the first rows of an order. */
    SORT("sort"),
    WINDOW("window"),
    /** Between the tasks of a query, and between the drivers of a task. */
    EXCHANGE("exchange"),
    WRITE("write");

    private final String label;

    OperatorKind(String label) {
        this.label = label;
    }

    /** As figures and counters are named. */
    public String label() {
        return label;
    }
}
