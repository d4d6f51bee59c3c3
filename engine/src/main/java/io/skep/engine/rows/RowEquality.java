package io.skep.engine.rows;

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
import java.util.Arrays;

/**
 * Compares values of one kind. Null equals null, NaN equals NaN, and 0.0 equals -0.0. The vectorized forms compare
 * pairs of rows, {@code (leftRows[i], rightRows[i])}.
 */
public final class RowEquality {
    private RowEquality() {}

    /** Whether row {@code i} of {@code left} equals row {@code rightRows[i]} of {@code right}, for all {@code i}. */
    public static boolean allEqual(Vector left, Vector right, int[] rightRows, int count) {
        if (left instanceof LongVector l && right instanceof LongVector r) {
            return l.mayHaveNulls() || r.mayHaveNulls()
                    ? nullableLongsEqual(l, r, rightRows, count)
                    : longsEqual(l.values(), r.values(), rightRows, count);
        }
        for (int i = 0; i < count; i++) {
            if (!equal(left, i, right, rightRows[i])) {
                return false;
            }
        }
        return true;
    }

    private static boolean nullableLongsEqual(LongVector left, LongVector right, int[] rightRows, int count) {
        long[] l = left.values();
        long[] r = right.values();
        boolean equal = true;
        for (int i = 0; i < count && equal; i++) {
            boolean absent = left.isNull(i);
            equal = absent == right.isNull(rightRows[i]) && (absent || l[i] == r[rightRows[i]]);
        }
        return equal;
    }

    /**
     * Whether row {@code leftRows[i]} of {@code left} equals row {@code rightRows[i]} of {@code right}, for all
     * {@code i}.
     */
    public static boolean allEqual(Vector left, int[] leftRows, Vector right, int[] rightRows, int count) {
        if (left instanceof LongVector l && right instanceof LongVector r && !l.mayHaveNulls() && !r.mayHaveNulls()) {
            return longsEqual(l.values(), leftRows, r.values(), rightRows, count);
        }
        for (int i = 0; i < count; i++) {
            if (!equal(left, leftRows[i], right, rightRows[i])) {
                return false;
            }
        }
        return true;
    }

    private static boolean longsEqual(long[] left, int[] leftRows, long[] right, int[] rightRows, int count) {
        long difference = 0;
        for (int i = 0; i < count; i++) {
            difference |= left[leftRows[i]] ^ right[rightRows[i]];
        }
        return difference == 0;
    }

    /**
     * Writes the rows {@code i} of {@code left} that do not equal row {@code rightRows[i]} of {@code right}. Returns
     * their number.
     */
    static int differing(Vector left, Vector right, int[] rightRows, int count, int[] rows) {
        int found = 0;
        if (left instanceof LongVector l && right instanceof LongVector r && !l.mayHaveNulls() && !r.mayHaveNulls()) {
            for (int i = 0; i < count; i++) {
                long difference = l.values()[i] ^ r.values()[rightRows[i]];
                rows[found] = i;
                found += (int) ((difference | -difference) >>> 63);
            }
            return found;
        }
        for (int i = 0; i < count; i++) {
            rows[found] = i;
            found += equal(left, i, right, rightRows[i]) ? 0 : 1;
        }
        return found;
    }

    private static boolean longsEqual(long[] left, long[] right, int[] rightRows, int count) {
        long difference = 0;
        for (int i = 0; i < count; i++) {
            difference |= left[i] ^ right[rightRows[i]];
        }
        return difference == 0;
    }

    public static boolean equal(Vector left, int l, Vector right, int r) {
        if (left instanceof DictionaryVector d && !d.isNull(l)) {
            return equal(d.dictionary(), d.ids()[l], right, r);
        }
        if (left instanceof ConstantVector c) {
            return equal(c.value(), 0, right, r);
        }
        if (right instanceof DictionaryVector || right instanceof ConstantVector) {
            return equalEncoded(left, l, right, r);
        }
        boolean leftNull = left.isNull(l);
        boolean rightNull = right.isNull(r);
        if (leftNull || rightNull) {
            return leftNull && rightNull;
        }
        return equalFlat(left, l, right, r);
    }

