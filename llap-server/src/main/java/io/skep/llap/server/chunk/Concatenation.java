package io.skep.llap.server.chunk;

import io.skep.common.memory.ScratchMemory;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.ConstantVector;
import io.skep.common.vector.Decimal128Vector;
import io.skep.common.vector.DictionaryVector;
import io.skep.common.vector.DoubleVector;
import io.skep.common.vector.ListVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.MapVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.StructVector;
import io.skep.common.vector.TimestampVector;
import io.skep.common.vector.UnionVector;
import io.skep.common.vector.Vector;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Concatenates vectors of one kind into one flat vector. */
final class Concatenation {
    private Concatenation() {}

    static Vector of(List<Vector> parts) {
        List<Vector> flat = new ArrayList<>(parts.size());
        int rows = 0;
        for (Vector part : parts) {
            flat.add(part.flatten());
            rows = Math.addExact(rows, part.length());
        }
        if (flat.size() == 1) {
            return flat.getFirst();
        }
        long[] nulls = nulls(flat, rows);
        return switch (flat.getFirst()) {
            case LongVector v -> longs(flat, nulls, rows);
            case DoubleVector v -> doubles(flat, nulls, rows);
            case BytesVector v -> bytes(flat, nulls, rows);
            case Decimal128Vector v -> decimals(flat, nulls, rows);
            case TimestampVector v -> timestamps(flat, nulls, rows);
            case ListVector v -> lists(flat, nulls, rows);
            case MapVector v -> maps(flat, nulls, rows);
            case StructVector v -> structs(v, flat, nulls, rows);
            case UnionVector v -> unions(v, flat, nulls, rows);
            case DictionaryVector v -> throw notFlat();
            case ConstantVector v -> throw notFlat();
        };
    }

    static long @Nullable [] nulls(List<Vector> parts, int rows) {
        boolean any = false;
        for (Vector part : parts) {
            any |= part.mayHaveNulls();
        }
        if (!any) {
            return null;
        }
        long[] nulls = new long[NullMask.words(rows)];
        int row = 0;
        for (Vector part : parts) {
            for (int i = 0; i < part.length(); i++, row++) {
                if (part.isNull(i)) {
                    NullMask.set(nulls, row);
                }
            }
        }
        return nulls;
    }

    private static Vector longs(List<Vector> parts, long @Nullable [] nulls, int rows) {
        long[] values = new long[rows];
        int at = 0;
        for (Vector part : parts) {
            System.arraycopy(((LongVector) part).values(), 0, values, at, part.length());
            at += part.length();
        }
        return new LongVector(values, nulls, rows);
    }

    private static Vector doubles(List<Vector> parts, long @Nullable [] nulls, int rows) {
        double[] values = new double[rows];
        int at = 0;
        for (Vector part : parts) {
            System.arraycopy(((DoubleVector) part).values(), 0, values, at, part.length());
            at += part.length();
        }
        return new DoubleVector(values, nulls, rows);
    }

    private static Vector bytes(List<Vector> parts, long @Nullable [] nulls, int rows) {
        List<BytesVector> compact = new ArrayList<>(parts.size());
        long total = 0;
        for (Vector part : parts) {
            BytesVector vector = ((BytesVector) part).compact();
            compact.add(vector);
            total += vector.data().length;
        }
        if (total > Integer.MAX_VALUE - 64) {
            throw new ChunkTooLargeException();
        }
        ScratchMemory.count(total);
        byte[] data = new byte[(int) total];
        int[] offsets = new int[rows];
        int[] lengths = new int[rows];
        int at = 0;
        int row = 0;
        for (BytesVector part : compact) {
            System.arraycopy(part.data(), 0, data, at, part.data().length);
            for (int i = 0; i < part.length(); i++, row++) {
                offsets[row] = at + part.offsets()[i];
                lengths[row] = part.lengths()[i];
            }
            at += part.data().length;
        }
        return new BytesVector(data, offsets, lengths, nulls, rows);
    }

