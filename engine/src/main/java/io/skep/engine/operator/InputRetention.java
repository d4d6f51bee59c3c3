package io.skep.engine.operator;

/**
 * How long an operator, or the operators downstream of it, access the vectors of their input. A wrong value leads to
 * wrong results.
 */
public enum InputRetention {
    /** For an unlimited time. */
    RETAINS_INPUT,
    /**
     * Until {@link Operator#needsInput} is true again. Batches that the operator returns may contain the same vectors.
     * Therefore the operator holds the vectors of at most one batch, and of none when it accepts the next batch.
     */
    PASSES_ON,
    /**
     * Until {@link Operator#add} returns. The operator copies what it keeps, and its output shares no arrays with the
     * input.
     */
    COPIES
}
