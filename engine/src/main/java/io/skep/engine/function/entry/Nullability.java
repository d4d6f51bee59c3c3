package io.skep.engine.function.entry;

/** When the result of a function is NULL. For an aggregate, the arguments are those of all rows of its group. */
public enum Nullability {
    /**
     * NULL when an argument is NULL, and perhaps for other arguments too (a remainder of a division by zero). An
     * aggregate: NULL when no row has a value.
     */
    NULL_ON_NULL("The result is NULL when an argument is NULL.", "The result is NULL when no row has a value."),

    /** Never NULL. */
    NEVER_NULL("The result is never NULL.", "The result is never NULL."),

    /** NULL is a value like any other: the function decides. */
    BY_VALUE("NULL is an argument like any other.", "NULL is an argument like any other.");

    private final String ofCall;
    private final String ofGroup;

    Nullability(String ofCall, String ofGroup) {
        this.ofCall = ofCall;
        this.ofGroup = ofGroup;
    }

    /** Returns a sentence for DESCRIBE FUNCTION EXTENDED about a function of one row's values. */
    public String ofCall() {
        return ofCall;
    }

    /** Returns a sentence for DESCRIBE FUNCTION EXTENDED about a function of many rows. */
    public String ofGroup() {
        return ofGroup;
    }
}
