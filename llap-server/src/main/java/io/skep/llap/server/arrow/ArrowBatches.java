package io.skep.llap.server.arrow;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.ArrayType;
import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.MapType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.type.UnionType;
import io.skep.common.type.VarcharType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.Decimal128Vector;
import io.skep.common.vector.DoubleVector;
import io.skep.common.vector.ListVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.MapVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.StructVector;
import io.skep.common.vector.TimestampVector;
import io.skep.common.vector.Vector;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.jspecify.annotations.Nullable;

/**
 * Copies Arrow's vectors, which programs outside of the server have sent, to batches. Nothing in them is believed:
 * their buffers must have what they claim, and their values must be ones of Hive's types. No value is cut or changed.
 */
public final class ArrowBatches {
    /** The largest number of rows, and of values in lists and maps, in one message. */
    public static final int MAX_VALUES = 1 << 20;

    private static final int DECIMAL_BYTES = 16;
    private static final int OFFSET_BYTES = 4;
    private static final long MICROS = 1_000_000;
    private static final int NANOS_OF_MICRO = 1000;
    private static final long FIRST_DAY = LocalDate.of(1, 1, 1).toEpochDay();
    private static final long LAST_DAY = LocalDate.of(9999, 12, 31).toEpochDay();
    private static final long FIRST_MICRO = LocalDateTime.of(1, 1, 1, 0, 0).toEpochSecond(ZoneOffset.UTC) * MICROS;
    private static final long END_MICRO = LocalDateTime.of(10_000, 1, 1, 0, 0).toEpochSecond(ZoneOffset.UTC) * MICROS;

    private ArrowBatches() {}

    /**
     * Returns a copy of the rows.
     *
     * @param root with the schema of {@link ArrowTypes#schema} for these types
     * @throws SkepException DAMAGED_MESSAGE, or the value that is not one of its column's type
     */
    public static Batch read(VectorSchemaRoot root, List<SqlType> types) {
        int rows = count(root.getRowCount());
        List<Vector> columns = new ArrayList<>(types.size());
        try {
            for (int i = 0; i < types.size(); i++) {
                FieldVector vector = root.getVector(i);
                if (vector.getValueCount() != rows) {
                    throw damaged("a column has " + vector.getValueCount() + " values, and the batch " + rows, null);
                }
                columns.add(read(vector, types.get(i), vector.getName()));
            }
        } catch (IndexOutOfBoundsException e) {
            throw damaged("its buffers are shorter than it says", e);
        }
        return new Batch(columns, rows);
    }

    private static SkepException damaged(String why, @Nullable Throwable cause) {
        String text = "a batch of rows is damaged: " + why;
        return cause == null
                ? new SkepException(StandardErrorCode.DAMAGED_MESSAGE, text)
                : new SkepException(StandardErrorCode.DAMAGED_MESSAGE, text, cause);
    }

    private static int count(int values) {
        if (values < 0 || values > MAX_VALUES) {
            throw new SkepException(
                    StandardErrorCode.INVALID_ARGUMENT,
                    "a message has " + values + " rows or values of lists, more than " + MAX_VALUES);
        }
        return values;
    }

    private static Vector read(FieldVector from, SqlType type, String column) {
        int rows = count(from.getValueCount());
        long @Nullable [] nulls = nulls(from, rows);
        return switch (type) {
            case PrimitiveType primitive -> primitive(from, primitive, nulls, rows, column);
            case DecimalType decimal -> decimals(from.getDataBuffer(), decimal, nulls, rows, column);
            case CharType text -> checked(stripped(bytes(from, nulls, rows)), type, text.length(), column);
            case VarcharType text -> checked(bytes(from, nulls, rows), type, text.length(), column);
            case ArrayType list -> lists(from, list, nulls, rows, column);
            case MapType map -> maps(from, map, nulls, rows, column);
            case StructType struct -> structs(from, struct, nulls, rows, column);
            case UnionType _ -> throw new IllegalStateException("Arrow has no schema for " + type);
        };
    }

    /** Returns the null mask, which is the opposite of validity bits. */
    private static long @Nullable [] nulls(FieldVector from, int rows) {
        if (rows == 0) {
            return null;
        }
        ArrowBuf validity = from.getValidityBuffer();
        long[] nulls = new long[NullMask.words(rows)];
        for (int at = 0; at < (rows + 7) >> 3; at++) {
            nulls[at >> 3] |= (~validity.getByte(at) & 0xFFL) << ((at & 7) << 3);
        }
        if ((rows & 63) != 0) {
            nulls[rows >> 6] &= (1L << rows) - 1;
        }
        return NullMask.count(nulls, rows) == 0 ? null : nulls;
    }

