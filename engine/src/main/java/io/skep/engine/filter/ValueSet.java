package io.skep.engine.filter;

import io.skep.common.vector.ConstantVector;
import io.skep.common.vector.DictionaryVector;
import io.skep.common.vector.Vector;
import io.skep.engine.rows.RowEquality;

/** A set of values of one vector kind. It is exact or contains a few more values than were added. Immutable. */
public sealed interface ValueSet permits BitmapSet, BloomSet {
    /** Keeps the rows of a flat vector without nulls whose values may be in the set. Returns their number. */
    int retainFlat(Vector flat, int[] rows, int count);

    long retainedBytes();

    /**
     * Keeps the rows out of {@code rows[0..count)} whose value is not null and may be in the set. Returns their number.
     */
    default int retain(Vector column, int[] rows, int count) {
        return switch (column) {
            case ConstantVector constant ->
                constant.value().isNull(0) || retainFlat(constant.value(), new int[] {0}, 1) == 0 ? 0 : count;
            case DictionaryVector encoded -> retainEncoded(encoded, rows, count);
            default -> retainFlat(column, rows, RowEquality.retainNotNull(column, rows, count));
        };
    }

    /** Tests each dictionary entry once if there are fewer entries than rows. */
    private int retainEncoded(DictionaryVector column, int[] rows, int count) {
        Vector dictionary = column.dictionary();
        int notNull = RowEquality.retainNotNull(column, rows, count);
        int[] ids = column.ids();
        if (dictionary.length() > notNull) {
            int kept = 0;
            int[] one = new int[1];
            for (int i = 0; i < notNull; i++) {
                int row = rows[i];
                one[0] = ids[row];
                rows[kept] = row;
                kept += retainFlat(dictionary, one, 1);
            }
            return kept;
        }
        boolean[] inSet = new boolean[dictionary.length()];
        int[] entries = new int[inSet.length];
        for (int i = 0; i < entries.length; i++) {
            entries[i] = i;
        }
        int found = retainFlat(dictionary, entries, entries.length);
        for (int i = 0; i < found; i++) {
            inSet[entries[i]] = true;
        }
        int kept = 0;
        for (int i = 0; i < notNull; i++) {
            int row = rows[i];
            rows[kept] = row;
            kept += inSet[ids[row]] ? 1 : 0;
        }
        return kept;
    }
}
