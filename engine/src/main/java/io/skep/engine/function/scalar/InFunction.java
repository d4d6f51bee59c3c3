package io.skep.engine.function.scalar;

import io.skep.common.vector.BytesVector;
import io.skep.common.vector.Datum;
import io.skep.common.vector.Decimal128Vector;
import io.skep.common.vector.DoubleVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.TimestampVector;
import io.skep.common.vector.Vector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Membership in a set of constants of the value's type. Numbers are looked up in a sorted array. If a candidate is
 * null, the result is null for every value that is not found.
 */
public final class InFunction implements ScalarFunction {
    /** The maximum number of texts that are compared one by one. */
    private static final int FEW = 16;

    private final boolean hasNull;
    private final long[] longs;
    private final byte[][] texts;
    private final Set<Datum> others;

    public InFunction(List<Datum> candidates) {
        this.hasNull = candidates.contains(Datum.NULL);
        List<Datum> present = new ArrayList<>(candidates);
        present.removeIf(Datum::isNull);
        this.longs =
                present.stream().mapToLong(InFunction::bits).sorted().distinct().toArray();
        boolean simple =
                present.stream().allMatch(value -> value instanceof Datum.OfLong || value instanceof Datum.OfDouble);
        this.others = simple ? Set.of() : new HashSet<>(present);
        boolean fewTexts = others.size() <= FEW && others.stream().allMatch(Datum.OfBytes.class::isInstance);
        this.texts = fewTexts
                ? others.stream().map(value -> ((Datum.OfBytes) value).value()).toArray(byte[][]::new)
                : new byte[0][];
    }

    private static long bits(Datum value) {
        return switch (value) {
            case Datum.OfLong v -> v.value();
            case Datum.OfDouble v -> bits(v.value());
            default -> 0;
        };
    }

    /** Returns equal bits for equal doubles: zero has no sign, and there is only one NaN. */
    private static long bits(double value) {
        return Double.doubleToLongBits(value == 0 ? 0.0 : value);
    }

    @Override
    public Vector evaluate(Vector[] arguments, int rows) {
        Vector argument = arguments[0];
        long[] found = new long[rows];
        switch (argument) {
            case LongVector v -> longs(v.values(), found);
            case DoubleVector v -> doubles(v.values(), found);
            case BytesVector v when texts.length > 0 -> texts(v, found);
            default -> values(argument, found);
        }
        return new LongVector(found, hasNull ? missesToo(argument, found) : argument.nulls(), rows);
    }

    private long[] missesToo(Vector argument, long[] found) {
        long[] nulls = new long[NullMask.words(found.length)];
        for (int i = 0; i < found.length; i++) {
            if (found[i] == 0 || argument.isNull(i)) {
                NullMask.set(nulls, i);
            }
        }
        return nulls;
    }

    private void longs(long[] values, long[] found) {
        if (longs.length <= 8) {
            for (long candidate : longs) {
                for (int i = 0; i < found.length; i++) {
                    found[i] |= values[i] == candidate ? 1 : 0;
                }
            }
            return;
        }
        for (int i = 0; i < found.length; i++) {
            found[i] = Arrays.binarySearch(longs, values[i]) >= 0 ? 1 : 0;
        }
    }

    private void doubles(double[] values, long[] found) {
        for (int i = 0; i < found.length; i++) {
            found[i] = Arrays.binarySearch(longs, bits(values[i])) >= 0 ? 1 : 0;
        }
    }

    /** The result for a null row is arbitrary here, because the null mask hides it. */
    private void texts(BytesVector vector, long[] found) {
        byte[] data = vector.data();
        int[] offsets = vector.offsets();
        int[] lengths = vector.lengths();
        for (byte[] text : texts) {
            for (int i = 0; i < found.length; i++) {
                if (lengths[i] == text.length
                        && Arrays.equals(data, offsets[i], offsets[i] + text.length, text, 0, text.length)) {
                    found[i] = 1;
                }
            }
        }
    }

    private void values(Vector vector, long[] found) {
        for (int i = 0; i < found.length; i++) {
            found[i] = !vector.isNull(i) && others.contains(datum(vector, i)) ? 1 : 0;
        }
    }

    private static Datum datum(Vector vector, int row) {
        return switch (vector) {
            case BytesVector v -> new Datum.OfBytes(v.bytes(row));
            case Decimal128Vector v -> new Datum.OfDecimal(v.unscaled(row));
            case TimestampVector v -> new Datum.OfTimestamp(v.seconds()[row], v.nanos()[row]);
            default -> Values.datum(vector, row);
        };
    }
}
