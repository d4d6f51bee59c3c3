package io.skep.engine.rows;

import io.skep.common.memory.ScratchMemory;
import io.skep.common.type.SqlType;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.Decimal128Vector;
import io.skep.common.vector.DoubleVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.TimestampVector;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A column to which rows are appended and that can be read as a vector at any time. Owned by one thread. */
abstract sealed class GrowableColumn {
    private static final int INITIAL = 256;
    /** Smaller arrays are doubled when they are full. Larger ones grow by half. */
    private static final int DOUBLED = 1 << 16;

    int length;
    private long @Nullable [] nulls;

    static GrowableColumn of(SqlType type) {
        return switch (type.vectorKind()) {
            case LONG -> new Longs();
            case DOUBLE -> new Doubles();
            case BYTES -> new Bytes();
            case DECIMAL128 -> new Decimals();
            case TIMESTAMP -> new Timestamps();
            case LIST, MAP, STRUCT, UNION -> new Nested(type);
        };
    }

    /** Appends rows {@code rows[0..count)} of a flat vector. */
    final void append(Vector source, int[] rows, int count) {
        if (source.mayHaveNulls() || nulls != null) {
            nulls = markNulls(nulls, source, rows, count);
        }
        copy(source, rows, count);
        length += count;
    }

    private long[] markNulls(long @Nullable [] mask, Vector source, int[] rows, int count) {
        int words = length + count + 63 >>> 6;
        long[] grown = mask == null
                ? new long[Math.max(words, INITIAL >> 6)]
                : mask.length < words ? Arrays.copyOf(mask, Math.max(words, mask.length * 2)) : mask;
        for (int i = 0; i < count; i++) {
            if (source.isNull(rows[i])) {
                int row = length + i;
                grown[row >> 6] |= 1L << row;
            }
        }
        return grown;
    }

    /** Returns a vector of all rows so far. It is valid only until the next append. */
    final Vector view() {
        long[] mask = nulls;
        if (mask != null && mask.length < length + 63 >>> 6) {
            mask = Arrays.copyOf(mask, length + 63 >>> 6);
        }
        return view(mask);
    }

    abstract void copy(Vector source, int[] rows, int count);

    abstract Vector view(long @Nullable [] mask);

    abstract long bytes();

    final long retainedBytes() {
        return bytes() + (nulls == null ? 0 : 8L * nulls.length);
    }

    static int grown(int capacity, int needed) {
        long more = capacity < DOUBLED ? 2L * capacity : capacity + capacity / 2L;
        return needed <= capacity ? capacity : Math.max(needed, (int) Math.min(more, 1 << 30));
    }

    private static final class Longs extends GrowableColumn {
        private long[] values = new long[INITIAL];

        @Override
        void copy(Vector source, int[] rows, int count) {
            values = values.length >= length + count
                    ? values
                    : Arrays.copyOf(values, grown(values.length, length + count));
            long[] from = ((LongVector) source).values();
            for (int i = 0; i < count; i++) {
                values[length + i] = from[rows[i]];
            }
        }

        @Override
        Vector view(long @Nullable [] mask) {
            return new LongVector(values, mask, length);
        }

        @Override
        long bytes() {
            return 8L * values.length;
        }
    }

    private static final class Doubles extends GrowableColumn {
        private double[] values = new double[INITIAL];

        @Override
        void copy(Vector source, int[] rows, int count) {
            values = values.length >= length + count
                    ? values
                    : Arrays.copyOf(values, grown(values.length, length + count));
            double[] from = ((DoubleVector) source).values();
            for (int i = 0; i < count; i++) {
                values[length + i] = from[rows[i]];
            }
        }

        @Override
        Vector view(long @Nullable [] mask) {
            return new DoubleVector(values, mask, length);
        }

        @Override
        long bytes() {
            return 8L * values.length;
        }
    }

