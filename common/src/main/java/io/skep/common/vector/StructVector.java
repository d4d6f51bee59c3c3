package io.skep.common.vector;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Structs: one vector per field, all of this vector's length. */
public final class StructVector implements Vector {
    private final List<Vector> fields;
    private final long @Nullable [] nulls;
    private final int length;

    public StructVector(List<Vector> fields, long @Nullable [] nulls, int length) {
        this.fields = List.copyOf(fields);
        this.nulls = nulls;
        this.length = length;
    }

    public List<Vector> fields() {
        return fields;
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
    public StructVector select(int[] positions, int count) {
        List<Vector> selected =
                fields.stream().map(field -> field.select(positions, count)).toList();
        return new StructVector(selected, NullMask.select(nulls, positions, count), count);
    }

    @Override
    public StructVector slice(int from, int count) {
        if (from == 0 && count == length) {
            return this;
        }
        List<Vector> parts =
                fields.stream().map(field -> field.slice(from, count)).toList();
        return new StructVector(parts, NullMask.slice(nulls, from, count), count);
    }

    @Override
    public StructVector flatten() {
        return new StructVector(fields.stream().map(Vector::flatten).toList(), nulls, length);
    }

    @Override
    public long retainedBytes() {
        long bytes = 64 + NullMask.bytes(nulls);
        for (Vector field : fields) {
            bytes += field.retainedBytes();
        }
        return bytes;
    }
}
