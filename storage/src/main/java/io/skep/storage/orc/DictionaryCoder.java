package io.skep.storage.orc;

import io.skep.common.vector.BytesVector;
import io.skep.common.vector.DictionaryVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Restores the dictionary of a column from strings that ORC's reader has decoded. The decoded rows are views into the
 * dictionary's bytes, so an offset in these bytes identifies a value. Entries are numbered in the order in which they
 * occur. One instance serves one column of one stripe read.
 */
final class DictionaryCoder {
    private byte @Nullable [] data;
    private int[] idByOffset = new int[0];
    private int emptyId = -1;
    private int[] offsets = new int[16];
    private int[] lengths = new int[16];
    private int count;
    private @Nullable BytesVector dictionary;

    /** Returns the same rows as dictionary ids, or the rows themselves when a dictionary is not worthwhile. */
    @SuppressWarnings("ReferenceEquality") // each array belongs to one dictionary
    Vector encode(BytesVector strings) {
        int rows = strings.length();
        if (data != strings.data()) {
            restart(strings.data());
        }
        long[] nulls = strings.nulls();
        int[] ids = new int[rows];
        for (int i = 0; i < rows; i++) {
            ids[i] = NullMask.isNull(nulls, i) ? 0 : id(strings.offsets()[i], strings.lengths()[i]);
        }
        if (count == 0 || count > Math.max(rows, 1) * 4) {
            return strings;
        }
        BytesVector entries = dictionary;
        if (entries == null || entries.length() != count) {
            entries = new BytesVector(
                    strings.data(), Arrays.copyOf(offsets, count), Arrays.copyOf(lengths, count), null, count);
            dictionary = entries;
        }
        return new DictionaryVector(ids, entries, nulls, rows);
    }

    private void restart(byte[] newData) {
        data = newData;
        idByOffset = new int[newData.length];
        emptyId = -1;
        count = 0;
        dictionary = null;
    }

    private int id(int offset, int length) {
        if (length == 0) {
            if (emptyId < 0) {
                emptyId = add(0, 0);
            }
            return emptyId;
        }
        int known = idByOffset[offset] - 1;
        if (known >= 0) {
            return known;
        }
        int added = add(offset, length);
        idByOffset[offset] = added + 1;
        return added;
    }

    private int add(int offset, int length) {
        if (count == offsets.length) {
            offsets = Arrays.copyOf(offsets, count * 2);
            lengths = Arrays.copyOf(lengths, count * 2);
        }
        offsets[count] = offset;
        lengths[count] = length;
        return count++;
    }
}
