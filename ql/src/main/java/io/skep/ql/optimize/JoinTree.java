package io.skep.ql.optimize;

import java.util.Optional;

/**
 * Factors in the order in which they are joined.
 *
 * @param set the factors' bits
 * @param inputs the joined parts, empty for a single factor
 */
record JoinTree(long set, double rows, double cost, Optional<Inputs> inputs) {
    /** @param build the side with fewer rows */
    record Inputs(JoinTree probe, JoinTree build) {}

    static JoinTree factor(int factor, double rows) {
        return new JoinTree(1L << factor, rows, 0, Optional.empty());
    }
}
