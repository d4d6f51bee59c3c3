package io.skep.engine.aggregate;

import io.skep.common.vector.Vector;
import io.skep.engine.plan.WindowCall;

/**
 * A window function bound to argument types. A partition may arrive in consecutive pieces, of the size that
 * {@link #piece} requests. The function keeps what it needs of the earlier pieces. Owned by one thread.
 */
public interface WindowFunction {
    /**
     * Returns one value for each row.
     *
     * @param arguments flat vectors with the same number of rows as {@code rows}
     * @param rows sorted rows of whole partitions, except that the first partition may continue from the previous block
     *     and the last may be cut off
     */
    Vector evaluate(Vector[] arguments, WindowRows rows);

    /** Whether the function reads the frame. If not, the frame bounds need not be computed. */
    boolean framed();

    /** Returns how much of a partition the function must see at a time for the given frame. */
    default WindowPiece piece(WindowCall.Frame frame) {
        return WindowPiece.PARTITION;
    }

    /** Returns the bytes that the function keeps of earlier rows. */
    default long retainedBytes() {
        return 0;
    }

    /** Releases the resources of a user's function. */
    default void close() {}
}
