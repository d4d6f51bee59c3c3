package io.skep.metastore.transaction;

/** What a transaction does with a table or partition, by Hive's names. */
public enum DataOperation {
    SELECT,
    INSERT,
    /** Also INSERT OVERWRITE, and the updates and inserts of MERGE. */
    UPDATE,
    DELETE,
    /** Work on something that is not transactional, or on its definition. */
    NO_TXN
}
