package io.skep.common.vector;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Arrays as views into one vector of elements: row {@code i} is
 * {@code elements[offsets[i] .. offsets[i] + lengths[i])}.
 */
public final class ListVector implements Vector {
    private final Vector elements;
    private final int[] offsets;
    private final int[] lengths;
    private final long @Nullable [] nulls;
    private final int length;

    public ListVector(Vector elements, int[] offsets, int[] lengths, long @Nullable [] nulls, int length) {
        this.elements = elements;
        this.offsets = offsets;
        this.lengths = lengths;
        this.nulls = nulls;
        this.length = length;
    }

    public Vector elements() {
        return elements;
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
    public ListVector select(int[] positions, int count) {
        int[] newOffsets = new int[count];
        int[] newLengths = new int[count];
        for (int i = 0; i < count; i++) {
            newOffsets[i] = offsets[positions[i]];
            newLengths[i] = lengths[positions[i]];
        }
        return new ListVector(elements, newOffsets, newLengths, NullMask.select(nulls, positions, count), count);
    }

    @Override
    public ListVector slice(int from, int count) {
        return from == 0 && count == length
                ? this
                : new ListVector(
                        elements,
                        Arrays.copyOfRange(offsets, from, from + count),
                        Arrays.copyOfRange(lengths, from, from + count),
                        NullMask.slice(nulls, from, count),
                        count);
    }

    @Override
    public ListVector flatten() {
        return new ListVector(elements.flatten(), offsets, lengths, nulls, length);
    }

    @Override
    public long retainedBytes() {
        return 64 + elements.retainedBytes() + 8L * offsets.length + NullMask.bytes(nulls);
    }
}
