package io.skep.common.vector;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Dictionary encoding: row {@code i} is {@code dictionary[ids[i]]}. The dictionary is flat and has no nulls. Null rows
 * are marked in this vector, and their id is 0. Entries need not be distinct, and may be unused.
 */
public final class DictionaryVector implements Vector {
    private final int[] ids;
    private final Vector dictionary;
    private final long @Nullable [] nulls;
    private final int length;

    public DictionaryVector(int[] ids, Vector dictionary, long @Nullable [] nulls, int length) {
        if (dictionary.mayHaveNulls()
                || dictionary instanceof DictionaryVector
                || dictionary instanceof ConstantVector) {
            throw new IllegalArgumentException("a dictionary is flat and without nulls");
        }
        this.ids = ids;
        this.dictionary = dictionary;
        this.nulls = nulls;
        this.length = length;
    }

    public int[] ids() {
        return ids;
    }

    public Vector dictionary() {
        return dictionary;
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public long @Nullable [] nulls() {
        return nulls;
    }

    @Override
    public DictionaryVector select(int[] positions, int count) {
        int[] selected = new int[count];
        for (int i = 0; i < count; i++) {
            selected[i] = ids[positions[i]];
        }
        return new DictionaryVector(selected, dictionary, NullMask.select(nulls, positions, count), count);
    }

    @Override
    public DictionaryVector slice(int from, int count) {
        return from == 0 && count == length
                ? this
                : new DictionaryVector(
                        Arrays.copyOfRange(ids, from, from + count),
                        dictionary,
                        NullMask.slice(nulls, from, count),
                        count);
    }

    @Override
    public Vector flatten() {
        if (dictionary.length() == 0) {
            return VectorAppender.nulls(dictionary, length);
        }
        Vector flat = dictionary.select(ids, length);
        return nulls == null ? flat : VectorAppender.withNulls(flat, nulls);
    }

    @Override
    public long retainedBytes() {
        return 64 + 4L * ids.length + dictionary.retainedBytes() + NullMask.bytes(nulls);
    }
}
