package io.skep.engine.plan;

/** What a row of a write of changes does to a transactional table. Its code (tinyint) is the row's first value. */
public enum RowChange {
    /** The row is added. It has no identifier. */
    INSERT,
    /** The row replaces the one with its identifier. */
    UPDATE,
    /** The row with the identifier is deleted. Its other values are ignored. */
    DELETE;

    public int code() {
        return ordinal();
    }

    /** Whether a row that the table has goes away. */
    public boolean deletes() {
        return this != INSERT;
    }

    /** Whether a row is added. */
    public boolean inserts() {
        return this != DELETE;
    }
}
