package io.skep.engine.function;

import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.engine.function.FunctionCatalog.AggregateSignature;
import io.skep.engine.function.FunctionCatalog.Argument;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Types of the aggregates that have native accumulators. Arguments that they reject are left to Hive's class, which
 * reports the reason.
 */
public final class NativeAggregateSignatures {
    private static final StructType VARIANCE_STATE = new StructType(List.of(
            new StructType.Field("count", PrimitiveType.BIGINT),
            new StructType.Field("sum", PrimitiveType.DOUBLE),
            new StructType.Field("variance", PrimitiveType.DOUBLE)));

    private static final Set<String> NAMES = Set.of(
            "count",
            "sum",
            "$sum0",
            "avg",
            "min",
            "max",
            "variance",
            "var_pop",
            "var_samp",
            "std",
            "stddev",
            "stddev_pop",
            "stddev_samp");

    private NativeAggregateSignatures() {}

    static boolean isKnown(String name) {
        return NAMES.contains(name);
    }

    static Optional<AggregateSignature> of(String name, List<Argument> arguments) {
        List<SqlType> types = arguments.stream().map(Argument::type).toList();
        return switch (name) {
            case "count" ->
                Optional.of(new AggregateSignature(name, types, PrimitiveType.BIGINT, PrimitiveType.BIGINT));
            case "sum", "$sum0" -> types.size() == 1 ? sum(name, types.getFirst()) : Optional.empty();
            case "avg" -> types.size() == 1 ? avg(types.getFirst()) : Optional.empty();
            case "min", "max" ->
                types.size() == 1 && isOrdered(types.getFirst())
                        ? Optional.of(new AggregateSignature(name, types, types.getFirst(), types.getFirst()))
                        : Optional.empty();
            case "single_value" ->
                Optional.of(new AggregateSignature(
                        name,
                        types,
                        new StructType(List.of(
                                new StructType.Field("count", PrimitiveType.BIGINT),
                                new StructType.Field("value", types.getFirst()))),
                        types.getFirst()));
            case "variance", "var_pop", "var_samp", "std", "stddev", "stddev_pop", "stddev_samp" ->
                types.size() == 1 && isNumeric(types.getFirst())
                        ? Optional.of(new AggregateSignature(
                                name, List.of(PrimitiveType.DOUBLE), VARIANCE_STATE, PrimitiveType.DOUBLE))
                        : Optional.empty();
            default -> Optional.empty();
        };
    }

    private static Optional<AggregateSignature> sum(String name, SqlType type) {
        SqlType parameter = summed(type);
        if (parameter == PrimitiveType.VOID) {
            return Optional.empty();
        }
        SqlType result = parameter instanceof DecimalType decimal
                ? new DecimalType(Math.min(DecimalType.MAX_PRECISION, decimal.precision() + 10), decimal.scale())
                : parameter;
        return Optional.of(new AggregateSignature(name, List.of(parameter), result, result));
    }

    private static Optional<AggregateSignature> avg(SqlType type) {
        SqlType parameter = summed(type);
        if (parameter == PrimitiveType.VOID) {
            return Optional.empty();
        }
        if (parameter instanceof DecimalType decimal) {
            int whole = decimal.precision() - decimal.scale();
            int scale = Math.min(decimal.scale() + 4, DecimalType.MAX_PRECISION - whole);
            SqlType sum =
                    new DecimalType(Math.min(DecimalType.MAX_PRECISION, decimal.precision() + 10), decimal.scale());
            return Optional.of(new AggregateSignature(
                    "avg", List.of(parameter), averageState(sum), new DecimalType(whole + scale, scale)));
        }
        return Optional.of(new AggregateSignature(
                "avg", List.of(PrimitiveType.DOUBLE), averageState(PrimitiveType.DOUBLE), PrimitiveType.DOUBLE));
    }

    private static StructType averageState(SqlType sum) {
        return new StructType(
                List.of(new StructType.Field("count", PrimitiveType.BIGINT), new StructType.Field("sum", sum)));
    }

    /**
     * Returns the type in which values of a type are summed. Void if they cannot be summed, and for timestamps, which
     * Hive's classes interpret in UTC.
     */
    private static SqlType summed(SqlType type) {
        return switch (type) {
            case PrimitiveType primitive ->
                switch (primitive) {
                    case TINYINT, SMALLINT, INT, BIGINT -> PrimitiveType.BIGINT;
                    case FLOAT, DOUBLE, STRING -> PrimitiveType.DOUBLE;
                    default -> PrimitiveType.VOID;
                };
            case DecimalType decimal -> decimal;
            case io.skep.common.type.CharType text -> PrimitiveType.DOUBLE;
            case io.skep.common.type.VarcharType text -> PrimitiveType.DOUBLE;
            default -> PrimitiveType.VOID;
        };
    }

    private static boolean isNumeric(SqlType type) {
        return summed(type) != PrimitiveType.VOID;
    }

    /** Whether a type has a native order. Nested values are compared by Hive's class. */
    private static boolean isOrdered(SqlType type) {
        return switch (type.vectorKind()) {
            case LONG, DOUBLE, BYTES, DECIMAL128, TIMESTAMP -> true;
            case LIST, MAP, STRUCT, UNION -> false;
        };
    }
}
