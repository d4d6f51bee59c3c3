package io.skep.ql.statement;

import io.skep.ql.SqlStatement;
import io.skep.ql.execution.RunListener;

/** A statement that EXPLAIN ANALYZE runs, in place of {@link #run}. */
public interface AnalyzableStatement extends SqlStatement {
    /** Does all of the statement's work, drops its rows and leaves nothing behind. */
    void tryOut(RunListener listener);

    /** Prints the plan that was tried out, with the figures of the run. */
    String printRun();
}
