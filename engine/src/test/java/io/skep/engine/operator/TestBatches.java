package io.skep.engine.operator;

import io.skep.common.type.ArrayType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.MapType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.type.UnionType;
import io.skep.common.vector.Batch;
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
import io.skep.common.vector.VectorAppender;
import io.skep.common.vector.VectorArrays;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Creates batches for tests, and converts batches to rows of plain objects that can be compared. */
public final class TestBatches {
    public static final List<SqlType> ALL_TYPES = List.of(
            PrimitiveType.INT,
            PrimitiveType.DOUBLE,
            PrimitiveType.STRING,
            new DecimalType(38, 2),
            PrimitiveType.TIMESTAMP,
            new ArrayType(PrimitiveType.STRING),
            new MapType(PrimitiveType.INT, PrimitiveType.DOUBLE),
            new StructType(List.of(
                    new StructType.Field("a", PrimitiveType.INT), new StructType.Field("b", PrimitiveType.STRING))),
            new UnionType(List.of(PrimitiveType.INT, PrimitiveType.STRING)));

    private TestBatches() {}

    public static Vector longs(long... values) {
        return new LongVector(values, null, values.length);
    }

    /** Returns the same values in arrays from the given source. Nested values are not copied. */
    public static Vector copy(Vector vector, VectorArrays arrays) {
        int rows = vector.length();
        return switch (vector) {
            case LongVector v -> new LongVector(copy(v.values(), rows, arrays), v.nulls(), rows);
            case DoubleVector v -> {
                double[] values = arrays.doubles(rows);
                System.arraycopy(v.values(), 0, values, 0, rows);
                yield new DoubleVector(values, v.nulls(), rows);
            }
            case BytesVector v ->
                new BytesVector(
                        v.data(), copy(v.offsets(), rows, arrays), copy(v.lengths(), rows, arrays), v.nulls(), rows);
            case Decimal128Vector v ->
                new Decimal128Vector(copy(v.high(), rows, arrays), copy(v.low(), rows, arrays), v.nulls(), rows);
            case TimestampVector v ->
                new TimestampVector(copy(v.seconds(), rows, arrays), copy(v.nanos(), rows, arrays), v.nulls(), rows);
            case DictionaryVector v ->
                new DictionaryVector(copy(v.ids(), rows, arrays), v.dictionary(), v.nulls(), rows);
            case ConstantVector v -> v;
            case ListVector v -> v;
            case MapVector v -> v;
            case StructVector v -> v;
            case UnionVector v -> v;
        };
    }

    private static long[] copy(long[] values, int rows, VectorArrays arrays) {
        long[] copy = arrays.longs(rows);
        System.arraycopy(values, 0, copy, 0, rows);
        return copy;
    }

    private static int[] copy(int[] values, int rows, VectorArrays arrays) {
        int[] copy = arrays.ints(rows);
        System.arraycopy(values, 0, copy, 0, rows);
        return copy;
    }

    /** Longs with nulls. */
    public static Vector nullableLongs(@Nullable Long... values) {
        VectorAppender appender = VectorAppender.of(PrimitiveType.BIGINT);
        for (Long value : values) {
            if (value == null) {
                appender.appendNull();
            } else {
                appender.appendLong(value);
            }
        }
        return appender.build();
    }

    /** Returns full batches with random texts of {@code 16 * repeated} bytes, the same ones each time. */
    public static List<Batch> longTexts(int batches, int repeated) {
        Random random = new Random(29);
        List<Batch> result = new ArrayList<>();
        for (int i = 0; i < batches; i++) {
            @Nullable String[] texts = new String[Batch.TARGET_ROWS];
            for (int row = 0; row < texts.length; row++) {
                texts[row] = String.format("%016x", random.nextLong()).repeat(repeated);
            }
            result.add(Batch.of(texts.length, texts(texts)));
        }
        return result;
    }

    public static Vector texts(@Nullable String... values) {
        VectorAppender appender = VectorAppender.of(PrimitiveType.STRING);
        for (String value : values) {
            (value == null ? Datum.NULL : Datum.ofText(value)).appendTo(appender, PrimitiveType.STRING);
        }
        return appender.build();
    }

