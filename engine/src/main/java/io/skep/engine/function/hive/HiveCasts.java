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

/** Hive's own conversions between primitive types, by the functions that its CAST stands for. */
public final class HiveCasts {
    private final HiveFunctions functions;

    public HiveCasts(HiveFunctions functions) {
        this.functions = functions;
    }

    /** @throws SkepException TYPE_MISMATCH when Hive has no such conversion */
    public HiveScalarFunction cast(SqlType from, SqlType to) {
        String name = functionName(to);
        GenericUDF function = name == null ? null : functions.scalar(name);
        if (name == null || function == null) {
            throw new SkepException(StandardErrorCode.TYPE_MISMATCH, "cannot cast " + from + " to " + to);
        }
        return new HiveScalarFunction(name, function, List.of(new HiveArgument(from, null)), to, functions.session());
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
