package io.skep.engine.operator;

import io.skep.common.memory.MemoryPool;
import io.skep.common.memory.ScratchMemory;
import io.skep.engine.spill.SpillSpace;
import java.util.function.BooleanSupplier;

/**
 * The resources that an operator may use.
 *
 * @param maxOperatorBytes maximum bytes of an operator that can spill, in addition to the limits of the pool
 * @param space the task's
 * @param cancelled true when the query has ended; long loops check it
 * @param collector of the node of the plan to which the operator belongs
 */
public record OperatorContext(
        MemoryPool memory,
        SpillSpace space,
        long maxOperatorBytes,
        BooleanSupplier cancelled,
        OperatorStatsCollector collector) {
    /** The uncharged bytes of an account of arrays, sufficient for the texts of batches of usual rows. */
    private static final long FREE_SCRATCH_BYTES = 4 << 20;

    /** Creates the resources of operators whose statistics are not read. */
    public OperatorContext(MemoryPool memory, SpillSpace space, long maxOperatorBytes, BooleanSupplier cancelled) {
        this(memory, space, maxOperatorBytes, cancelled, new OperatorStatsCollector());
    }

    /** Returns the same resources for the operators of a node of the plan. */
    public OperatorContext of(OperatorStatsCollector node) {
        return new OperatorContext(memory, space, maxOperatorBytes, cancelled, node);
    }

    public OperatorSpill spill() {
        return new OperatorSpill(space, collector);
    }

    /** Returns an account of the large arrays of one driver. */
    public ScratchMemory scratch() {
        return new ScratchMemory(memory, FREE_SCRATCH_BYTES);
    }

    /**
     * Runs a step until it returns false. Each step drops the arrays that it makes, such as those of a batch that it
     * reads from one file and writes to another, so they are counted only until the step ends. The driver's account
     * would add up those of all steps.
     */
    public void repeat(BooleanSupplier step) {
        try (ScratchMemory arrays = scratch()) {
            arrays.enter();
            try {
                while (step.getAsBoolean()) {
                    arrays.settle(() -> 0);
                }
            } finally {
                arrays.leave();
            }
        }
    }

    public OperatorMemory account() {
        return new OperatorMemory(memory, maxOperatorBytes, collector);
    }

    /**
     * Returns the account of an operator that releases its memory when other operators need it more:
     * {@link Operator#revokeMemory}.
     */
    public OperatorMemory revocableAccount() {
        return OperatorMemory.revocable(memory, maxOperatorBytes, collector);
    }
}
