package io.skep.bench.hashtable;

/** One way to join, or to aggregate, the rows of a case. Owned by one thread. */
interface Contender extends AutoCloseable {
    /** Makes a new table of the build rows. */
    void build();

    /**
     * Looks all probe rows up. A join adds up the values of the matching build rows; an aggregation adds the probe rows
     * to their groups and then adds up all groups.
     *
     * @return the sum, the same for every contender
     */
    long probe();

    /** Bytes of the table beside keys and values, 0 when they are not known. */
    long overheadBytes();

    /** Whether building and probing cannot be told apart: then all the time is in {@link #probe}. */
    default boolean whole() {
        return false;
    }

    @Override
    default void close() {}
}
