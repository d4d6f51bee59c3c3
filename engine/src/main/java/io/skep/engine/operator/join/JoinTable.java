package io.skep.engine.operator.join;

import io.skep.common.vector.Batch;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.engine.rows.JoinIndex;
import java.util.List;
import java.util.Optional;

/**
 * The rows of a join's build side, with an index of their keys if the join has keys. Read by many threads. They also
 * write {@link #matched} without synchronization, but only ever set it to true.
 */
final class JoinTable {
    private final Batch rows;
    private final List<Vector> keys;
    private final Optional<JoinIndex> index;
    private final boolean[] matched;

    JoinTable(Batch rows, JoinSpec spec) {
        this(rows, new boolean[spec.keepsRight() ? rows.rowCount() : 0], spec);
    }

    private JoinTable(Batch rows, boolean[] matched, JoinSpec spec) {
        this.rows = rows;
        this.keys = spec.rightKeys(rows);
        this.matched = matched;
        this.index =
                keys.isEmpty() ? Optional.empty() : Optional.of(new JoinIndex(keys, spec.nullSafe(), rows.rowCount()));
    }

    /** Returns a table of rows that were spilled ({@link JoinSpec#toSpillFormat}). */
    static JoinTable fromSpilled(Batch spilled, JoinSpec spec) {
        if (!spec.keepsRight()) {
            return new JoinTable(spilled, spec);
        }
        int last = spec.rightTypes().size();
        boolean[] matched = new boolean[spilled.rowCount()];
        if (matched.length > 0) {
            long[] flags = ((LongVector) spilled.column(last).flatten()).values();
            for (int i = 0; i < matched.length; i++) {
                matched[i] = flags[i] != 0;
            }
        }
        return new JoinTable(new Batch(spilled.columns().subList(0, last), matched.length), matched, spec);
    }

    /** Returns rows {@code [from, from + count)} in the form in which they are spilled. */
    Batch toSpillFormat(int from, int count, JoinSpec spec) {
        return spec.toSpillFormat(rows.slice(from, count), matched, from);
    }

    /** Returns the bytes of a table in addition to its rows. */
    static long directoryBytes(long rows) {
        return JoinIndex.bytes(rows) + rows;
    }

    Batch rows() {
        return rows;
    }

    /** Returns the values of one key as a flat vector. */
    Vector key(int position) {
        return keys.get(position);
    }

    int rowCount() {
        return rows.rowCount();
    }

    boolean hashed() {
        return index.isPresent();
    }

    /** Returns the index. Must be called only on a table that is {@link #hashed}. */
    JoinIndex index() {
        return index.orElseThrow();
    }

    /** Returns which rows have matched. Maintained only for joins that keep right rows. */
    boolean[] matched() {
        return matched;
    }
}
