package io.skep.bench.hashtable;

/** An implementation of joining, or aggregating, the rows of a case. Owned by one thread. */
interface Contender extends AutoCloseable {
    /** Builds a new table from the build rows. */
    void build();

    /**
     * Looks up all probe rows. A join adds up the values of the matching build rows. An aggregation adds the probe rows
     * to their groups and then adds up all groups.
     *
     * @return the sum, the same for every contender
     */
    long probe();

    /** Returns the bytes of the table in addition to keys and values, or 0 when they are not known. */
    long overheadBytes();

    /** Whether building and probing cannot be timed separately. In that case all the time is in {@link #probe}. */
    default boolean whole() {
        return false;
    }

    @Override
    default void close() {}
}
