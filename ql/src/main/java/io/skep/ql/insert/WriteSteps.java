package io.skep.ql.insert;

/** What a writing statement does in the catalog besides its rows, in the order of the calls. */
interface WriteSteps {
    WriteSteps NONE = new WriteSteps() {};

    /** Called for each attempt, when its files have been listed and the transaction has begun. May fail. */
    default void listed() {}

    /** Called while no other statement can change the tables, before the commit begins. May fail. */
    default void check() {}

    /** Called when the commit has begun, and no row is visible yet. May fail. */
    default void begin() {}

    /** Called when the rows are visible, before other statements can change the tables. A failure is a warning. */
    default void record() {}
}
