package io.skep.common.vector;

import io.skep.common.type.ArrayType;
import io.skep.common.type.MapType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.type.UnionType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fills a flat vector of one type row by row. It is for row-wise sources (SerDes, bridges, aggregation states), not for
 * kernels. Owned by one thread. {@link #build} returns the rows and resets the appender.
 */
public abstract sealed class VectorAppender {
    private static final int INITIAL = 16;

    long @Nullable [] nulls;
    int length;

    public static VectorAppender of(SqlType type) {
        return switch (type.vectorKind()) {
            case LONG -> new Longs();
            case DOUBLE -> new Doubles();
            case BYTES -> new Bytes();
            case DECIMAL128 -> new Decimals();
            case TIMESTAMP -> new Timestamps();
            case LIST -> new Lists(of(((ArrayType) type).element()));
            case MAP -> new Maps(of(((MapType) type).key()), of(((MapType) type).value()));
            case STRUCT ->
                new Structs(((StructType) type)
                        .fields().stream().map(field -> of(field.type())).toList());
            case UNION ->
                new Unions(((UnionType) type)
                        .alternatives().stream().map(VectorAppender::of).toList());
        };
    }

    /** Returns an empty vector of a type. */
    public static Vector empty(SqlType type) {
        return of(type).build();
    }

    /** Returns a vector of {@code rows} nulls. */
    public static Vector nulls(SqlType type, int rows) {
        VectorAppender one = of(type);
        one.appendNull();
        return new ConstantVector(one.build(), rows);
    }

    static Vector nulls(Vector like, int rows) {
        long[] all = NullMask.allNull(rows);
        return switch (like) {
            case LongVector v -> new LongVector(new long[rows], all, rows);
            case DoubleVector v -> new DoubleVector(new double[rows], all, rows);
            case BytesVector v -> new BytesVector(new byte[0], new int[rows], new int[rows], all, rows);
            case Decimal128Vector v -> new Decimal128Vector(new long[rows], new long[rows], all, rows);
            case TimestampVector v -> new TimestampVector(new long[rows], new int[rows], all, rows);
            case ListVector v -> new ListVector(v.elements(), new int[rows], new int[rows], all, rows);
            case MapVector v -> new MapVector(v.keys(), v.values(), new int[rows], new int[rows], all, rows);
            case StructVector v ->
                new StructVector(v.fields().stream().map(f -> nulls(f, rows)).toList(), all, rows);
            case UnionVector v ->
                new UnionVector(
                        new byte[rows],
                        v.alternatives().stream().map(a -> nulls(a, rows)).toList(),
                        all,
                        rows);
            case DictionaryVector v -> nulls(v.dictionary(), rows);
            case ConstantVector v -> nulls(v.value(), rows);
        };
    }

    /** Returns the same flat values with other nulls. */
    public static Vector withNulls(Vector flat, long @Nullable [] nulls) {
        int rows = flat.length();
        return switch (flat) {
            case LongVector v -> new LongVector(v.values(), nulls, rows);
            case DoubleVector v -> new DoubleVector(v.values(), nulls, rows);
            case BytesVector v -> new BytesVector(v.data(), v.offsets(), v.lengths(), nulls, rows);
            case Decimal128Vector v -> new Decimal128Vector(v.high(), v.low(), nulls, rows);
            case TimestampVector v -> new TimestampVector(v.seconds(), v.nanos(), nulls, rows);
            case ListVector v -> new ListVector(v.elements(), v.offsets(), v.lengths(), nulls, rows);
            case MapVector v -> new MapVector(v.keys(), v.values(), v.offsets(), v.lengths(), nulls, rows);
            case StructVector v -> new StructVector(v.fields(), nulls, rows);
            case UnionVector v -> new UnionVector(v.tags(), v.alternatives(), nulls, rows);
            case DictionaryVector v -> new DictionaryVector(v.ids(), v.dictionary(), nulls, rows);
            case ConstantVector v -> withNulls(v.flatten(), nulls);
        };
    }

    public final int length() {
        return length;
    }

    public final void appendNull() {
        if (nulls == null) {
            nulls = new long[NullMask.words(length + INITIAL)];
        }
        if (length >> 6 >= nulls.length) {
            nulls = Arrays.copyOf(nulls, Math.max(nulls.length * 2, (length >> 6) + 1));
        }
        NullMask.set(nulls, length);
        skip();
        length++;
    }

    /** Appends row {@code row} of {@code source}, a vector of the same kind in any encoding. */
    public final void append(Vector source, int row) {
        switch (source) {
            case DictionaryVector v when !v.isNull(row) -> append(v.dictionary(), v.ids()[row]);
            case ConstantVector v when !v.isNull(row) -> append(v.value(), 0);
            default -> {
                if (source.isNull(row)) {
                    appendNull();
                } else {
                    copy(source, row);
                    length++;
                }
            }
        }
    }

    public void appendLong(long value) {
        throw wrongKind();
    }

    public void appendDouble(double value) {
        throw wrongKind();
    }

    public void appendBytes(byte[] source, int from, int count) {
        throw wrongKind();
    }

    public void appendDecimal128(long high, long low) {
        throw wrongKind();
    }

    public void appendTimestamp(long seconds, int nanos) {
        throw wrongKind();
    }

    /** Ends a row of an array, map, struct or union whose parts were appended to {@link #child} before. */
    public void endRow() {
        throw wrongKind();
    }

    /** Ends a row of a union whose value was appended to that alternative. The other alternatives get a null. */
    public void endRow(int alternative) {
        throw wrongKind();
    }

    /**
     * Returns the appender for elements of an array (0), keys (0) and values (1) of a map, fields of a struct, or
     * alternatives of a union.
     */
    public VectorAppender child(int index) {
        throw wrongKind();
    }

    /** Returns the rows so far as a vector. The appender is empty afterwards. */
    public final Vector build() {
        long[] mask = nulls;
        if (mask != null && mask.length < NullMask.words(length)) {
            mask = Arrays.copyOf(mask, NullMask.words(length));
        }
        Vector built = take(mask);
        nulls = null;
        length = 0;
        return built;
    }

    /** Returns the bytes of text so far, at any depth. */
    public long textBytes() {
        return 0;
    }

    abstract void skip();

    abstract void copy(Vector source, int row);

    abstract Vector take(long @Nullable [] mask);

    private UnsupportedOperationException wrongKind() {
        return new UnsupportedOperationException("not for " + getClass().getSimpleName());
    }

    private static final class Longs extends VectorAppender {
        private long[] values = new long[INITIAL];

        @Override
        public void appendLong(long value) {
            skip();
            values[length++] = value;
        }

        @Override
        void skip() {
            if (length == values.length) {
                values = Growth.doubled(values);
            }
        }

        @Override
        void copy(Vector source, int row) {
            skip();
            values[length] = ((LongVector) source).values()[row];
        }

        @Override
        Vector take(long @Nullable [] mask) {
            Vector built = new LongVector(values, mask, length);
            values = new long[INITIAL];
            return built;
        }
    }

    private static final class Doubles extends VectorAppender {
        private double[] values = new double[INITIAL];

        @Override
        public void appendDouble(double value) {
            skip();
            values[length++] = value;
        }

        @Override
        void skip() {
            if (length == values.length) {
                values = Growth.doubled(values);
            }
        }

        @Override
        void copy(Vector source, int row) {
            skip();
            values[length] = ((DoubleVector) source).values()[row];
        }

        @Override
        Vector take(long @Nullable [] mask) {
            Vector built = new DoubleVector(values, mask, length);
            values = new double[INITIAL];
            return built;
        }
    }

    private static final class Bytes extends VectorAppender {
        private byte[] data = new byte[INITIAL * 8];
        private int used;
        private int[] offsets = new int[INITIAL];
        private int[] lengths = new int[INITIAL];

        @Override
        public void appendBytes(byte[] source, int from, int count) {
            put(source, from, count);
            length++;
        }

        @Override
        public long textBytes() {
            return used;
        }

        @Override
        void skip() {
            if (length == offsets.length) {
                offsets = Growth.doubled(offsets);
                lengths = Growth.doubled(lengths);
            }
        }

        @Override
        void copy(Vector source, int row) {
            BytesVector from = (BytesVector) source;
            put(from.data(), from.offsets()[row], from.lengths()[row]);
        }

        private void put(byte[] source, int from, int count) {
            skip();
            if (data.length - used < count) {
                data = TextLimit.grow(data, (long) used + count);
            }
            System.arraycopy(source, from, data, used, count);
            offsets[length] = used;
            lengths[length] = count;
            used += count;
        }

        @Override
        Vector take(long @Nullable [] mask) {
            Vector built = new BytesVector(data, offsets, lengths, mask, length);
            data = new byte[INITIAL * 8];
            used = 0;
            offsets = new int[INITIAL];
            lengths = new int[INITIAL];
            return built;
        }
    }

    private static final class Decimals extends VectorAppender {
        private long[] high = new long[INITIAL];
        private long[] low = new long[INITIAL];

        @Override
        public void appendDecimal128(long newHigh, long newLow) {
            skip();
            high[length] = newHigh;
            low[length++] = newLow;
        }

        @Override
        void skip() {
            if (length == high.length) {
                high = Growth.doubled(high);
                low = Growth.doubled(low);
            }
        }

        @Override
        void copy(Vector source, int row) {
            skip();
            high[length] = ((Decimal128Vector) source).high()[row];
            low[length] = ((Decimal128Vector) source).low()[row];
        }

        @Override
        Vector take(long @Nullable [] mask) {
            Vector built = new Decimal128Vector(high, low, mask, length);
            high = new long[INITIAL];
            low = new long[INITIAL];
            return built;
        }
    }

    private static final class Timestamps extends VectorAppender {
        private long[] seconds = new long[INITIAL];
        private int[] nanos = new int[INITIAL];

        @Override
        public void appendTimestamp(long newSeconds, int newNanos) {
            skip();
            seconds[length] = newSeconds;
            nanos[length++] = newNanos;
        }

        @Override
        void skip() {
            if (length == seconds.length) {
                seconds = Growth.doubled(seconds);
                nanos = Growth.doubled(nanos);
            }
        }

        @Override
        void copy(Vector source, int row) {
            skip();
            seconds[length] = ((TimestampVector) source).seconds()[row];
            nanos[length] = ((TimestampVector) source).nanos()[row];
        }

        @Override
        Vector take(long @Nullable [] mask) {
            Vector built = new TimestampVector(seconds, nanos, mask, length);
            seconds = new long[INITIAL];
            nanos = new int[INITIAL];
            return built;
        }
    }

    /** The common part of arrays and maps: where each row's entries begin and how many there are. */
    private abstract static sealed class Nested extends VectorAppender {
        int[] offsets = new int[INITIAL];
        int[] lengths = new int[INITIAL];
        int ended;

        @Override
        public void endRow() {
            skip();
            length++;
        }

        @Override
        void skip() {
            if (length == offsets.length) {
                offsets = Growth.doubled(offsets);
                lengths = Growth.doubled(lengths);
            }
            int end = child(0).length();
            offsets[length] = ended;
            lengths[length] = end - ended;
            ended = end;
        }

        final void restart() {
            offsets = new int[INITIAL];
            lengths = new int[INITIAL];
            ended = 0;
        }
    }

    private static final class Lists extends Nested {
        private final VectorAppender elements;

        private Lists(VectorAppender elements) {
            this.elements = elements;
        }

        @Override
        public long textBytes() {
            return elements.textBytes();
        }

        @Override
        public VectorAppender child(int index) {
            return elements;
        }

        @Override
        void copy(Vector source, int row) {
            ListVector from = (ListVector) source;
            int start = from.offsets()[row];
            for (int i = 0; i < from.lengths()[row]; i++) {
                elements.append(from.elements(), start + i);
            }
            skip();
        }

        @Override
        Vector take(long @Nullable [] mask) {
            Vector built = new ListVector(elements.build(), offsets, lengths, mask, length);
            restart();
            return built;
        }
    }

    private static final class Maps extends Nested {
        private final VectorAppender keys;
        private final VectorAppender values;

        private Maps(VectorAppender keys, VectorAppender values) {
            this.keys = keys;
            this.values = values;
        }

        @Override
        public long textBytes() {
            return keys.textBytes() + values.textBytes();
        }

        @Override
        public VectorAppender child(int index) {
            return index == 0 ? keys : values;
        }

        @Override
        void copy(Vector source, int row) {
            MapVector from = (MapVector) source;
            int start = from.offsets()[row];
            for (int i = 0; i < from.lengths()[row]; i++) {
                keys.append(from.keys(), start + i);
                values.append(from.values(), start + i);
            }
            skip();
        }

        @Override
        Vector take(long @Nullable [] mask) {
            Vector built = new MapVector(keys.build(), values.build(), offsets, lengths, mask, length);
            restart();
            return built;
        }
    }

    private static final class Structs extends VectorAppender {
        private final List<VectorAppender> fields;

        private Structs(List<VectorAppender> fields) {
            this.fields = fields;
        }

        @Override
        public long textBytes() {
            return fields.stream().mapToLong(VectorAppender::textBytes).sum();
        }

        @Override
        public VectorAppender child(int index) {
            return fields.get(index);
        }

        @Override
        public void endRow() {
            length++;
        }

        @Override
        void skip() {
            for (VectorAppender field : fields) {
                field.appendNull();
            }
        }

        @Override
        void copy(Vector source, int row) {
            for (int i = 0; i < fields.size(); i++) {
                fields.get(i).append(((StructVector) source).fields().get(i), row);
            }
        }

        @Override
        Vector take(long @Nullable [] mask) {
            return new StructVector(fields.stream().map(VectorAppender::build).toList(), mask, length);
        }
    }

    private static final class Unions extends VectorAppender {
        private final List<VectorAppender> alternatives;
        private byte[] tags = new byte[INITIAL];

        private Unions(List<VectorAppender> alternatives) {
            this.alternatives = alternatives;
        }

        @Override
        public long textBytes() {
            return alternatives.stream().mapToLong(VectorAppender::textBytes).sum();
        }

        @Override
        public VectorAppender child(int index) {
            return alternatives.get(index);
        }

        @Override
        public void endRow(int alternative) {
            for (int i = 0; i < alternatives.size(); i++) {
                if (i != alternative) {
                    alternatives.get(i).appendNull();
                }
            }
            grow();
            tags[length++] = (byte) alternative;
        }

        @Override
        void skip() {
            grow();
            for (VectorAppender alternative : alternatives) {
                alternative.appendNull();
            }
        }

        private void grow() {
            if (length == tags.length) {
                tags = Growth.doubled(tags);
            }
        }

        @Override
        void copy(Vector source, int row) {
            UnionVector from = (UnionVector) source;
            grow();
            tags[length] = from.tags()[row];
            for (int i = 0; i < alternatives.size(); i++) {
                alternatives.get(i).append(from.alternatives().get(i), row);
            }
        }

        @Override
        Vector take(long @Nullable [] mask) {
            List<Vector> built = new ArrayList<>();
            alternatives.forEach(alternative -> built.add(alternative.build()));
            Vector union = new UnionVector(tags, built, mask, length);
            tags = new byte[INITIAL];
            return union;
        }
    }
}
