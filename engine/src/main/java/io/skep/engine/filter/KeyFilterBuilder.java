package io.skep.engine.filter;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.common.vector.DoubleVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.engine.rows.RowOrder;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Builds the filter of a key from its values on the build side. */
public final class KeyFilterBuilder {
    /** The maximum number of values that are passed to readers one by one. */
    private static final int FEW = 32;

    /**
     * The number of bits per value that a bitmap may use, the same as for a Bloom filter. A bitmap of at most
     * SMALL_SPAN bits is always allowed.
     */
    private static final int BITS_A_VALUE = 16;

    private static final long SMALL_SPAN = 1 << 19;

    private KeyFilterBuilder() {}

    /** Returns the maximum bytes of a filter of that number of rows. */
    public static long maxBytes(long rows) {
        return Math.max(BloomSet.bytes(rows), BitmapSet.bytes(Math.max(SMALL_SPAN, BITS_A_VALUE * rows)));
    }

    /** @param keys a flat vector of a primitive type; nulls are left out */
    public static KeyFilter of(Vector keys, int rows, SqlType type) {
        boolean nulls = keys.mayHaveNulls();
        int first = 0;
        while (first < rows && nulls && keys.isNull(first)) {
            first++;
        }
        if (first == rows) {
            return KeyFilter.NOTHING;
        }
        return keys instanceof LongVector longs ? ofLongs(longs, first, rows) : ofOthers(keys, first, rows, type);
    }

    private static KeyFilter ofLongs(LongVector keys, int first, int rows) {
        boolean nulls = keys.mayHaveNulls();
        long[] values = keys.values();
        long least = values[first];
        long greatest = least;
        for (int row = first; row < rows; row++) {
            if (!nulls || !keys.isNull(row)) {
                least = Math.min(least, values[row]);
                greatest = Math.max(greatest, values[row]);
            }
        }
        KeyBounds range = new KeyBounds.Range(new Datum.OfLong(least), new Datum.OfLong(greatest));
        long span = greatest - least;
        if (span < 0 || span >= Math.max(SMALL_SPAN, BITS_A_VALUE * (long) rows)) {
            Optional<KeyBounds> few = fewValues(keys, rows, PrimitiveType.BIGINT);
            return new KeyFilter(Optional.of(BloomSet.of(keys, rows, nulls)), Optional.of(few.orElse(range)));
        }
        BitmapSet set = BitmapSet.of(keys, rows, nulls, least, greatest);
        boolean few = set.size() <= FEW;
        return new KeyFilter(Optional.of(set), Optional.of(few ? values(set) : range));
    }

    private static KeyBounds values(BitmapSet set) {
        List<Datum> values = new ArrayList<>();
        for (long value : set.values()) {
            values.add(new Datum.OfLong(value));
        }
        return new KeyBounds.Values(values);
    }

    private static KeyFilter ofOthers(Vector keys, int first, int rows, SqlType type) {
        BloomSet set = BloomSet.of(keys, rows, keys.mayHaveNulls());
        if (keys instanceof DoubleVector doubles && hasNaN(doubles, rows)) {
            // File statistics do not say whether a column contains NaN.
            return new KeyFilter(Optional.of(set), Optional.empty());
        }
        Optional<KeyBounds> few = fewValues(keys, rows, type);
        return new KeyFilter(Optional.of(set), Optional.of(few.orElseGet(() -> range(keys, first, rows, type))));
    }

    private static boolean hasNaN(DoubleVector keys, int rows) {
        for (int row = 0; row < rows; row++) {
            if (Double.isNaN(keys.values()[row]) && !keys.isNull(row)) {
                return true;
            }
        }
        return false;
    }

    private static Optional<KeyBounds> fewValues(Vector keys, int rows, SqlType type) {
        Set<Datum> values = new LinkedHashSet<>();
        for (int row = 0; row < rows; row++) {
            if (!keys.isNull(row)) {
                values.add(Datum.of(keys, row, type));
                if (values.size() > FEW) {
                    return Optional.empty();
                }
            }
        }
        return Optional.of(new KeyBounds.Values(List.copyOf(values)));
    }

    private static KeyBounds range(Vector keys, int first, int rows, SqlType type) {
        int least = first;
        int greatest = first;
        for (int row = first + 1; row < rows; row++) {
            if (keys.isNull(row)) {
                continue;
            }
            if (RowOrder.compareValues(keys, row, keys, least) < 0) {
                least = row;
            } else if (RowOrder.compareValues(keys, row, keys, greatest) > 0) {
                greatest = row;
            }
        }
        return new KeyBounds.Range(Datum.of(keys, least, type), Datum.of(keys, greatest, type));
    }
}
