package io.skep.storage.orc;

import io.skep.common.type.ArrayType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.MapType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.type.UnionType;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.ConstantVector;
import io.skep.common.vector.Decimal128Vector;
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
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hive.common.type.HiveDecimal;
import org.apache.hadoop.hive.ql.exec.vector.BytesColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.ColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.DecimalColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.DoubleColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.ListColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.LongColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.MapColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.MultiValuedColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.StructColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.TimestampColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.UnionColumnVector;
import org.jspecify.annotations.Nullable;

/** Copies values decoded by ORC's readers to Skep's vectors. ORC reuses its own vectors. */
final class OrcVectors {
    private static final long[] POWERS_OF_TEN = new long[19];

    static {
        POWERS_OF_TEN[0] = 1;
        for (int i = 1; i < POWERS_OF_TEN.length; i++) {
            POWERS_OF_TEN[i] = POWERS_OF_TEN[i - 1] * 10;
        }
    }

    private OrcVectors() {}

    /** Copies the first {@code rows} values. A repeating vector becomes a constant. */
    static Vector copy(ColumnVector source, SqlType type, int rows) {
        if (source.isRepeating && rows > 0) {
            Vector one = flat(source, type, 1);
            return new ConstantVector(one, rows);
        }
        return flat(source, type, rows);
    }

    private static Vector nested(ColumnVector source, SqlType type, int rows) {
        if (source.isRepeating && rows > 0) {
            source.flatten(false, new int[0], rows);
        }
        return flat(source, type, rows);
    }

    private static Vector flat(ColumnVector source, SqlType type, int rows) {
        long[] nulls = nulls(source, rows);
        return switch (type.vectorKind()) {
            case LONG -> longs(source, type, nulls, rows);
            case DOUBLE -> doubles((DoubleColumnVector) source, type, nulls, rows);
            case BYTES -> bytes((BytesColumnVector) source, nulls, rows);
            case DECIMAL128 -> decimals((DecimalColumnVector) source, ((DecimalType) type).scale(), nulls, rows);
            case TIMESTAMP -> timestamps((TimestampColumnVector) source, nulls, rows);
            case LIST -> list((ListColumnVector) source, (ArrayType) type, nulls, rows);
            case MAP -> map((MapColumnVector) source, (MapType) type, nulls, rows);
            case STRUCT -> struct((StructColumnVector) source, (StructType) type, nulls, rows);
            case UNION -> union((UnionColumnVector) source, (UnionType) type, nulls, rows);
        };
    }

    private static Vector doubles(DoubleColumnVector source, SqlType type, long @Nullable [] nulls, int rows) {
        double[] values = Arrays.copyOf(source.vector, rows);
        if (type == PrimitiveType.FLOAT) {
            // ORC's conversions from other types leave more digits than a float has.
            for (int i = 0; i < rows; i++) {
                values[i] = (float) values[i];
            }
        }
        return new DoubleVector(values, nulls, rows);
    }

    static long @Nullable [] nulls(ColumnVector source, int rows) {
        if (source.noNulls) {
            return null;
        }
        boolean[] isNull = source.isNull;
        long[] mask = new long[NullMask.words(rows)];
        long any = 0;
        for (int i = 0; i < rows; i++) {
            long bit = isNull[i] ? 1L << i : 0;
            mask[i >> 6] |= bit;
            any |= bit;
        }
        return any == 0 ? null : mask;
    }

    private static Vector longs(ColumnVector source, SqlType type, long @Nullable [] nulls, int rows) {
        if (source instanceof DecimalColumnVector decimals) {
            int scale = ((DecimalType) type).scale();
            long[] unscaled = new long[rows];
            for (int i = 0; i < rows; i++) {
                unscaled[i] = NullMask.isNull(nulls, i) ? 0 : decimals.vector[i].serialize64(scale);
            }
            return new LongVector(unscaled, nulls, rows);
        }
        return new LongVector(Arrays.copyOf(((LongColumnVector) source).vector, rows), nulls, rows);
    }

    /** Values in one shared array, as ORC's string readers produce them, are not copied. */
    @SuppressWarnings("ReferenceEquality") // checks whether the values share one array
    private static BytesVector bytes(BytesColumnVector source, long @Nullable [] nulls, int rows) {
        byte[] shared = null;
        boolean oneArray = true;
        long total = 0;
        for (int i = 0; i < rows; i++) {
            if (!NullMask.isNull(nulls, i)) {
                byte[] data = source.vector[i];
                shared = shared == null ? data : shared;
                oneArray &= data == shared || source.length[i] == 0;
                total += source.length[i];
            }
        }
        if (shared == null) {
            return new BytesVector(new byte[0], new int[rows], new int[rows], nulls, rows);
        }
        return oneArray ? views(source, shared, nulls, rows) : copies(source, total, nulls, rows);
    }

