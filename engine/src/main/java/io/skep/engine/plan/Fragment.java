package io.skep.engine.plan;

import java.util.List;

/**
 * A part of a plan that runs without exchange, as one task or as many alike.
 *
 * @param id unique in its stage graph
 * @param distribution how tasks are laid out
 * @param output how rows leave
 */
public record Fragment(int id, PlanNode root, Distribution distribution, Output output) {
    /** Decides the number of a fragment's tasks. */
    public enum Distribution {
        /** One task. */
        SINGLE,
        /** Tasks share the splits of the scans. */
        SOURCE,
        /** Task {@code i} gets partition {@code i} of every hashed input, or neighbouring partitions that make no task of their own. */
        HASH
    }

    public sealed interface Output {
        /** Everything to the one task of the consumer (or to the client). */
        record Gather() implements Output {}

        /** Each row to the task that its columns hash to. */
        record Hash(List<Integer> columns) implements Output {
            public Hash {
                columns = List.copyOf(columns);
            }
        }

        /** Every row to every task. */
        record Broadcast() implements Output {}

        /** Rows to tasks in turn, for even load. */
        record RoundRobin() implements Output {}
    }
}
