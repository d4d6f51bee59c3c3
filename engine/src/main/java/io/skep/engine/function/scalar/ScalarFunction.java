package io.skep.engine.function.scalar;

import io.skep.common.vector.Vector;

/**
 * A function of some values of a row, bound to argument types: gives one value for each row. Arguments are flat vectors of
 * {@code rows} rows. An instance is owned by one thread and may keep scratch space between calls; what it returns is not
 * touched again.
 */
public interface ScalarFunction {
    Vector evaluate(Vector[] arguments, int rows);

    /** Whether the same arguments always give the same result, so that a dictionary's entries may stand for rows. */
    default boolean deterministic() {
        return true;
    }

    /** Frees what a user's function holds. */
    default void close() {}
}
