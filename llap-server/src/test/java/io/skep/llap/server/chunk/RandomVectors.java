package io.skep.llap.server.chunk;

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
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/** Creates vectors of random values, and converts values to text for comparison. */
final class RandomVectors {
    private RandomVectors() {}

    static Vector of(SqlType type, int rows, int nullPercent, Random random) {
        VectorAppender appender = VectorAppender.of(type);
        for (int i = 0; i < rows; i++) {
            append(appender, type, nullPercent, random);
        }
        return appender.build();
    }

    private static void append(VectorAppender appender, SqlType type, int nullPercent, Random random) {
        if (random.nextInt(100) < nullPercent) {
            appender.appendNull();
            return;
        }
        switch (type.vectorKind()) {
            case LONG -> appender.appendLong(integer(type, random));
            case DOUBLE ->
                appender.appendDouble(type == PrimitiveType.FLOAT ? random.nextFloat() : random.nextGaussian());
            case BYTES -> {
                byte[] bytes = new byte[random.nextInt(9)];
                random.nextBytes(bytes);
                appender.appendBytes(bytes, 0, bytes.length);
            }
            case DECIMAL128 -> appender.appendDecimal128(random.nextInt(1000) - 500, random.nextLong());
            case TIMESTAMP -> appender.appendTimestamp(random.nextInt(), random.nextInt(1_000_000_000));
            case LIST -> {
                for (int i = random.nextInt(4); i > 0; i--) {
                    append(appender.child(0), ((ArrayType) type).element(), nullPercent / 2, random);
                }
                appender.endRow();
            }
            case MAP -> {
                for (int i = random.nextInt(4); i > 0; i--) {
                    append(appender.child(0), ((MapType) type).key(), 0, random);
                    append(appender.child(1), ((MapType) type).value(), nullPercent / 2, random);
                }
                appender.endRow();
            }
            case STRUCT -> {
                StructType struct = (StructType) type;
                for (int i = 0; i < struct.fields().size(); i++) {
                    append(appender.child(i), struct.fields().get(i).type(), nullPercent / 2, random);
                }
                appender.endRow();
            }
            case UNION -> {
                UnionType union = (UnionType) type;
                int tag = random.nextInt(union.alternatives().size());
                append(appender.child(tag), union.alternatives().get(tag), 0, random);
                appender.endRow(tag);
            }
        }
    }

    private static long integer(SqlType type, Random random) {
        if (type instanceof DecimalType) {
            return random.nextLong() / 100;
        }
        return switch (type.displayName()) {
            case "boolean" -> random.nextInt(2);
            case "tinyint" -> (byte) random.nextInt();
            case "bigint" -> random.nextLong();
            default -> random.nextInt();
        };
    }

    static List<String> text(Vector vector, int from, int count) {
        List<String> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rows.add(text(vector, from + i));
        }
        return rows;
    }

    private static String text(Vector vector, int row) {
        if (vector.isNull(row)) {
            return "null";
        }
        return switch (vector) {
            case LongVector v -> Long.toString(v.value(row));
            case DoubleVector v -> Double.toString(v.values()[row]);
            case BytesVector v -> HexFormat.of().formatHex(v.bytes(row));
            case Decimal128Vector v -> v.unscaled(row).toString();
            case TimestampVector v -> v.seconds()[row] + "." + v.nanos()[row];
            case ListVector v -> list(v.elements(), v.offsets()[row], v.lengths()[row]);
            case MapVector v ->
                list(v.keys(), v.offsets()[row], v.lengths()[row]) + "="
                        + list(v.values(), v.offsets()[row], v.lengths()[row]);
            case StructVector v -> {
                StringBuilder text = new StringBuilder("{");
                v.fields().forEach(field -> text.append(text(field, row)).append(','));
                yield text.append('}').toString();
            }
            case UnionVector v -> v.tags()[row] + ":" + text(v.alternatives().get(v.tags()[row]), row);
            case DictionaryVector v -> text(v.dictionary(), v.ids()[row]);
            case ConstantVector v -> text(v.value(), 0);
        };
    }

    private static String list(Vector elements, int from, int count) {
        StringBuilder text = new StringBuilder("[");
        for (int i = 0; i < count; i++) {
            text.append(text(elements, from + i)).append(',');
        }
        return text.append(']').toString();
    }
}
