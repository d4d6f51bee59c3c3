package io.skep.service.metadata;

import io.skep.common.type.ArrayType;
import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.MapType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.type.UnionType;
import io.skep.common.type.VarcharType;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A type as JDBC's metadata describes it.
 *
 * @param code a constant of {@link Types}
 * @param size digits, or characters
 * @param digits digits after the decimal point
 * @param radix radix of size and digits, for numbers
 */
public record JdbcType(
        String name, int code, Optional<Integer> size, Optional<Integer> digits, Optional<Integer> radix) {
    /** All types in Hive's order, for GetTypeInfo. */
    static final List<JdbcType> ALL = all();

    private static List<JdbcType> all() {
        List<JdbcType> types = new ArrayList<>();
        for (PrimitiveType primitive : PrimitiveType.values()) {
            if (primitive != PrimitiveType.BINARY) {
                types.add(of(primitive));
            }
            if (primitive == PrimitiveType.STRING) {
                types.add(plain("CHAR", Types.CHAR));
                types.add(plain("VARCHAR", Types.VARCHAR));
            }
        }
        types.add(of(PrimitiveType.BINARY));
        types.add(number("DECIMAL", Types.DECIMAL, DecimalType.MAX_PRECISION, 0));
        types.add(plain("ARRAY", Types.ARRAY));
        types.add(plain("MAP", Types.JAVA_OBJECT));
        types.add(plain("STRUCT", Types.STRUCT));
        types.add(plain("UNIONTYPE", Types.OTHER));
        types.add(plain("USER_DEFINED", Types.OTHER));
        return List.copyOf(types);
    }

    private static JdbcType plain(String name, int code) {
        return new JdbcType(name, code, Optional.empty(), Optional.empty(), Optional.empty());
    }

    private static JdbcType number(String name, int code, int size, int digits) {
        return new JdbcType(name, code, Optional.of(size), Optional.of(digits), Optional.of(10));
    }

    private static JdbcType sized(String name, int code, int size) {
        return new JdbcType(name, code, Optional.of(size), Optional.empty(), Optional.empty());
    }

    public static JdbcType of(SqlType type) {
        return switch (type) {
            case DecimalType t -> number("DECIMAL", Types.DECIMAL, t.precision(), t.scale());
            case VarcharType t -> sized("VARCHAR", Types.VARCHAR, t.length());
            case CharType t -> sized("CHAR", Types.CHAR, t.length());
            case ArrayType t -> plain("ARRAY", Types.ARRAY);
            case MapType t -> plain("MAP", Types.JAVA_OBJECT);
            case StructType t -> plain("STRUCT", Types.STRUCT);
            case UnionType t -> plain("UNIONTYPE", Types.OTHER);
            case PrimitiveType primitive -> of(primitive);
        };
    }

    private static JdbcType of(PrimitiveType type) {
        return switch (type) {
            case VOID -> plain("VOID", Types.NULL);
            case BOOLEAN -> new JdbcType("BOOLEAN", Types.BOOLEAN, Optional.empty(), Optional.of(0), Optional.empty());
            case TINYINT -> number("TINYINT", Types.TINYINT, 3, 0);
            case SMALLINT -> number("SMALLINT", Types.SMALLINT, 5, 0);
            case INT -> number("INT", Types.INTEGER, 10, 0);
            case BIGINT -> number("BIGINT", Types.BIGINT, 19, 0);
            case FLOAT -> number("FLOAT", Types.FLOAT, 7, 7);
            case DOUBLE -> number("DOUBLE", Types.DOUBLE, 15, 15);
            case STRING -> sized("STRING", Types.VARCHAR, Integer.MAX_VALUE);
            case BINARY -> sized("BINARY", Types.BINARY, Integer.MAX_VALUE);
            case DATE -> sized("DATE", Types.DATE, 10);
            case TIMESTAMP ->
                new JdbcType("TIMESTAMP", Types.TIMESTAMP, Optional.of(29), Optional.of(9), Optional.empty());
            case TIMESTAMP_LOCAL_TZ -> sized("TIMESTAMP WITH LOCAL TIME ZONE", Types.OTHER, 31);
            case INTERVAL_YEAR_MONTH -> plain("INTERVAL_YEAR_MONTH", Types.OTHER);
            case INTERVAL_DAY_TIME -> plain("INTERVAL_DAY_TIME", Types.OTHER);
        };
    }

    boolean isNumber() {
        return radix.isPresent();
    }

    /** Whether Hive calls values of the type case-sensitive, which applies only to strings. */
    public boolean isCaseSensitive() {
        return name.equals("STRING");
    }

    /** JDBC's code: 3 for any predicate, 0 for none. */
    public int searchable() {
        return switch (name) {
            case "ARRAY", "MAP", "STRUCT", "UNIONTYPE", "USER_DEFINED" -> 0;
            default -> 3;
        };
    }
}
