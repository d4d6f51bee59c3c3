package io.skep.ql.transaction;

/** What a statement does with a transactional table. */
public enum TableAccess {
    /** Reads rows. */
    READ,
    /** Adds rows. Also the inserts of MERGE, and LOAD. */
    INSERT,
    /** Replaces all rows: INSERT OVERWRITE, LOAD OVERWRITE, TRUNCATE. */
    OVERWRITE,
    /** Also the updates of MERGE. */
    UPDATE,
    /** Also the deletes of MERGE. */
    DELETE,
    /** Changes what readers and writers may go on beside, such as statistics. */
    DEFINE_SHARED,
    /** Drops or changes the definition, which nobody may use meanwhile. */
    DEFINE_EXCLUSIVE;

    boolean writesRows() {
        return switch (this) {
            case INSERT, OVERWRITE, UPDATE, DELETE -> true;
            case READ, DEFINE_SHARED, DEFINE_EXCLUSIVE -> false;
        };
    }
}