    private static final class Bytes extends GrowableColumn {
        /**
         * An operator that keeps rows reserves memory for the next ones by the size of usual values. Memory for a
         * longer value is requested separately.
         */
        private static final int LONG_VALUE = 1 << 20;

        private byte[] data = new byte[INITIAL * 8];
        private int used;
        private int[] offsets = new int[INITIAL];
        private int[] lengths = new int[INITIAL];

        @Override
        void copy(Vector source, int[] rows, int count) {
            offsets = offsets.length >= length + count
                    ? offsets
                    : Arrays.copyOf(offsets, grown(offsets.length, length + count));
            lengths = lengths.length >= length + count
                    ? lengths
                    : Arrays.copyOf(lengths, grown(lengths.length, length + count));
            BytesVector from = (BytesVector) source;
            for (int i = 0; i < count; i++) {
                int row = rows[i];
                int size = from.isNull(row) ? 0 : from.lengths()[row];
                if (data.length - used < size) {
                    int capacity = grown(data.length, Math.addExact(used, size));
                    data = size > LONG_VALUE ? ScratchMemory.copyOf(data, capacity) : Arrays.copyOf(data, capacity);
                }
                System.arraycopy(from.data(), from.offsets()[row], data, used, size);
                offsets[length + i] = used;
                lengths[length + i] = size;
                used += size;
            }
        }

        @Override
        Vector view(long @Nullable [] mask) {
            return new BytesVector(data, offsets, lengths, mask, length);
        }

        @Override
        long bytes() {
            return data.length + 8L * offsets.length;
        }
    }

    private static final class Decimals extends GrowableColumn {
        private long[] high = new long[INITIAL];
        private long[] low = new long[INITIAL];

        @Override
        void copy(Vector source, int[] rows, int count) {
            high = high.length >= length + count ? high : Arrays.copyOf(high, grown(high.length, length + count));
            low = low.length >= length + count ? low : Arrays.copyOf(low, grown(low.length, length + count));
            Decimal128Vector from = (Decimal128Vector) source;
            for (int i = 0; i < count; i++) {
                high[length + i] = from.high()[rows[i]];
                low[length + i] = from.low()[rows[i]];
            }
        }

        @Override
        Vector view(long @Nullable [] mask) {
            return new Decimal128Vector(high, low, mask, length);
        }

        @Override
        long bytes() {
            return 16L * high.length;
        }
    }

    private static final class Timestamps extends GrowableColumn {
        private long[] seconds = new long[INITIAL];
        private int[] nanos = new int[INITIAL];

        @Override
        void copy(Vector source, int[] rows, int count) {
            seconds = seconds.length >= length + count
                    ? seconds
                    : Arrays.copyOf(seconds, grown(seconds.length, length + count));
            nanos = nanos.length >= length + count ? nanos : Arrays.copyOf(nanos, grown(nanos.length, length + count));
            TimestampVector from = (TimestampVector) source;
            for (int i = 0; i < count; i++) {
                seconds[length + i] = from.seconds()[rows[i]];
                nanos[length + i] = from.nanos()[rows[i]];
            }
        }

        @Override
        Vector view(long @Nullable [] mask) {
            return new TimestampVector(seconds, nanos, mask, length);
        }

        @Override
        long bytes() {
            return 12L * seconds.length;
        }
    }

    /** Nested values, which are rarely keys. They are rebuilt with each append. */
    private static final class Nested extends GrowableColumn {
        private final SqlType type;
        private Vector values;

        Nested(SqlType type) {
            this.type = type;
            this.values = VectorAppender.empty(type);
        }

        @Override
        void copy(Vector source, int[] rows, int count) {
            VectorAppender appended = VectorAppender.of(type);
            for (int i = 0; i < count; i++) {
                appended.append(source, rows[i]);
            }
            values = Concatenation.vectors(List.of(values, appended.build()), type, length + count);
        }

        @Override
        Vector view(long @Nullable [] mask) {
            return values;
        }

        @Override
        long bytes() {
            return values.retainedBytes();
        }
    }
}
