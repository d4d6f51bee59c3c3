package io.skep.common.vector;

import io.skep.common.type.ArrayType;
import io.skep.common.type.MapType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.type.UnionType;
import java.util.List;

/**
 * The number of rows of a batch, by the types of its columns: {@link Batch#TARGET_ROWS} up to 256 values a row, and
 * fewer beyond. So its values use at most {@link #MAX_BYTES}, except for long texts, elements of arrays and maps, and
 * rows of more than 32,768 values. Numbers of rows are powers of two, so that each divides the greater ones.
 */
public final class BatchRows {
    /**
     * With more columns than this, readers, writers and drivers account for each column however little it uses, because
     * the total is large.
     */
    public static final int MANY_COLUMNS = 256;

    /** The limit for the values of a batch. */
    public static final long MAX_BYTES = 8L << 20;

    /** The bytes of a value, with its share of null mask, offset and length, and a short text. */
    public static final int VALUE_BYTES = 16;

    /** With fewer rows, the vectors would cost more than the values. */
    private static final int LEAST = 16;

    private BatchRows() {}

    /** Returns the number of rows of a batch whose columns have these types. */
    public static int of(List<SqlType> types) {
        long values = values(types);
        int rows = Batch.TARGET_ROWS;
        while (rows > LEAST && values * rows * VALUE_BYTES > MAX_BYTES) {
            rows /= 2;
        }
        return rows;
    }

    /**
     * Returns the number of values in a row whose columns have these types. Arrays and maps count as if they had one
     * element.
     */
    private static long values(List<SqlType> types) {
        long values = 0;
        for (SqlType type : types) {
            values += values(type);
        }
        return values;
    }

    private static long values(SqlType type) {
        return switch (type) {
            case ArrayType array -> 1 + values(array.element());
            case MapType map -> 1 + values(map.key()) + values(map.value());
            case StructType struct ->
                values(struct.fields().stream().map(StructType.Field::type).toList());
            case UnionType union -> 1 + values(union.alternatives());
            default -> 1;
        };
    }
}