    public static Batch random(Random random, List<SqlType> types, int rows, double nulls) {
        List<Vector> columns = new ArrayList<>();
        for (SqlType type : types) {
            VectorAppender appender = VectorAppender.of(type);
            for (int i = 0; i < rows; i++) {
                datum(random, type, nulls).appendTo(appender, type);
            }
            columns.add(appender.build());
        }
        return new Batch(columns, rows);
    }

    public static Datum datum(Random random, SqlType type, double nulls) {
        if (random.nextDouble() < nulls) {
            return Datum.NULL;
        }
        return switch (type.vectorKind()) {
            case LONG -> new Datum.OfLong(random.nextInt(-20, 20));
            case DOUBLE -> new Datum.OfDouble(random.nextInt(-20, 20) / 4.0);
            case BYTES -> Datum.ofText("x".repeat(random.nextInt(12)) + random.nextInt(5));
            case DECIMAL128 ->
                new Datum.OfDecimal(BigInteger.valueOf(random.nextInt(-9, 9)).pow(21));
            case TIMESTAMP -> new Datum.OfTimestamp(random.nextInt(-5, 5), random.nextInt(3));
            case LIST -> new Datum.OfList(datums(random, ((ArrayType) type).element(), random.nextInt(3), nulls));
            case MAP -> {
                int size = random.nextInt(3);
                MapType map = (MapType) type;
                yield new Datum.OfMap(datums(random, map.key(), size, 0), datums(random, map.value(), size, nulls));
            }
            case STRUCT -> {
                List<Datum> fields = new ArrayList<>();
                ((StructType) type).fields().forEach(field -> fields.add(datum(random, field.type(), nulls)));
                yield new Datum.OfList(fields);
            }
            case UNION -> {
                int tag = random.nextInt(((UnionType) type).alternatives().size());
                yield new Datum.OfUnion(
                        tag, datum(random, ((UnionType) type).alternatives().get(tag), nulls));
            }
        };
    }

    private static List<Datum> datums(Random random, SqlType type, int count, double nulls) {
        List<Datum> datums = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            datums.add(datum(random, type, nulls));
        }
        return datums;
    }

    public static List<List<@Nullable Object>> rows(Batch batch) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (int row = 0; row < batch.rowCount(); row++) {
            List<@Nullable Object> values = new ArrayList<>();
            for (Vector column : batch.columns()) {
                values.add(value(column, row));
            }
            rows.add(values);
        }
        return rows;
    }

    public static List<List<@Nullable Object>> rows(List<Batch> batches) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        batches.forEach(batch -> rows.addAll(rows(batch)));
        return rows;
    }

    public static @Nullable Object value(Vector vector, int row) {
        if (vector.isNull(row)) {
            return null;
        }
        return switch (vector) {
            case LongVector v -> v.value(row);
            case DoubleVector v -> v.values()[row];
            case BytesVector v -> v.string(row);
            case Decimal128Vector v -> v.unscaled(row);
            case TimestampVector v -> v.seconds()[row] + "." + v.nanos()[row];
            case ListVector v -> values(v.elements(), v.offsets()[row], v.lengths()[row]);
            case MapVector v ->
                Map.of(
                        "keys", values(v.keys(), v.offsets()[row], v.lengths()[row]),
                        "values", values(v.values(), v.offsets()[row], v.lengths()[row]));
            case StructVector v -> {
                List<@Nullable Object> fields = new ArrayList<>();
                v.fields().forEach(field -> fields.add(value(field, row)));
                yield fields;
            }
            case UnionVector v -> v.tags()[row] + ":" + value(v.alternatives().get(v.tags()[row]), row);
            case DictionaryVector v -> value(v.dictionary(), v.ids()[row]);
            case ConstantVector v -> value(v.value(), 0);
        };
    }

    private static List<@Nullable Object> values(Vector vector, int from, int count) {
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(value(vector, from + i));
        }
        return values;
    }
}
