package io.skep.engine.function.table;

import io.skep.common.vector.Vector;
import java.util.List;

/**
 * A table function bound to argument types: some rows for each row. What it gives for one batch of input comes in pieces, since it
 * may be any number of rows. Owned by one thread.
 */
public interface TableFunction {
    /**
     * A piece of what came out.
     *
     * @param inputRows for each output row the input row that it belongs to, in order
     * @param count of output rows
     * @param completed input rows before this one give no more
     * @param columns the output rows
     */
    record Rows(int[] inputRows, int count, int completed, List<Vector> columns) {
        public Rows {
            columns = List.copyOf(columns);
        }
    }

    /** Takes a batch of input, when all of the one before is completed. Arguments are flat vectors of {@code rows} rows. */
    void start(Vector[] arguments, int rows);

    /** The next piece, of about the rows of a usual batch; asked for until all input rows are completed. */
    Rows next();

    /** Rows that the function gives after its last input; they belong to no input row. */
    Rows finish();
}
