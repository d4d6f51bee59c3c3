package io.skep.engine.function.entry;

/** Where a built-in function comes from. */
public enum FunctionOrigin {
    /** Hive has the function. Hive's class describes it, and computes the calls that have no kernel. */
    HIVE,

    /** Hive lacks the function. The entry documents it, and has a kernel for all arguments that its types accept. */
    SKEP,

    /** Only plans call the function. Statements cannot name it, and nothing lists it. */
    PLAN
}