    private static boolean equalEncoded(Vector left, int l, Vector right, int r) {
        if (right.isNull(r)) {
            return left.isNull(l);
        }
        return right instanceof DictionaryVector d
                ? equal(left, l, d.dictionary(), d.ids()[r])
                : equal(left, l, ((ConstantVector) right).value(), 0);
    }

    private static boolean equalFlat(Vector left, int l, Vector right, int r) {
        return switch (left) {
            case LongVector v -> v.values()[l] == ((LongVector) right).values()[r];
            case DoubleVector v -> doublesEqual(v.values()[l], ((DoubleVector) right).values()[r]);
            case BytesVector v -> bytesEqual(v, l, (BytesVector) right, r);
            case Decimal128Vector v ->
                v.low()[l] == ((Decimal128Vector) right).low()[r]
                        && v.high()[l] == ((Decimal128Vector) right).high()[r];
            case TimestampVector v ->
                v.seconds()[l] == ((TimestampVector) right).seconds()[r]
                        && v.nanos()[l] == ((TimestampVector) right).nanos()[r];
            case ListVector v -> listsEqual(v, l, (ListVector) right, r);
            case MapVector v -> mapsEqual(v, l, (MapVector) right, r);
            case StructVector v -> structsEqual(v, l, (StructVector) right, r);
            case UnionVector v -> unionsEqual(v, l, (UnionVector) right, r);
            case DictionaryVector v -> throw new IllegalStateException("not flat");
            case ConstantVector v -> throw new IllegalStateException("not flat");
        };
    }

    private static boolean doublesEqual(double left, double right) {
        return left == right || Double.isNaN(left) && Double.isNaN(right);
    }

    private static boolean bytesEqual(BytesVector left, int l, BytesVector right, int r) {
        int count = left.lengths()[l];
        int leftFrom = left.offsets()[l];
        int rightFrom = right.offsets()[r];
        return count == right.lengths()[r]
                && Arrays.equals(left.data(), leftFrom, leftFrom + count, right.data(), rightFrom, rightFrom + count);
    }

    private static boolean listsEqual(ListVector left, int l, ListVector right, int r) {
        return left.lengths()[l] == right.lengths()[r]
                && rangesEqual(
                        left.elements(), left.offsets()[l], right.elements(), right.offsets()[r], left.lengths()[l]);
    }

    /** Whether two maps have the same entries, in any order. */
    private static boolean mapsEqual(MapVector left, int l, MapVector right, int r) {
        int count = left.lengths()[l];
        int leftFrom = left.offsets()[l];
        int rightFrom = right.offsets()[r];
        if (count != right.lengths()[r]) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            int entry = rightFrom + i;
            if (!equal(left.keys(), leftFrom + i, right.keys(), entry)) {
                entry = find(left.keys(), leftFrom + i, right.keys(), rightFrom, count);
            }
            if (entry < 0 || !equal(left.values(), leftFrom + i, right.values(), entry)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the row of the key among {@code count} keys, or -1. */
    private static int find(Vector left, int key, Vector right, int from, int count) {
        for (int i = from; i < from + count; i++) {
            if (equal(left, key, right, i)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean rangesEqual(Vector left, int leftFrom, Vector right, int rightFrom, int count) {
        for (int i = 0; i < count; i++) {
            if (!equal(left, leftFrom + i, right, rightFrom + i)) {
                return false;
            }
        }
        return true;
    }

    private static boolean structsEqual(StructVector left, int l, StructVector right, int r) {
        for (int i = 0; i < left.fields().size(); i++) {
            if (!equal(left.fields().get(i), l, right.fields().get(i), r)) {
                return false;
            }
        }
        return true;
    }

    private static boolean unionsEqual(UnionVector left, int l, UnionVector right, int r) {
        byte tag = left.tags()[l];
        return tag == right.tags()[r]
                && equal(left.alternatives().get(tag), l, right.alternatives().get(tag), r);
    }

    /** Keeps the rows out of {@code rows[0..count)} whose value in the vector is not null. Returns their number. */
    public static int retainNotNull(Vector vector, int[] rows, int count) {
        long[] nulls = vector.nulls();
        if (nulls == null) {
            return count;
        }
        int kept = 0;
        for (int i = 0; i < count; i++) {
            int row = rows[i];
            rows[kept] = row;
            kept += NullMask.isNull(nulls, row) ? 0 : 1;
        }
        return kept;
    }
}
