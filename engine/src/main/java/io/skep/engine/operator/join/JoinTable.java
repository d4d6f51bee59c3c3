package io.skep.engine.operator.join;

import io.skep.common.vector.Batch;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.engine.rows.JoinIndex;
import java.util.List;
import java.util.Optional;

/**
 * The rows of a join's build side with an index of their keys, if it has keys. Read by many threads; {@link #matched} is
 * written by them without order, always with true.
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

    /** A table of rows that were on disk ({@link JoinSpec#spilled}). */
    static JoinTable loaded(Batch spilled, JoinSpec spec) {
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

    /** Rows {@code [from, from + count)} as they go to disk. */
    Batch spilled(int from, int count, JoinSpec spec) {
        return spec.spilled(rows.slice(from, count), matched, from);
    }

    /** Bytes of a table beside its rows. */
    static long directoryBytes(long rows) {
        return JoinIndex.bytes(rows) + rows;
    }

    Batch rows() {
        return rows;
    }

    /** The values of one key, flat. */
    Vector key(int position) {
        return keys.get(position);
    }

    int rowCount() {
        return rows.rowCount();
    }

    boolean hashed() {
        return index.isPresent();
    }

    /** Only of a table that is {@link #hashed}. */
    JoinIndex index() {
        return index.orElseThrow();
    }

    /** Which rows have matched; only for joins that keep right rows. */
    boolean[] matched() {
        return matched;
    }
}
