package io.skep.common.vector;

import io.skep.common.type.ArrayType;
import io.skep.common.type.MapType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.type.UnionType;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One value outside of a vector: a literal, a bound of a predicate, a statistic. Its form follows the
 * {@link io.skep.common.type.VectorKind} of its type. The value does not contain its type; the context determines it.
 */
public sealed interface Datum {
    Datum NULL = new Null();

    /** SQL's null, of any type. */
    record Null() implements Datum {}

    /** Kind LONG: boolean 0 or 1, integers, date in days, year-month interval in months, short decimal unscaled. */
    record OfLong(long value) implements Datum {}

    record OfDouble(double value) implements Datum {}

    /** Kind BYTES: UTF-8 text or binary. Equal by content. */
    record OfBytes(byte[] value) implements Datum {
        @Override
        public boolean equals(Object other) {
            return other instanceof OfBytes bytes && Arrays.equals(value, bytes.value);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(value);
        }

        @Override
        public String toString() {
            return new String(value, StandardCharsets.UTF_8);
        }
    }

    /** Kind DECIMAL128: unscaled. */
    record OfDecimal(BigInteger unscaled) implements Datum {}

    record OfTimestamp(long seconds, int nanos) implements Datum {}

    /** Kind LIST: the elements; kind STRUCT: the fields in their order. */
    record OfList(List<Datum> values) implements Datum {
        public OfList {
            values = List.copyOf(values);
        }
    }

    /** Kind MAP: keys and values in parallel, in insertion order. */
    record OfMap(List<Datum> keys, List<Datum> values) implements Datum {
        public OfMap {
            keys = List.copyOf(keys);
            values = List.copyOf(values);
        }
    }

    /** Kind UNION. */
    record OfUnion(int tag, Datum value) implements Datum {}

    /** Returns the estimated size on the heap, in bytes. */
    default long heapBytes() {
        return switch (this) {
            case Null _ -> 0;
            case OfLong _ -> 24;
            case OfDouble _ -> 24;
            case OfTimestamp _ -> 32;
            case OfBytes v -> 40L + v.value().length;
            case OfDecimal v -> 80L + v.unscaled().bitLength() / Byte.SIZE;
            case OfList v -> heapBytes(v.values());
            case OfMap v -> heapBytes(v.keys()) + heapBytes(v.values());
            case OfUnion v -> 24 + v.value().heapBytes();
        };
    }

    private static long heapBytes(List<Datum> values) {
        long sum = 64;
        for (Datum value : values) {
            sum += 8 + value.heapBytes();
        }
        return sum;
    }

    static Datum ofText(String text) {
        return new OfBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    static Datum ofBoolean(boolean value) {
        return new OfLong(value ? 1 : 0);
    }

    /** Returns row {@code row} of a vector of a type. */
    static Datum of(Vector vector, int row, SqlType type) {
        if (vector.isNull(row)) {
            return NULL;
        }
        return switch (vector) {
            case LongVector v -> new OfLong(v.values()[row]);
            case DoubleVector v -> new OfDouble(v.values()[row]);
            case BytesVector v -> new OfBytes(v.bytes(row));
            case Decimal128Vector v -> new OfDecimal(v.unscaled(row));
            case TimestampVector v -> new OfTimestamp(v.seconds()[row], v.nanos()[row]);
            case ListVector v ->
                new OfList(range(v.elements(), v.offsets()[row], v.lengths()[row], ((ArrayType) type).element()));
            case MapVector v ->
                new OfMap(
                        range(v.keys(), v.offsets()[row], v.lengths()[row], ((MapType) type).key()),
                        range(v.values(), v.offsets()[row], v.lengths()[row], ((MapType) type).value()));
            case StructVector v -> {
                List<Datum> fields = new ArrayList<>();
                for (int i = 0; i < v.fields().size(); i++) {
                    fields.add(of(
                            v.fields().get(i),
                            row,
                            ((StructType) type).fields().get(i).type()));
                }
                yield new OfList(fields);
            }
            case UnionVector v -> {
                int tag = v.tags()[row];
                yield new OfUnion(
                        tag,
                        of(
                                v.alternatives().get(tag),
                                row,
                                ((UnionType) type).alternatives().get(tag)));
            }
            case DictionaryVector v -> of(v.dictionary(), v.ids()[row], type);
            case ConstantVector v -> of(v.value(), 0, type);
        };
    }

    private static List<Datum> range(Vector vector, int from, int count, SqlType type) {
        List<Datum> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            values.add(of(vector, from + i, type));
        }
        return values;
    }

    default boolean isNull() {
        return this instanceof Null;
    }

    /** Returns a flat vector of this one value. */
    default Vector toVector(SqlType type) {
        VectorAppender appender = VectorAppender.of(type);
        appendTo(appender, type);
        return appender.build();
    }

    default void appendTo(VectorAppender appender, SqlType type) {
        switch (this) {
            case Null n -> appender.appendNull();
            case OfLong v -> appender.appendLong(v.value());
            case OfDouble v -> appender.appendDouble(v.value());
            case OfBytes v -> appender.appendBytes(v.value(), 0, v.value().length);
            case OfDecimal v ->
                appender.appendDecimal128(
                        v.unscaled().shiftRight(64).longValueExact(),
                        v.unscaled().longValue());
            case OfTimestamp v -> appender.appendTimestamp(v.seconds(), v.nanos());
            case OfList v -> appendParts(v.values(), appender, type);
            case OfMap v -> {
                MapType map = (MapType) type;
                v.keys().forEach(key -> key.appendTo(appender.child(0), map.key()));
                v.values().forEach(value -> value.appendTo(appender.child(1), map.value()));
                appender.endRow();
            }
            case OfUnion v -> {
                SqlType alternative = ((UnionType) type).alternatives().get(v.tag());
                v.value().appendTo(appender.child(v.tag()), alternative);
                appender.endRow(v.tag());
            }
        }
    }

    private static void appendParts(List<Datum> parts, VectorAppender appender, SqlType type) {
        if (type instanceof StructType struct) {
            for (int i = 0; i < parts.size(); i++) {
                parts.get(i).appendTo(appender.child(i), struct.fields().get(i).type());
            }
        } else {
            SqlType element = ((ArrayType) type).element();
            parts.forEach(part -> part.appendTo(appender.child(0), element));
        }
        appender.endRow();
    }
}
