package io.skep.engine.expression;

import io.skep.common.type.SqlType;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.Decimal128Vector;
import io.skep.common.vector.DoubleVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.TimestampVector;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Moves values that were evaluated for some rows to the positions of these rows. */
final class Scatter {
    private Scatter() {}

    /** Returns the first rows of a flat vector. The result shares the vector's arrays if its kind allows it. */
    static Vector prefix(Vector flat, int rows) {
        if (flat.length() == rows) {
            return flat;
        }
        return switch (flat) {
            case LongVector v -> new LongVector(v.values(), v.nulls(), rows);
            case DoubleVector v -> new DoubleVector(v.values(), v.nulls(), rows);
            case BytesVector v -> new BytesVector(v.data(), v.offsets(), v.lengths(), v.nulls(), rows);
            case Decimal128Vector v -> new Decimal128Vector(v.high(), v.low(), v.nulls(), rows);
            case TimestampVector v -> new TimestampVector(v.seconds(), v.nanos(), v.nulls(), rows);
            default -> flat.slice(0, rows);
        };
    }

    /** Returns the dictionary with one more entry, which is null. */
    static Vector withNullEntry(Vector dictionary) {
        int entries = dictionary.length();
        int[] positions = new int[entries + 1];
        for (int i = 0; i < entries; i++) {
            positions[i] = i;
        }
        Vector longer = dictionary.select(positions, entries + 1);
        long[] nulls = new long[NullMask.words(entries + 1)];
        NullMask.set(nulls, entries);
        return VectorAppender.withNulls(longer, nulls);
    }

    /**
     * Merges parts into one vector of {@code rows} rows.
     *
     * @param parts part {@code p} has one value for each of {@code positions[p]}
     * @param positions the rows of each part; together they contain each row once
     */
    static Vector merge(SqlType type, List<Vector> parts, List<int[]> positions, int rows) {
        long @Nullable [] nulls = nulls(parts, positions, rows);
        return switch (type.vectorKind()) {
            case LONG -> longs(parts, positions, nulls, rows);
            case DOUBLE -> doubles(parts, positions, nulls, rows);
            default -> appended(type, parts, positions, rows);
        };
    }

    private static long @Nullable [] nulls(List<Vector> parts, List<int[]> positions, int rows) {
        long[] nulls = null;
        for (int p = 0; p < parts.size(); p++) {
            Vector part = parts.get(p);
            if (!part.mayHaveNulls()) {
                continue;
            }
            int[] at = positions.get(p);
            for (int i = 0; i < at.length; i++) {
                if (part.isNull(i)) {
                    nulls = nulls == null ? new long[NullMask.words(rows)] : nulls;
                    NullMask.set(nulls, at[i]);
                }
            }
        }
        return nulls;
    }

    private static Vector longs(List<Vector> parts, List<int[]> positions, long @Nullable [] nulls, int rows) {
        long[] merged = new long[rows];
        for (int p = 0; p < parts.size(); p++) {
            long[] values = ((LongVector) parts.get(p).flatten()).values();
            int[] at = positions.get(p);
            for (int i = 0; i < at.length; i++) {
                merged[at[i]] = values[i];
            }
        }
        return new LongVector(merged, nulls, rows);
    }

    private static Vector doubles(List<Vector> parts, List<int[]> positions, long @Nullable [] nulls, int rows) {
        double[] merged = new double[rows];
        for (int p = 0; p < parts.size(); p++) {
            double[] values = ((DoubleVector) parts.get(p).flatten()).values();
            int[] at = positions.get(p);
            for (int i = 0; i < at.length; i++) {
                merged[at[i]] = values[i];
            }
        }
        return new DoubleVector(merged, nulls, rows);
    }

    /** Concatenates the parts and selects the value of each row from the result. */
    private static Vector appended(SqlType type, List<Vector> parts, List<int[]> positions, int rows) {
        VectorAppender appender = VectorAppender.of(type);
        int[] source = new int[rows];
        int next = 0;
        for (int p = 0; p < parts.size(); p++) {
            Vector part = parts.get(p);
            for (int row : positions.get(p)) {
                source[row] = next++;
            }
            for (int i = 0; i < positions.get(p).length; i++) {
                appender.append(part, i);
            }
        }
        return appender.build().select(source, rows);
    }
}
