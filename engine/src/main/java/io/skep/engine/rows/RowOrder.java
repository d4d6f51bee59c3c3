package io.skep.engine.rows;

import io.skep.common.vector.Batch;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.ConstantVector;
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
import io.skep.engine.plan.SortKey;
import java.util.Arrays;
import java.util.List;

/**
 * An order of rows by sort keys. NaN is greater than all other doubles, 0.0 equals -0.0, and text is ordered by its
 * bytes.
 */
public final class RowOrder {
    private final int[] columns;
    private final boolean[] ascending;
    private final boolean[] nullsFirst;

    public RowOrder(List<SortKey> keys) {
        columns = keys.stream().mapToInt(SortKey::column).toArray();
        ascending = new boolean[columns.length];
        nullsFirst = new boolean[columns.length];
        for (int i = 0; i < columns.length; i++) {
            ascending[i] = keys.get(i).ascending();
            nullsFirst[i] = keys.get(i).nullsFirst();
        }
    }

    public int compare(Batch left, int l, Batch right, int r) {
        return compareFrom(0, left, l, right, r);
    }

    /** Compares by the keys from index {@code first} on. */
    public int compareFrom(int first, Batch left, int l, Batch right, int r) {
        for (int key = first; key < columns.length; key++) {
            int order = compare(key, left.column(columns[key]), l, right.column(columns[key]), r);
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    private int compare(int key, Vector left, int l, Vector right, int r) {
        boolean leftNull = left.isNull(l);
        boolean rightNull = right.isNull(r);
        if (leftNull || rightNull) {
            if (leftNull && rightNull) {
                return 0;
            }
            return leftNull == nullsFirst[key] ? -1 : 1;
        }
        int order = compareValues(left, l, right, r);
        return ascending[key] ? order : -order;
    }

    /** Compares two values, neither of which is null. */
    public static int compareValues(Vector left, int l, Vector right, int r) {
        if (right instanceof DictionaryVector d) {
            return compareValues(left, l, d.dictionary(), d.ids()[r]);
        }
        if (right instanceof ConstantVector c) {
            return compareValues(left, l, c.value(), 0);
        }
        return switch (left) {
            case LongVector v -> Long.compare(v.values()[l], ((LongVector) right).values()[r]);
            case DoubleVector v -> compareDoubles(v.values()[l], ((DoubleVector) right).values()[r]);
            case BytesVector v -> compareBytes(v, l, (BytesVector) right, r);
            case Decimal128Vector v -> compareDecimals(v, l, (Decimal128Vector) right, r);
            case TimestampVector v -> compareTimestamps(v, l, (TimestampVector) right, r);
            case ListVector v -> {
                ListVector o = (ListVector) right;
                yield compareRanges(
                        v.elements(), v.offsets()[l], v.lengths()[l], o.elements(), o.offsets()[r], o.lengths()[r]);
            }
            case MapVector v -> compareMaps(v, l, (MapVector) right, r);
            case StructVector v -> compareStructs(v, l, (StructVector) right, r);
            case UnionVector v -> compareUnions(v, l, (UnionVector) right, r);
            case DictionaryVector v -> compareValues(v.dictionary(), v.ids()[l], right, r);
            case ConstantVector v -> compareValues(v.value(), 0, right, r);
        };
    }

    private static int compareDoubles(double left, double right) {
        return left < right ? -1 : left > right ? 1 : left == right ? 0 : Double.compare(left, right);
    }

    private static int compareBytes(BytesVector left, int l, BytesVector right, int r) {
        int leftFrom = left.offsets()[l];
        int rightFrom = right.offsets()[r];
        return Arrays.compareUnsigned(
                left.data(),
                leftFrom,
                leftFrom + left.lengths()[l],
                right.data(),
                rightFrom,
                rightFrom + right.lengths()[r]);
    }

    private static int compareDecimals(Decimal128Vector left, int l, Decimal128Vector right, int r) {
        int order = Long.compare(left.high()[l], right.high()[r]);
        return order != 0 ? order : Long.compareUnsigned(left.low()[l], right.low()[r]);
    }

    private static int compareTimestamps(TimestampVector left, int l, TimestampVector right, int r) {
        int order = Long.compare(left.seconds()[l], right.seconds()[r]);
        return order != 0 ? order : Integer.compare(left.nanos()[l], right.nanos()[r]);
    }

    private static int compareMaps(MapVector left, int l, MapVector right, int r) {
        int order = compareRanges(
                left.keys(),
                left.offsets()[l],
                left.lengths()[l],
                right.keys(),
                right.offsets()[r],
                right.lengths()[r]);
        return order != 0
                ? order
                : compareRanges(
                        left.values(),
                        left.offsets()[l],
                        left.lengths()[l],
                        right.values(),
                        right.offsets()[r],
                        right.lengths()[r]);
    }

    private static int compareStructs(StructVector left, int l, StructVector right, int r) {
        for (int i = 0; i < left.fields().size(); i++) {
            int order = compareNullable(left.fields().get(i), l, right.fields().get(i), r);
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    private static int compareUnions(UnionVector left, int l, UnionVector right, int r) {
        byte tag = left.tags()[l];
        int order = Byte.compare(tag, right.tags()[r]);
        return order != 0
                ? order
                : compareNullable(
                        left.alternatives().get(tag), l, right.alternatives().get(tag), r);
    }

    private static int compareRanges(
            Vector left, int leftFrom, int leftCount, Vector right, int rightFrom, int rightCount) {
        int common = Math.min(leftCount, rightCount);
        for (int i = 0; i < common; i++) {
            int order = compareNullable(left, leftFrom + i, right, rightFrom + i);
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(leftCount, rightCount);
    }

    /** A null within a nested value is less than all other values. */
    private static int compareNullable(Vector left, int l, Vector right, int r) {
        if (left.isNull(l) || right.isNull(r)) {
            return Boolean.compare(right.isNull(r), left.isNull(l));
        }
        return compareValues(left, l, right, r);
    }
}
