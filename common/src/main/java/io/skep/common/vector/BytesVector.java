package io.skep.common.vector;

import io.skep.common.memory.ScratchMemory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Values of kind BYTES as views into one array: row {@code i} is {@code data[offsets[i] .. offsets[i] + lengths[i])}.
 * Views may overlap, and selections share the data.
 */
public final class BytesVector implements Vector {
    private final byte[] data;
    private final int[] offsets;
    private final int[] lengths;
    private final long @Nullable [] nulls;
    private final int length;

    public BytesVector(byte[] data, int[] offsets, int[] lengths, long @Nullable [] nulls, int length) {
        this.data = data;
        this.offsets = offsets;
        this.lengths = lengths;
        this.nulls = nulls;
        this.length = length;
    }

    public byte[] data() {
        return data;
    }

    public int[] offsets() {
        return offsets;
    }

    public int[] lengths() {
        return lengths;
    }

    /** Returns a copy of one value's bytes. */
    public byte[] bytes(int row) {
        return Arrays.copyOfRange(data, offsets[row], offsets[row] + lengths[row]);
    }

    /** Returns one value as text. It allocates, so it must not be used in inner loops. */
    public String string(int row) {
        return new String(data, offsets[row], lengths[row], StandardCharsets.UTF_8);
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
    public BytesVector select(int[] positions, int count) {
        int[] newOffsets = new int[count];
        int[] newLengths = new int[count];
        for (int i = 0; i < count; i++) {
            newOffsets[i] = offsets[positions[i]];
            newLengths[i] = lengths[positions[i]];
        }
        return new BytesVector(data, newOffsets, newLengths, NullMask.select(nulls, positions, count), count);
    }

    @Override
    public BytesVector slice(int from, int count) {
        if (from == 0 && count == length) {
            return this;
        }
        return new BytesVector(
                data,
                Arrays.copyOfRange(offsets, from, from + count),
                Arrays.copyOfRange(lengths, from, from + count),
                NullMask.slice(nulls, from, count),
                count);
    }

    /** Returns the same values in an array without unused bytes, for values that are kept. */
    public BytesVector compact() {
        long total = 0;
        for (int i = 0; i < length; i++) {
            total += isNull(i) ? 0 : lengths[i];
        }
        if (total == data.length) {
            return this;
        }
        if (total > TextLimit.MAX_BYTES) {
            throw TextLimit.exceeded("the text of " + total + " bytes");
        }
        ScratchMemory.count(total);
        byte[] compacted = new byte[(int) total];
        int[] newOffsets = new int[length];
        int[] newLengths = new int[length];
        int at = 0;
        for (int i = 0; i < length; i++) {
            newOffsets[i] = at;
            if (!isNull(i)) {
                newLengths[i] = lengths[i];
                System.arraycopy(data, offsets[i], compacted, at, lengths[i]);
                at += lengths[i];
            }
        }
        return new BytesVector(compacted, newOffsets, newLengths, nulls, length);
    }

    @Override
    public BytesVector flatten() {
        return this;
    }

    @Override
    public long retainedBytes() {
        return 64 + data.length + 4L * offsets.length + 4L * lengths.length + NullMask.bytes(nulls);
    }
}
