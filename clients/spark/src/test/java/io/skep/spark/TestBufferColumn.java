package io.skep.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.vectorized.ArrowColumnVector;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares columns with Spark's own view of the same Arrow vectors. */
final class TestBufferColumn {
    private static final int ROWS = 1000;

    static List<ArrowType> types() {
        return List.of(
                new ArrowType.Bool(),
                new ArrowType.Int(8, true),
                new ArrowType.Int(16, true),
                new ArrowType.Int(32, true),
                new ArrowType.Int(64, true),
                new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE),
                new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE),
                new ArrowType.Date(DateUnit.DAY),
                new ArrowType.Timestamp(TimeUnit.MICROSECOND, null),
                new ArrowType.Timestamp(TimeUnit.MICROSECOND, "UTC"),
                new ArrowType.Decimal(18, 4, 128),
                new ArrowType.Decimal(38, 10, 128),
                new ArrowType.Utf8(),
                new ArrowType.Binary());
    }

    @ParameterizedTest
    @MethodSource("types")
    void valuesAreThoseOfSparksOwnView(ArrowType type) {
        Random random = new Random(17);
        try (BufferAllocator allocator = new RootAllocator()) {
            for (double nulls : new double[] {0, 0.3, 1}) {
                try (FieldVector vector = vector(type, allocator, random, nulls)) {
                    ColumnVector expected = new ArrowColumnVector(vector);
                    ColumnVector actual = BufferColumn.of(vector);
                    assertThat(actual.dataType()).isEqualTo(expected.dataType());
                    assertThat(actual.hasNull()).isEqualTo(expected.hasNull());
                    assertThat(actual.numNulls()).isEqualTo(expected.numNulls());
                    for (int row = 0; row < ROWS; row++) {
                        assertThat(actual.isNullAt(row)).isEqualTo(expected.isNullAt(row));
                        if (!expected.isNullAt(row)) {
                            assertThat(value(actual, row)).isEqualTo(value(expected, row));
                        }
                    }
                }
            }
        }
    }

    private static FieldVector vector(ArrowType type, BufferAllocator allocator, Random random, double nulls) {
        FieldVector vector = FieldType.nullable(type).createNewSingleVector("c", allocator, null);
        vector.setInitialCapacity(ROWS);
        vector.allocateNew();
        for (int row = 0; row < ROWS; row++) {
            if (random.nextDouble() >= nulls) {
                set(vector, row, random);
            }
        }
        vector.setValueCount(ROWS);
        return vector;
    }

    private static void set(FieldVector vector, int row, Random random) {
        if (vector instanceof DecimalVector decimals) {
            decimals.set(row, random.nextLong() >> 6);
        } else if (vector instanceof BaseVariableWidthVector texts) {
            byte[] text = new byte[random.nextInt(20)];
            for (int at = 0; at < text.length; at++) {
                text[at] = (byte) ('a' + random.nextInt(26));
            }
            texts.setSafe(row, text);
        } else if (vector instanceof BitVector bits) {
            bits.set(row, random.nextInt(2));
        } else if (vector instanceof BaseFixedWidthVector fixed) {
            byte[] value = new byte[fixed.getTypeWidth()];
            random.nextBytes(value);
            fixed.setIndexDefined(row);
            fixed.getDataBuffer().setBytes((long) row * value.length, value);
        } else {
            throw new AssertionError(vector);
        }
    }

    private static Object value(ColumnVector column, int row) {
        DataType type = column.dataType();
        if (type instanceof DecimalType decimal) {
            return column.getDecimal(row, decimal.precision(), decimal.scale());
        }
        return switch (type.typeName()) {
            case "boolean" -> column.getBoolean(row);
            case "byte" -> column.getByte(row);
            case "short" -> column.getShort(row);
            case "integer", "date" -> column.getInt(row);
            case "float" -> Float.floatToRawIntBits(column.getFloat(row));
            case "double" -> Double.doubleToRawLongBits(column.getDouble(row));
            case "string" -> column.getUTF8String(row);
            case "binary" -> column.getBinary(row);
            case "long", "timestamp", "timestamp_ntz" -> column.getLong(row);
            default -> throw new AssertionError(type);
        };
    }

    @Test
    void lengthsOfBuffersAreNotBelieved() {
        try (BufferAllocator allocator = new RootAllocator();
                VarCharVector texts = new VarCharVector("c", allocator);
                IntVector numbers = new IntVector("c", allocator)) {
            texts.allocateNew(16, 2);
            texts.set(0, new byte[] {'a'});
            texts.set(1, new byte[] {'b'});
            texts.setValueCount(2);
            texts.getOffsetBuffer().setInt(8, 1 << 20);
            ColumnVector column = BufferColumn.of(texts);
            assertThat(column.getUTF8String(0)).hasToString("a");
            assertThatThrownBy(() -> column.getUTF8String(1)).hasMessageContaining("damaged");
            texts.getOffsetBuffer().setInt(4, -1);
            assertThatThrownBy(() -> column.getUTF8String(0)).hasMessageContaining("damaged");
            assertThatThrownBy(() -> column.getBinary(1)).hasMessageContaining("damaged");
            try (ArrowBuf validity = allocator.buffer(128);
                    ArrowBuf data = allocator.buffer(8)) {
                numbers.loadFieldBuffers(new ArrowFieldNode(ROWS, 0), List.of(validity, data));
            }
            assertThatThrownBy(() -> BufferColumn.of(numbers)).hasMessageContaining("damaged");
        }
    }
}
