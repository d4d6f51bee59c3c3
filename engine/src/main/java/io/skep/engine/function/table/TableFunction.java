package io.skep.engine.function.table;

import io.skep.common.vector.Vector;
import java.util.List;

/** A table function bound to argument types: some rows for each row. Owned by one thread. */
public interface TableFunction {
    /**
     * What came out.
     *
     * @param counts for each input row how many output rows it gave
     * @param columns the output rows of all input rows, in order
     */
    record Rows(int[] counts, List<Vector> columns) {
        public Rows {
            columns = List.copyOf(columns);
        }
    }

    /** Arguments are flat vectors of {@code rows} rows. */
    Rows process(Vector[] arguments, int rows);

    /** Rows that the function gives after its last input, {@code counts} has one entry; they belong to no input row. */
    Rows finish();
}
