package io.skep.engine.operator;

import io.skep.common.memory.MemoryPool;
import io.skep.engine.spill.SpillSpace;
import java.util.function.BooleanSupplier;

/**
 * What an operator may use.
 *
 * @param maxOperatorBytes what an operator that can spill may hold, beside the limits of the pool
 * @param cancelled true when the query has ended; long loops look at it
 */
public record OperatorContext(MemoryPool memory, SpillSpace spill, long maxOperatorBytes, BooleanSupplier cancelled) {
    public OperatorMemory account() {
        return new OperatorMemory(memory, maxOperatorBytes);
    }

    /** The account of an operator that gives back what it holds when others need it more: {@link Operator#giveBack}. */
    public OperatorMemory revocableAccount() {
        return OperatorMemory.revocable(memory, maxOperatorBytes);
    }
}
