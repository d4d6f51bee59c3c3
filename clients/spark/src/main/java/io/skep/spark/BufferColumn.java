package io.skep.spark;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.FieldVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.vectorized.ArrowColumnVector;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * A column of numbers or texts, as a view of Arrow's buffers that Spark reads by address. Spark's own view asks Arrow
 * for each value, which checks bounds each time, and makes a {@code BigDecimal} of each decimal. Here the lengths of
 * the buffers are checked once. Valid as long as the vector's buffers.
 */
final class BufferColumn extends ColumnVector {
    private static final int OFFSET_BYTES = 4;
    private static final int DECIMAL_BYTES = 16;

    private final FieldVector vector;
    private final int nulls;
    private final long validity;
    private final long data;
    private final long offsets;
    private final long end;

    /** @param valueBytes the width of a value; 0 for texts */
    private BufferColumn(FieldVector vector, DataType type, int valueBytes) {
        super(type);
        long rows = vector.getValueCount();
        this.vector = vector;
        this.nulls = vector.getNullCount();
        this.validity = address(vector.getValidityBuffer(), nulls == 0 ? 0 : (rows + 7) >> 3);
        this.data = address(vector.getDataBuffer(), rows * valueBytes);
        this.offsets = valueBytes > 0 ? 0 : address(vector.getOffsetBuffer(), OFFSET_BYTES * (rows + 1));
        this.end = vector.getDataBuffer().capacity();
    }

    /** Returns a view of a vector that has at least one row. */
    static ColumnVector of(FieldVector vector) {
        ArrowColumnVector general = new ArrowColumnVector(vector);
        DataType type = general.dataType();
        return switch (vector.getMinorType()) {
            case TINYINT -> new BufferColumn(vector, type, Byte.BYTES);
            case SMALLINT -> new BufferColumn(vector, type, Short.BYTES);
            case INT, DATEDAY, FLOAT4 -> new BufferColumn(vector, type, Integer.BYTES);
            case BIGINT, FLOAT8, TIMESTAMPMICRO, TIMESTAMPMICROTZ -> new BufferColumn(vector, type, Long.BYTES);
            case DECIMAL ->
                ((DecimalType) type).precision() > Decimal.MAX_LONG_DIGITS()
                        ? general
                        : new BufferColumn(vector, type, DECIMAL_BYTES);
            case VARCHAR, VARBINARY -> new BufferColumn(vector, type, 0);
            default -> general;
        };
    }

    private static long address(ArrowBuf buffer, long needed) {
        if (buffer.capacity() < needed) {
            throw damaged("a buffer has " + buffer.capacity() + " of " + needed + " bytes");
        }
        return buffer.memoryAddress();
    }

    private static IllegalStateException damaged(String why) {
        return new IllegalStateException("Skep: the rows that have arrived are damaged: " + why);
    }

    @Override
    public void close() {
        vector.close();
    }

    @Override
    public boolean hasNull() {
        return nulls > 0;
    }

    @Override
    public int numNulls() {
        return nulls;
    }

    @Override
    public boolean isNullAt(int row) {
        return nulls > 0 && (Platform.getByte(null, validity + (row >> 3)) >> (row & 7) & 1) == 0;
    }

    @Override
    public byte getByte(int row) {
        return Platform.getByte(null, data + row);
    }

    @Override
    public short getShort(int row) {
        return Platform.getShort(null, data + (long) Short.BYTES * row);
    }

    @Override
    public int getInt(int row) {
        return Platform.getInt(null, data + (long) Integer.BYTES * row);
    }

    @Override
    public long getLong(int row) {
        return Platform.getLong(null, data + (long) Long.BYTES * row);
    }

    @Override
    public float getFloat(int row) {
        return Platform.getFloat(null, data + (long) Float.BYTES * row);
    }

    @Override
    public double getDouble(int row) {
        return Platform.getDouble(null, data + (long) Double.BYTES * row);
    }

    /** Values that fit into 18 digits are those of their lower 64 bits. */
    @Override
    public @Nullable Decimal getDecimal(int row, int precision, int scale) {
        return isNullAt(row)
                ? null
                : Decimal.createUnsafe(Platform.getLong(null, data + (long) DECIMAL_BYTES * row), precision, scale);
    }

    @Override
    public @Nullable UTF8String getUTF8String(int row) {
        if (isNullAt(row)) {
            return null;
        }
        int start = start(row);
        return UTF8String.fromAddress(null, data + start, length(row, start));
    }

    @Override
    public byte @Nullable [] getBinary(int row) {
        if (isNullAt(row)) {
            return null;
        }
        int start = start(row);
        byte[] copy = new byte[length(row, start)];
        Platform.copyMemory(null, data + start, copy, Platform.BYTE_ARRAY_OFFSET, copy.length);
        return copy;
    }

    private int start(int row) {
        return Platform.getInt(null, offsets + (long) OFFSET_BYTES * row);
    }

    private int length(int row, int start) {
        int next = start(row + 1);
        if (start < 0 || next < start || next > end) {
            throw damaged("a value from " + start + " to " + next + " of " + end + " bytes");
        }
        return next - start;
    }

    @Override
    public boolean getBoolean(int row) {
        throw other();
    }

    @Override
    public ColumnarArray getArray(int row) {
        throw other();
    }

    @Override
    public ColumnarMap getMap(int row) {
        throw other();
    }

    @Override
    public ColumnVector getChild(int ordinal) {
        throw other();
    }

    private UnsupportedOperationException other() {
        return new UnsupportedOperationException(
                "Skep: a column of type " + dataType().simpleString());
    }
}