    private static BytesVector views(BytesColumnVector source, byte[] data, long @Nullable [] nulls, int rows) {
        int[] offsets = new int[rows];
        int[] lengths = new int[rows];
        for (int i = 0; i < rows; i++) {
            boolean some = !NullMask.isNull(nulls, i) && source.length[i] > 0;
            offsets[i] = some ? source.start[i] : 0;
            lengths[i] = some ? source.length[i] : 0;
        }
        return new BytesVector(data, offsets, lengths, nulls, rows);
    }

    private static BytesVector copies(BytesColumnVector source, long total, long @Nullable [] nulls, int rows) {
        byte[] data = new byte[Math.toIntExact(total)];
        int[] offsets = new int[rows];
        int[] lengths = new int[rows];
        int at = 0;
        for (int i = 0; i < rows; i++) {
            offsets[i] = at;
            if (!NullMask.isNull(nulls, i)) {
                lengths[i] = source.length[i];
                System.arraycopy(source.vector[i], source.start[i], data, at, lengths[i]);
                at += lengths[i];
            }
        }
        return new BytesVector(data, offsets, lengths, nulls, rows);
    }

    private static Vector decimals(DecimalColumnVector source, int scale, long @Nullable [] nulls, int rows) {
        long[] high = new long[rows];
        long[] low = new long[rows];
        long[] scratch = new long[HiveDecimal.SCRATCH_LONGS_LEN];
        byte[] buffer = new byte[HiveDecimal.SCRATCH_BUFFER_LEN_BIG_INTEGER_BYTES];
        for (int i = 0; i < rows; i++) {
            if (!NullMask.isNull(nulls, i)) {
                int count = source.vector[i].bigIntegerBytes(scratch, buffer);
                long h = buffer[0] < 0 ? -1 : 0;
                long l = h;
                for (int b = 0; b < count; b++) {
                    h = h << 8 | l >>> 56;
                    l = l << 8 | buffer[b] & 0xFF;
                }
                for (int missing = scale - source.vector[i].scale(); missing > 0; missing -= 18) {
                    long power = POWERS_OF_TEN[Math.min(missing, 18)];
                    h = h * power + Math.unsignedMultiplyHigh(l, power);
                    l *= power;
                }
                high[i] = h;
                low[i] = l;
            }
        }
        return new Decimal128Vector(high, low, nulls, rows);
    }

    private static Vector timestamps(TimestampColumnVector source, long @Nullable [] nulls, int rows) {
        long[] seconds = new long[rows];
        for (int i = 0; i < rows; i++) {
            seconds[i] = Math.floorDiv(source.time[i], 1000L);
        }
        return new TimestampVector(seconds, Arrays.copyOf(source.nanos, rows), nulls, rows);
    }

    private static Vector list(ListColumnVector source, ArrayType type, long @Nullable [] nulls, int rows) {
        Vector elements = nested(source.child, type.element(), childRows(source, nulls, rows));
        return new ListVector(
                elements, ints(source.offsets, nulls, rows), ints(source.lengths, nulls, rows), nulls, rows);
    }

    private static Vector map(MapColumnVector source, MapType type, long @Nullable [] nulls, int rows) {
        int entries = childRows(source, nulls, rows);
        return new MapVector(
                nested(source.keys, type.key(), entries),
                nested(source.values, type.value(), entries),
                ints(source.offsets, nulls, rows),
                ints(source.lengths, nulls, rows),
                nulls,
                rows);
    }

    private static int childRows(MultiValuedColumnVector source, long @Nullable [] nulls, int rows) {
        long end = 0;
        for (int i = 0; i < rows; i++) {
            if (!NullMask.isNull(nulls, i)) {
                end = Math.max(end, source.offsets[i] + source.lengths[i]);
            }
        }
        return Math.toIntExact(end);
    }

    private static int[] ints(long[] values, long @Nullable [] nulls, int rows) {
        int[] narrow = new int[rows];
        for (int i = 0; i < rows; i++) {
            narrow[i] = NullMask.isNull(nulls, i) ? 0 : (int) values[i];
        }
        return narrow;
    }

    private static Vector struct(StructColumnVector source, StructType type, long @Nullable [] nulls, int rows) {
        List<Vector> fields = new ArrayList<>();
        for (int i = 0; i < source.fields.length; i++) {
            fields.add(nested(source.fields[i], type.fields().get(i).type(), rows));
        }
        return new StructVector(fields, nulls, rows);
    }

    private static Vector union(UnionColumnVector source, UnionType type, long @Nullable [] nulls, int rows) {
        List<Vector> alternatives = new ArrayList<>();
        for (int i = 0; i < source.fields.length; i++) {
            alternatives.add(nested(source.fields[i], type.alternatives().get(i), rows));
        }
        byte[] tags = new byte[rows];
        for (int i = 0; i < rows; i++) {
            tags[i] = (byte) source.tags[i];
        }
        return new UnionVector(tags, alternatives, nulls, rows);
    }
}
