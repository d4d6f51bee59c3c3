package io.skep.engine.function.scalar;

import io.skep.common.vector.BytesVector;
import io.skep.common.vector.ConstantVector;
import io.skep.common.vector.Datum;
import io.skep.common.vector.Decimal128Vector;
import io.skep.common.vector.DictionaryVector;
import io.skep.common.vector.DoubleVector;
import io.skep.common.vector.ListVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.MapVector;
import io.skep.common.vector.StructVector;
import io.skep.common.vector.TimestampVector;
import io.skep.common.vector.UnionVector;
import io.skep.common.vector.Vector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Extracts single values from vectors. Intended for constants and nested values, not for inner loops. */
public final class Values {
    private Values() {}

    public static Datum datum(Vector vector, int row) {
        if (vector.isNull(row)) {
            return Datum.NULL;
        }
        return switch (vector) {
            case LongVector v -> new Datum.OfLong(v.values()[row]);
            case DoubleVector v -> new Datum.OfDouble(v.values()[row]);
            case BytesVector v -> new Datum.OfBytes(v.bytes(row));
            case Decimal128Vector v -> new Datum.OfDecimal(v.unscaled(row));
            case TimestampVector v -> new Datum.OfTimestamp(v.seconds()[row], v.nanos()[row]);
            case ListVector v -> new Datum.OfList(range(v.elements(), v.offsets()[row], v.lengths()[row]));
            case MapVector v ->
                new Datum.OfMap(
                        range(v.keys(), v.offsets()[row], v.lengths()[row]),
                        range(v.values(), v.offsets()[row], v.lengths()[row]));
            case StructVector v ->
                new Datum.OfList(
                        v.fields().stream().map(field -> datum(field, row)).toList());
            case UnionVector v ->
                new Datum.OfUnion(v.tags()[row], datum(v.alternatives().get(v.tags()[row]), row));
            case DictionaryVector v -> datum(v.dictionary(), v.ids()[row]);
            case ConstantVector v -> datum(v.value(), 0);
        };
    }

    /** Whether two values are equal. The values are not null, and their vectors have the same type. */
    static boolean same(Vector left, int leftRow, Vector right, int rightRow) {
        if (left instanceof LongVector a && right instanceof LongVector b) {
            return a.values()[leftRow] == b.values()[rightRow];
        }
        if (left instanceof BytesVector a && right instanceof BytesVector b) {
            int from = a.offsets()[leftRow];
            int other = b.offsets()[rightRow];
            return Arrays.equals(
                    a.data(), from, from + a.lengths()[leftRow], b.data(), other, other + b.lengths()[rightRow]);
        }
        return datum(left, leftRow).equals(datum(right, rightRow));
    }

    private static List<Datum> range(Vector vector, int from, int count) {
        List<Datum> values = new ArrayList<>(count);
        for (int i = from; i < from + count; i++) {
            values.add(datum(vector, i));
        }
        return values;
    }
}