    private static Vector primitive(
            FieldVector from, PrimitiveType type, long @Nullable [] nulls, int rows, String column) {
        ArrowBuf data = from.getDataBuffer();
        return switch (type) {
            case BOOLEAN -> longs(row -> BitVectorHelper.get(data, row), nulls, rows);
            case TINYINT -> longs(row -> data.getByte(row), nulls, rows);
            case SMALLINT -> longs(row -> data.getShort(2L * row), nulls, rows);
            case INT, INTERVAL_YEAR_MONTH -> longs(row -> data.getInt(4L * row), nulls, rows);
            case BIGINT -> longs(row -> data.getLong(8L * row), nulls, rows);
            case DATE -> longs(row -> day(data.getInt(4L * row), column), nulls, rows);
            case FLOAT, DOUBLE -> doubles(data, type, nulls, rows);
            case STRING, BINARY -> bytes(from, nulls, rows);
            case TIMESTAMP, TIMESTAMP_LOCAL_TZ -> times(data, nulls, rows, column);
            case VOID, INTERVAL_DAY_TIME -> throw new IllegalStateException("no table has a column of " + type);
        };
    }

    private static LongVector longs(IntToLongFunction value, long @Nullable [] nulls, int rows) {
        long[] values = new long[rows];
        for (int row = 0; row < rows; row++) {
            values[row] = NullMask.isNull(nulls, row) ? 0 : value.applyAsLong(row);
        }
        return new LongVector(values, nulls, rows);
    }

    private static long day(int day, String column) {
        if (day < FIRST_DAY || day > LAST_DAY) {
            throw outside(LocalDate.ofEpochDay(day).toString(), "DATE", column);
        }
        return day;
    }

    private static SkepException outside(String value, String type, String column) {
        return new SkepException(
                StandardErrorCode.NUMERIC_OVERFLOW,
                "the value " + value + " of column " + column + " is not one of the type " + type);
    }

    private static DoubleVector doubles(ArrowBuf data, PrimitiveType type, long @Nullable [] nulls, int rows) {
        double[] values = new double[rows];
        for (int row = 0; row < rows; row++) {
            if (!NullMask.isNull(nulls, row)) {
                values[row] = type == PrimitiveType.FLOAT ? data.getFloat(4L * row) : data.getDouble(8L * row);
            }
        }
        return new DoubleVector(values, nulls, rows);
    }

    private static TimestampVector times(ArrowBuf data, long @Nullable [] nulls, int rows, String column) {
        long[] seconds = new long[rows];
        int[] nanos = new int[rows];
        for (int row = 0; row < rows; row++) {
            if (NullMask.isNull(nulls, row)) {
                continue;
            }
            long micros = data.getLong(8L * row);
            if (micros < FIRST_MICRO || micros >= END_MICRO) {
                throw outside(micros + " microseconds since 1970", "TIMESTAMP", column);
            }
            seconds[row] = Math.floorDiv(micros, MICROS);
            nanos[row] = (int) Math.floorMod(micros, MICROS) * NANOS_OF_MICRO;
        }
        return new TimestampVector(seconds, nanos, nulls, rows);
    }

    private static Vector decimals(ArrowBuf data, DecimalType type, long @Nullable [] nulls, int rows, String column) {
        BigInteger end = BigInteger.TEN.pow(type.precision());
        boolean isShort = type.precision() <= DecimalType.MAX_SHORT_PRECISION;
        long shortEnd = isShort ? end.longValueExact() : 0;
        long[] high = new long[rows];
        long[] low = new long[rows];
        for (int row = 0; row < rows; row++) {
            if (NullMask.isNull(nulls, row)) {
                continue;
            }
            low[row] = data.getLong((long) DECIMAL_BYTES * row);
            high[row] = data.getLong((long) DECIMAL_BYTES * row + 8);
            boolean fits = isShort
                    ? high[row] == low[row] >> 63 && low[row] > -shortEnd && low[row] < shortEnd
                    : unscaled(high[row], low[row]).abs().compareTo(end) < 0;
            if (!fits) {
                throw outside(unscaled(high[row], low[row]) + "E-" + type.scale(), type.displayName(), column);
            }
        }
        return isShort ? new LongVector(low, nulls, rows) : new Decimal128Vector(high, low, nulls, rows);
    }

    private static BigInteger unscaled(long high, long low) {
        return BigInteger.valueOf(high)
                .shiftLeft(64)
                .add(BigInteger.valueOf(low).add(low < 0 ? BigInteger.ONE.shiftLeft(64) : BigInteger.ZERO));
    }

