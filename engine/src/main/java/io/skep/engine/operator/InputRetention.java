package io.skep.engine.operator;

/** How long an operator, or those behind it, look at the vectors that they were given. A wrong answer here is a wrong result. */
public enum InputRetention {
    /** As long as they like. */
    KEEPS,
    /**
     * Until {@link Operator#needsInput} is true again; batches that it gives out may have the same vectors in them. So it holds
     * those of one batch at most, and none when it takes the next one.
     */
    PASSES_ON,
    /** Not after {@link Operator#add} has come back: what stays has been copied, and nothing that it gives out shares arrays with it. */
    COPIES
}
