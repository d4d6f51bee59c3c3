package io.skep.engine.filter;

import io.skep.common.type.SqlType;
import io.skep.common.vector.ConstantVector;
import io.skep.common.vector.Datum;
import io.skep.common.vector.DictionaryVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import java.util.HashSet;
import java.util.Set;

/** Collects the values of a column batch by batch, until there are too many. Owned by one thread. */
public final class ValueCollector {
    /** The maximum bytes of the values. They are sent with a task's statistics, so they must be small. */
    private static final long MAX_BYTES = 64 << 10;

    /** A power of two. */
    private static final int RECENT = 256;

    private final SqlType type;
    private final Set<Datum> values = new HashSet<>();
    private final long[] recent = new long[RECENT];
    private final boolean[] known = new boolean[RECENT];
    private long bytes;
    private boolean tooMany;

    public ValueCollector(SqlType type) {
        this.type = type;
    }

    /** Adds the first {@code rows} values of a vector. */
    public void add(Vector column, int rows) {
        if (tooMany || rows == 0) {
            return;
        }
        switch (column) {
            case ConstantVector constant -> add(Datum.of(constant, 0, type));
            case DictionaryVector encoded when encoded.dictionary().length() < rows -> addEncoded(encoded, rows);
            case LongVector longs -> addLongs(longs, rows);
            default -> {
                for (int row = 0; row < rows && !tooMany; row++) {
                    add(Datum.of(column, row, type));
                }
            }
        }
    }

    private void addEncoded(DictionaryVector column, int rows) {
        boolean[] used = new boolean[column.dictionary().length()];
        for (int row = 0; row < rows; row++) {
            if (!column.isNull(row)) {
                used[column.ids()[row]] = true;
            }
        }
        for (int entry = 0; entry < used.length && !tooMany; entry++) {
            if (used[entry]) {
                add(Datum.of(column.dictionary(), entry, type));
            }
        }
    }

    private void addLongs(LongVector column, int rows) {
        boolean nulls = column.mayHaveNulls();
        long[] all = column.values();
        for (int row = 0; row < rows && !tooMany; row++) {
            if (!nulls || !column.isNull(row)) {
                long value = all[row];
                int place = (int) value & (RECENT - 1);
                if (!known[place] || recent[place] != value) {
                    known[place] = true;
                    recent[place] = value;
                    add(new Datum.OfLong(value));
                }
            }
        }
    }

    private void add(Datum value) {
        if (value.isNull() || !values.add(value)) {
            return;
        }
        bytes += value instanceof Datum.OfBytes text ? text.value().length : Long.BYTES;
        if (values.size() > ColumnValues.MAX_VALUES || bytes > MAX_BYTES) {
            tooMany = true;
            values.clear();
        }
    }

    public ColumnValues values() {
        return tooMany ? ColumnValues.ANY : ColumnValues.of(values);
    }
}
