package io.skep.ql.transaction;

/** What a statement does with a transactional table. */
public enum TableAccess {
    /** Reads rows. */
    READ,
    /** Adds rows. Also the inserts of MERGE, and LOAD. */
    INSERT,
    /** Replaces all rows: INSERT OVERWRITE, LOAD OVERWRITE. */
    OVERWRITE,
    /** Removes all rows. Readers of older snapshots go on beside. */
    TRUNCATE,
    /** Also the updates of MERGE. */
    UPDATE,
    /** Also the deletes of MERGE. */
    DELETE,
    /** Changes what readers and writers may go on beside, such as statistics. */
    DEFINE_SHARED,
    /** Changes what readers may go on beside, and nobody else may change meanwhile, such as new partitions. */
    DEFINE_ALONE,
    /** Drops or changes the definition, which nobody may use meanwhile. */
    DEFINE_EXCLUSIVE;

    boolean writesRows() {
        return switch (this) {
            case INSERT, OVERWRITE, TRUNCATE, UPDATE, DELETE -> true;
            case READ, DEFINE_SHARED, DEFINE_ALONE, DEFINE_EXCLUSIVE -> false;
        };
    }
}
