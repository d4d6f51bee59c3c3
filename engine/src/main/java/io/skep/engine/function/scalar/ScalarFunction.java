package io.skep.engine.function.scalar;

import io.skep.common.vector.Vector;

/**
 * A function of some values of a row, bound to argument types. It returns one value for each row. Arguments are flat
 * vectors of {@code rows} rows. An instance is owned by one thread and may keep scratch space between calls. It does
 * not change a vector after returning it.
 */
public interface ScalarFunction {
    Vector evaluate(Vector[] arguments, int rows);

    /**
     * Whether the same arguments always return the same result, so that the function may be evaluated on a dictionary's
     * entries instead of rows.
     */
    default boolean deterministic() {
        return true;
    }

    /**
     * Whether evaluation may be noticed elsewhere, as with code of users. Such a function sees the values of the rows
     * that it is evaluated for, and no others.
     */
    default boolean hasSideEffects() {
        return false;
    }

    /** Releases the resources of a user's function. */
    default void close() {}
}
