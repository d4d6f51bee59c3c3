package io.skep.engine.aggregate;

import io.skep.common.vector.Vector;

/** A window function bound to argument types. Owned by one thread. */
public interface WindowFunction {
    /**
     * One value for each row.
     *
     * @param arguments flat, of as many rows as {@code rows} has
     * @param rows sorted rows of whole partitions
     */
    Vector evaluate(Vector[] arguments, WindowRows rows);

    /** Whether it looks at the frame; when not, frame bounds need not be computed. */
    boolean framed();

    /** Frees what a user's function holds. */
    default void close() {}
}
