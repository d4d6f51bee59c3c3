package io.skep.engine.aggregate;

import io.skep.common.vector.Vector;
import java.util.Arrays;

/**
 * The states of one aggregate for many groups, numbered from 0. Rows that a filter or DISTINCT leaves out are left out by
 * the caller, who selects the rows before. Argument vectors are flat. Owned by one thread.
 */
public interface Accumulator {
    /** Makes room for groups {@code [0, count)}; new ones are empty. Called before any row of theirs is added. */
    void ensureGroups(int count);

    /** Adds raw rows: row {@code i} goes to group {@code groupIds[i]}. */
    void add(int[] groupIds, Vector[] arguments, int rows);

    /** Adds raw rows to one group. */
    default void addAll(int group, Vector[] arguments, int rows) {
        int[] ids = new int[rows];
        Arrays.fill(ids, group);
        add(ids, arguments, rows);
    }

    /** Adds states that another accumulator of the same function gave. */
    void merge(int[] groupIds, Vector states, int rows);

    /** The states of groups {@code [from, from + count)}. */
    Vector states(int from, int count);

    /** The results of groups {@code [from, from + count)}. */
    Vector results(int from, int count);

    /** Whether {@link #removeAll} exists and undoes {@link #add} exactly. */
    default boolean removable() {
        return false;
    }

    /** Takes rows out of a group that were added before; for window frames that slide. */
    default void removeAll(int group, Vector[] arguments, int rows) {
        throw new UnsupportedOperationException(getClass().getSimpleName() + " cannot take rows out");
    }

    long retainedBytes();

    /** Frees what a user's function holds. */
    default void close() {}
}
