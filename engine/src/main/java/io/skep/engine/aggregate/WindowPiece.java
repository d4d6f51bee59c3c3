package io.skep.engine.aggregate;

import io.skep.engine.plan.WindowCall.Bound;
import io.skep.engine.plan.WindowCall.Frame;
import io.skep.engine.plan.WindowCall.Unit;

/** How much of a partition a window function must see at a time, from the least to the most. */
public enum WindowPiece {
    /** Any number of rows. */
    ROWS,
    /** Whole groups of rows that are equal in the window's order. */
    PEER_GROUPS,
    PARTITION;

    public WindowPiece or(WindowPiece other) {
        return compareTo(other) >= 0 ? this : other;
    }

    /**
     * Returns the piece that the bounds of a frame require, if the function does not need to see rows within the bounds
     * again.
     */
    static WindowPiece ofGrowing(Frame frame) {
        if (!(frame.start() instanceof Bound.UnboundedPreceding) || !(frame.end() instanceof Bound.CurrentRow)) {
            return PARTITION;
        }
        return frame.unit() == Unit.ROWS ? ROWS : PEER_GROUPS;
    }
}