    private static Vector decimals(List<Vector> parts, long @Nullable [] nulls, int rows) {
        long[] high = new long[rows];
        long[] low = new long[rows];
        int at = 0;
        for (Vector part : parts) {
            System.arraycopy(((Decimal128Vector) part).high(), 0, high, at, part.length());
            System.arraycopy(((Decimal128Vector) part).low(), 0, low, at, part.length());
            at += part.length();
        }
        return new Decimal128Vector(high, low, nulls, rows);
    }

    private static Vector timestamps(List<Vector> parts, long @Nullable [] nulls, int rows) {
        long[] seconds = new long[rows];
        int[] nanos = new int[rows];
        int at = 0;
        for (Vector part : parts) {
            System.arraycopy(((TimestampVector) part).seconds(), 0, seconds, at, part.length());
            System.arraycopy(((TimestampVector) part).nanos(), 0, nanos, at, part.length());
            at += part.length();
        }
        return new TimestampVector(seconds, nanos, nulls, rows);
    }

    private static Vector lists(List<Vector> parts, long @Nullable [] nulls, int rows) {
        List<Vector> elements = new ArrayList<>();
        int[] offsets = new int[rows];
        int[] lengths = new int[rows];
        int row = 0;
        int base = 0;
        for (Vector part : parts) {
            ListVector list = (ListVector) part;
            elements.add(list.elements());
            row = shift(list.offsets(), list.lengths(), part.length(), base, row, offsets, lengths);
            base = Math.addExact(base, list.elements().length());
        }
        return new ListVector(of(elements), offsets, lengths, nulls, rows);
    }

    private static Vector maps(List<Vector> parts, long @Nullable [] nulls, int rows) {
        List<Vector> keys = new ArrayList<>();
        List<Vector> values = new ArrayList<>();
        int[] offsets = new int[rows];
        int[] lengths = new int[rows];
        int row = 0;
        int base = 0;
        for (Vector part : parts) {
            MapVector map = (MapVector) part;
            keys.add(map.keys());
            values.add(map.values());
            row = shift(map.offsets(), map.lengths(), part.length(), base, row, offsets, lengths);
            base = Math.addExact(base, map.keys().length());
        }
        return new MapVector(of(keys), of(values), offsets, lengths, nulls, rows);
    }

    private static int shift(
            int[] fromOffsets, int[] fromLengths, int count, int base, int row, int[] offsets, int[] lengths) {
        for (int i = 0; i < count; i++) {
            offsets[row + i] = fromOffsets[i] + base;
            lengths[row + i] = fromLengths[i];
        }
        return row + count;
    }

    private static Vector structs(StructVector first, List<Vector> parts, long @Nullable [] nulls, int rows) {
        List<Vector> fields = new ArrayList<>();
        for (int field = 0; field < first.fields().size(); field++) {
            int index = field;
            fields.add(of(parts.stream()
                    .map(part -> ((StructVector) part).fields().get(index))
                    .toList()));
        }
        return new StructVector(fields, nulls, rows);
    }

    private static Vector unions(UnionVector first, List<Vector> parts, long @Nullable [] nulls, int rows) {
        byte[] tags = new byte[rows];
        int at = 0;
        for (Vector part : parts) {
            System.arraycopy(((UnionVector) part).tags(), 0, tags, at, part.length());
            at += part.length();
        }
        List<Vector> alternatives = new ArrayList<>();
        for (int alternative = 0; alternative < first.alternatives().size(); alternative++) {
            int index = alternative;
            alternatives.add(of(parts.stream()
                    .map(part -> ((UnionVector) part).alternatives().get(index))
                    .toList()));
        }
        return new UnionVector(tags, alternatives, nulls, rows);
    }

    private static IllegalStateException notFlat() {
        return new IllegalStateException("flattening left an encoded vector");
    }
}
