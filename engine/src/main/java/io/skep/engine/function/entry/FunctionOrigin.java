package io.skep.engine.function.entry;

/** Where a built-in function comes from. */
public enum FunctionOrigin {
    /** Hive has it: its class describes it, and computes what no kernel is there for. */
    HIVE,

    /** Hive lacks it: the entry documents it, and its kernel takes all arguments that its types accept. */
    SKEP,

    /** Only plans call it: statements cannot name it, and nothing lists it. */
    PLAN
}
