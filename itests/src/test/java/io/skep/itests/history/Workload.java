package io.skep.itests.history;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Random;

/** Statements on one table whose outcomes are kept and judged. Safe for many clients. */
public interface Workload {
    /** Statements that make the table; each may be run again. */
    List<String> setUp();

    /**
     * Writes once, and keeps the outcome.
     *
     * @throws SQLException after which the outcome counts as unknown
     */
    void write(Statement statement, Random random) throws SQLException;

    /** Reads once, and keeps what was seen; a read that fails leaves nothing. */
    void read(Statement statement) throws SQLException;

    /** What is wrong with the history up to now; empty when nothing is. */
    List<String> violations();

    /** How many writes were acknowledged. */
    long acknowledged();

    /** How much was done, for the log. */
    String summary();
}
