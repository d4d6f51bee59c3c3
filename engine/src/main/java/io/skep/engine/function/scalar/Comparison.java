package io.skep.engine.function.scalar;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.function.entry.Nullability;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The comparison operators with two arguments of the same type, or of two types with the same layout. */
enum Comparison {
    EQUAL("=", "=="),
    NOT_EQUAL("<>", "!="),
    LESS("<"),
    LESS_OR_EQUAL("<="),
    GREATER(">"),
    GREATER_OR_EQUAL(">=");

    private final String[] names;

    Comparison(String... names) {
        this.names = names;
    }

    static List<ScalarFunctionEntry> entries() {
        return Arrays.stream(values()).map(Comparison::entry).toList();
    }

    private ScalarFunctionEntry entry() {
        return new ScalarFunctionEntry(
                FunctionMetadata.ofHive(Nullability.NULL_ON_NULL, names), ComparisonTypes.of(), this::kernel);
    }

    /** Returns the kernel for two arguments of one type. Empty for nested values. */
    Optional<ScalarFunction> kernel(ScalarCall call) {
        List<SqlType> types = call.types();
        boolean same = types.size() == 2 && types.get(0).equals(types.get(1)) && types.get(0) != PrimitiveType.VOID;
        return same ? kernel(types.getFirst()) : Optional.empty();
    }

    private Optional<ScalarFunction> kernel(SqlType type) {
        return switch (type.vectorKind()) {
            case LONG -> Optional.of(new LongComparison(this));
            case DOUBLE -> Optional.of(new DoubleComparison(this));
            case BYTES -> Optional.of(new BytesComparison(this));
            case DECIMAL128 -> Optional.of(new DecimalComparison(this));
            case TIMESTAMP -> Optional.of(new TimestampComparison(this));
            case LIST, MAP, STRUCT, UNION -> Optional.empty();
        };
    }

    /** Whether the comparison holds for two values with the given order (negative, zero, positive). */
    boolean holds(int order) {
        return switch (this) {
            case EQUAL -> order == 0;
            case NOT_EQUAL -> order != 0;
            case LESS -> order < 0;
            case LESS_OR_EQUAL -> order <= 0;
            case GREATER -> order > 0;
            case GREATER_OR_EQUAL -> order >= 0;
        };
    }

    static Vector result(long[] truths, Vector left, Vector right) {
        int rows = truths.length;
        return new LongVector(truths, NullMask.or(left.nulls(), right.nulls(), rows), rows);
    }
}
