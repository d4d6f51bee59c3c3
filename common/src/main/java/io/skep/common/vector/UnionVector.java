package io.skep.common.vector;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Unions: row {@code i} is row {@code i} of {@code alternatives[tags[i]]}; every alternative has this vector's length.
 */
public final class UnionVector implements Vector {
    private final byte[] tags;
    private final List<Vector> alternatives;
    private final long @Nullable [] nulls;
    private final int length;

    public UnionVector(byte[] tags, List<Vector> alternatives, long @Nullable [] nulls, int length) {
        this.tags = tags;
        this.alternatives = List.copyOf(alternatives);
        this.nulls = nulls;
        this.length = length;
    }

    public byte[] tags() {
        return tags;
    }

    public List<Vector> alternatives() {
        return alternatives;
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
    public UnionVector select(int[] positions, int count) {
        byte[] newTags = new byte[count];
        for (int i = 0; i < count; i++) {
            newTags[i] = tags[positions[i]];
        }
        List<Vector> selected = alternatives.stream()
                .map(alternative -> alternative.select(positions, count))
                .toList();
        return new UnionVector(newTags, selected, NullMask.select(nulls, positions, count), count);
    }

    @Override
    public UnionVector slice(int from, int count) {
        if (from == 0 && count == length) {
            return this;
        }
        List<Vector> parts = alternatives.stream()
                .map(alternative -> alternative.slice(from, count))
                .toList();
        return new UnionVector(
                Arrays.copyOfRange(tags, from, from + count), parts, NullMask.slice(nulls, from, count), count);
    }

    @Override
    public UnionVector flatten() {
        return new UnionVector(tags, alternatives.stream().map(Vector::flatten).toList(), nulls, length);
    }

    @Override
    public long retainedBytes() {
        long bytes = 64 + tags.length + NullMask.bytes(nulls);
        for (Vector alternative : alternatives) {
            bytes += alternative.retainedBytes();
        }
        return bytes;
    }
}
