package io.skep.common.vector;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Maps as views into two parallel vectors: row {@code i} holds entries {@code [offsets[i], offsets[i] + lengths[i])}.
 */
public final class MapVector implements Vector {
    private final Vector keys;
    private final Vector values;
    private final int[] offsets;
    private final int[] lengths;
    private final long @Nullable [] nulls;
    private final int length;

    public MapVector(Vector keys, Vector values, int[] offsets, int[] lengths, long @Nullable [] nulls, int length) {
        this.keys = keys;
        this.values = values;
        this.offsets = offsets;
        this.lengths = lengths;
        this.nulls = nulls;
        this.length = length;
    }

    public Vector keys() {
        return keys;
    }

    public Vector values() {
        return values;
    }

    public int[] offsets() {
        return offsets;
    }

    public int[] lengths() {
        return lengths;
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
    public MapVector select(int[] positions, int count) {
        int[] newOffsets = new int[count];
        int[] newLengths = new int[count];
        for (int i = 0; i < count; i++) {
            newOffsets[i] = offsets[positions[i]];
            newLengths[i] = lengths[positions[i]];
        }
        return new MapVector(keys, values, newOffsets, newLengths, NullMask.select(nulls, positions, count), count);
    }

    @Override
    public MapVector slice(int from, int count) {
        return from == 0 && count == length
                ? this
                : new MapVector(
                        keys,
                        values,
                        Arrays.copyOfRange(offsets, from, from + count),
                        Arrays.copyOfRange(lengths, from, from + count),
                        NullMask.slice(nulls, from, count),
                        count);
    }

    @Override
    public MapVector flatten() {
        return new MapVector(keys.flatten(), values.flatten(), offsets, lengths, nulls, length);
    }

    @Override
    public long retainedBytes() {
        return 64 + keys.retainedBytes() + values.retainedBytes() + 8L * offsets.length + NullMask.bytes(nulls);
    }
}
