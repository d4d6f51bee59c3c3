package io.skep.engine.aggregate;

import io.skep.common.vector.Vector;
import io.skep.engine.plan.WindowCall;

/**
 * A window function bound to argument types. A partition may come in pieces, one after the other, as large as {@link #piece}
 * asks: a function keeps what it needs of the earlier ones. Owned by one thread.
 */
public interface WindowFunction {
    /**
     * One value for each row.
     *
     * @param arguments flat, of as many rows as {@code rows} has
     * @param rows sorted rows of whole partitions, but for the first, which may go on, and the last, which may be cut
     */
    Vector evaluate(Vector[] arguments, WindowRows rows);

    /** Whether it looks at the frame; when not, frame bounds need not be computed. */
    boolean framed();

    /** How much of a partition it has to see at a time when this is its frame. */
    default WindowPiece piece(WindowCall.Frame frame) {
        return WindowPiece.PARTITION;
    }

    /** Bytes that it keeps of earlier rows. */
    default long retainedBytes() {
        return 0;
    }

    /** Frees what a user's function holds. */
    default void close() {}
}