    private static BytesVector bytes(FieldVector from, long @Nullable [] nulls, int rows) {
        int[] offsets = new int[rows];
        int[] lengths = new int[rows];
        ArrowBuf data = from.getDataBuffer();
        int end = spans(from.getOffsetBuffer(), rows, offsets, lengths, data.capacity());
        byte[] copied = new byte[end];
        data.getBytes(0, copied);
        return new BytesVector(copied, offsets, lengths, nulls, rows);
    }

    /**
     * Reads where values that follow each other begin and how long they are. Returns where the last one ends.
     *
     * @param limit where they must end
     */
    private static int spans(ArrowBuf ends, int rows, int[] offsets, int[] lengths, long limit) {
        int at = rows == 0 ? 0 : ends.getInt(0);
        if (at < 0) {
            throw damaged("an offset is " + at, null);
        }
        for (int row = 0; row < rows; row++) {
            int next = ends.getInt((long) OFFSET_BYTES * (row + 1));
            if (next < at || next > limit) {
                throw damaged("an offset of " + next + " follows one of " + at + ", and " + limit + " are there", null);
            }
            offsets[row] = at;
            lengths[row] = next - at;
            at = next;
        }
        return at;
    }

    /** Leaves out the spaces at the end of values of CHAR, which vectors do not have. */
    private static BytesVector stripped(BytesVector texts) {
        int[] lengths = texts.lengths().clone();
        for (int row = 0; row < texts.length(); row++) {
            while (lengths[row] > 0 && texts.data()[texts.offsets()[row] + lengths[row] - 1] == ' ') {
                lengths[row]--;
            }
        }
        return new BytesVector(texts.data(), texts.offsets(), lengths, texts.nulls(), texts.length());
    }

    private static BytesVector checked(BytesVector texts, SqlType type, int most, String column) {
        for (int row = 0; row < texts.length(); row++) {
            int length = texts.lengths()[row];
            if (length > most && !texts.isNull(row)) {
                int start = texts.offsets()[row];
                int characters = characters(texts.data(), start, start + length);
                if (characters > most) {
                    throw new SkepException(
                            StandardErrorCode.INVALID_ARGUMENT,
                            "a value of " + characters + " characters does not fit into column " + column + " of type "
                                    + type.displayName());
                }
            }
        }
        return texts;
    }

    private static int characters(byte[] data, int start, int end) {
        int characters = 0;
        for (int at = start; at < end; at++) {
            characters += (data[at] & 0xC0) == 0x80 ? 0 : 1;
        }
        return characters;
    }

    private static Vector lists(FieldVector from, ArrayType type, long @Nullable [] nulls, int rows, String column) {
        int[] offsets = new int[rows];
        int[] lengths = new int[rows];
        FieldVector elements = ((org.apache.arrow.vector.complex.ListVector) from).getDataVector();
        spans(from.getOffsetBuffer(), rows, offsets, lengths, elements.getValueCount());
        return new ListVector(read(elements, type.element(), column), offsets, lengths, nulls, rows);
    }

    private static Vector maps(FieldVector from, MapType type, long @Nullable [] nulls, int rows, String column) {
        int[] offsets = new int[rows];
        int[] lengths = new int[rows];
        FieldVector entries = ((org.apache.arrow.vector.complex.ListVector) from).getDataVector();
        int end = spans(from.getOffsetBuffer(), rows, offsets, lengths, entries.getValueCount());
        List<FieldVector> both = entries.getChildrenFromFields();
        Vector keys = child(both.get(0), entries, type.key(), column);
        for (int entry = 0; entry < end; entry++) {
            if (keys.isNull(entry)) {
                throw new SkepException(
                        StandardErrorCode.INVALID_ARGUMENT, "a key of a map in column " + column + " is null");
            }
        }
        return new MapVector(keys, child(both.get(1), entries, type.value(), column), offsets, lengths, nulls, rows);
    }

    private static Vector child(FieldVector child, FieldVector parent, SqlType type, String column) {
        if (child.getValueCount() != parent.getValueCount()) {
            throw damaged("a field has another number of values than its struct", null);
        }
        return read(child, type, column);
    }

    private static Vector structs(FieldVector from, StructType type, long @Nullable [] nulls, int rows, String column) {
        List<FieldVector> children = from.getChildrenFromFields();
        List<Vector> fields = new ArrayList<>(children.size());
        for (int i = 0; i < children.size(); i++) {
            fields.add(child(children.get(i), from, type.fields().get(i).type(), column));
        }
        return new StructVector(fields, nulls, rows);
    }
}
