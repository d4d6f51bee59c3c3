package io.skep.engine.function.hive;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.VarcharType;
import java.util.List;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF;
import org.jspecify.annotations.Nullable;

/** Hive's own conversions between primitive types, by the functions that its CAST uses. */
public final class HiveCasts {
    private final HiveFunctions functions;

    public HiveCasts(HiveFunctions functions) {
        this.functions = functions;
    }

    /** @throws SkepException TYPE_MISMATCH if Hive has no such conversion */
    public HiveScalarFunction cast(SqlType from, SqlType to) {
        String name = isRefused(from, to) ? null : functionName(to);
        GenericUDF function = name == null ? null : functions.scalar(name);
        if (name == null || function == null) {
            throw new SkepException(StandardErrorCode.TYPE_MISMATCH, "cannot cast " + from + " to " + to);
        }
        return new HiveScalarFunction(name, function, List.of(new HiveArgument(from, null)), to, functions.session());
    }

    /** Whether Hive's class accepts the pair of types, but fails on the first row. */
    private static boolean isRefused(SqlType from, SqlType to) {
        boolean text = from == PrimitiveType.STRING || from instanceof CharType || from instanceof VarcharType;
        return switch (to) {
            case PrimitiveType.INTERVAL_DAY_TIME, PrimitiveType.INTERVAL_YEAR_MONTH -> !text && !from.equals(to);
            case DecimalType decimal ->
                from == PrimitiveType.BINARY
                        || from == PrimitiveType.DATE
                        || from == PrimitiveType.TIMESTAMP_LOCAL_TZ
                        || from == PrimitiveType.INTERVAL_DAY_TIME
                        || from == PrimitiveType.INTERVAL_YEAR_MONTH;
            default -> false;
        };
    }

    private static @Nullable String functionName(SqlType to) {
        return switch (to) {
            case DecimalType decimal -> "decimal";
            case CharType text -> "char";
            case VarcharType text -> "varchar";
            case PrimitiveType primitive when primitive != PrimitiveType.VOID -> primitive.displayName();
            default -> null;
        };
    }
}
