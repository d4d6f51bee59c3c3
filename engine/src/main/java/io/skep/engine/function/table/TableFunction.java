package io.skep.engine.function.table;

import io.skep.common.vector.Vector;
import java.util.List;

/**
 * A table function bound to argument types. It produces some rows for each input row. The output for one batch of input
 * is returned in pieces, because it may have any number of rows. Owned by one thread.
 */
public interface TableFunction {
    /**
     * A piece of the output.
     *
     * @param inputRows for each output row the input row to which it belongs, in order
     * @param count the number of output rows
     * @param completed input rows before this one produce no more rows
     * @param columns the output rows
     */
    record Rows(int[] inputRows, int count, int completed, List<Vector> columns) {
        public Rows {
            columns = List.copyOf(columns);
        }
    }

    /**
     * Starts a batch of input. All rows of the previous batch must be completed. Arguments are flat vectors of
     * {@code rows} rows.
     */
    void start(Vector[] arguments, int rows);

    /**
     * Returns the next piece, which has about as many rows as a usual batch. Called until all input rows are completed.
     */
    Rows next();

    /** Returns the rows that the function produces after its last input. They belong to no input row. */
    Rows finish();
}
