package io.skep.engine.aggregate;

import io.skep.common.vector.Vector;
import java.util.Arrays;

/**
 * Holds the states of one aggregate for many groups, which are numbered from 0. The caller leaves out rows that a
 * filter or DISTINCT excludes: it selects the rows before it adds them. Argument vectors are flat. Owned by one thread.
 */
public interface Accumulator {
    /**
     * Makes room for groups {@code [0, count)}. New groups are empty. Must be called before any row of a group is
     * added.
     */
    void ensureGroups(int count);

    /** Adds raw rows: row {@code i} goes to group {@code groupIds[i]}. */
    void add(int[] groupIds, Vector[] arguments, int rows);

    /** Adds raw rows to one group. */
    default void addAll(int group, Vector[] arguments, int rows) {
        int[] ids = new int[rows];
        Arrays.fill(ids, group);
        add(ids, arguments, rows);
    }

    /** Merges states that another accumulator of the same function returned. */
    void merge(int[] groupIds, Vector states, int rows);

    /** Returns the states of groups {@code [from, from + count)}. */
    Vector states(int from, int count);

    /** Returns the results of groups {@code [from, from + count)}. */
    Vector results(int from, int count);

    /** Whether {@link #removeAll} is supported and undoes {@link #add} exactly. */
    default boolean removable() {
        return false;
    }

    /** Removes rows of a group that were added before. Used for window frames that slide. */
    default void removeAll(int group, Vector[] arguments, int rows) {
        throw new UnsupportedOperationException(getClass().getSimpleName() + " cannot take rows out");
    }

    long retainedBytes();

    /** Releases the resources of a user's function. */
    default void close() {}
}
