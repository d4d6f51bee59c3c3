package io.skep.itests.history;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Random;

/** Statements on one table whose outcomes are recorded and judged. Thread-safe: many clients may use it. */
public interface Workload {
    /** Returns the statements that create the table. Each may be run again. */
    List<String> setUp();

    /**
     * Writes once and records the outcome.
     *
     * @throws SQLException if the write fails; its outcome then counts as unknown
     */
    void write(Statement statement, Random random) throws SQLException;

    /** Reads once and records the result. A read that fails records nothing. */
    void read(Statement statement) throws SQLException;

    /** Returns the violations in the history so far; empty if there are none. */
    List<String> violations();

    /** Returns how many writes were acknowledged. */
    long acknowledged();

    /** Returns the amount of work done, for the log. */
    String summary();
}
