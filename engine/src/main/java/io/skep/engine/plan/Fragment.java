package io.skep.engine.plan;

import java.util.List;

/**
 * A part of a plan that runs without an exchange inside, as one task or as several equal tasks.
 *
 * @param id unique in its stage graph
 * @param distribution how tasks are distributed
 * @param output how rows leave the fragment
 */
public record Fragment(int id, PlanNode root, Distribution distribution, Output output) {
    /** Determines the number of a fragment's tasks. */
    public enum Distribution {
        /** One task. */
        SINGLE,
        /** Tasks share the splits of the scans. */
        SOURCE,
        /**
         * Task {@code i} gets partition {@code i} of every hashed input. Adjacent partitions may be combined in one
         * task.
         */
        HASH
    }

    public sealed interface Output {
        /** Sends all rows to the one task of the consumer, or to the client. */
        record Gather() implements Output {}

        /** Sends each row to the task that its columns hash to. */
        record Hash(List<Integer> columns) implements Output {
            public Hash {
                columns = List.copyOf(columns);
            }
        }

        /** Sends every row to every task. */
        record Broadcast() implements Output {}

        /** Sends rows to tasks in turn, for even load. */
        record RoundRobin() implements Output {}
    }
}
