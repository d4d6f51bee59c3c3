package io.skep.engine.function.scalar;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Decimal128Vector;
import io.skep.common.vector.DoubleVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.function.entry.Nullability;
import java.util.Optional;

/** Unary minus of numbers. The least integer is unchanged. */
record Negation(SqlType type) implements ScalarFunction {
    static final ScalarFunctionEntry ENTRY = new ScalarFunctionEntry(
            FunctionMetadata.ofHive(Nullability.NULL_ON_NULL, "negative"),
            ScalarTypes.ofHive(),
            call -> call.first().equals(call.type()) && ArithmeticTypes.isNumber(call.type())
                    ? Optional.of(new Negation(call.type()))
                    : Optional.empty());

    @Override
    public Vector evaluate(Vector[] arguments, int rows) {
        return switch (arguments[0]) {
            case LongVector v -> longs(v, rows);
            case DoubleVector v -> doubles(v, rows);
            case Decimal128Vector v -> decimals(v, rows);
            default -> throw new IllegalStateException("numbers in " + arguments[0].getClass());
        };
    }

    private Vector longs(LongVector vector, int rows) {
        long[] results = new long[rows];
        for (int i = 0; i < rows; i++) {
            results[i] = -vector.values()[i];
        }
        if (type instanceof PrimitiveType integer) {
            IntegerArithmetic.wrap(integer, results);
        }
        return new LongVector(results, vector.nulls(), rows);
    }

    private static Vector doubles(DoubleVector vector, int rows) {
        double[] results = new double[rows];
        for (int i = 0; i < rows; i++) {
            results[i] = -vector.values()[i];
        }
        return new DoubleVector(results, vector.nulls(), rows);
    }

    private static Vector decimals(Decimal128Vector vector, int rows) {
        long[] high = new long[rows];
        long[] low = new long[rows];
        for (int i = 0; i < rows; i++) {
            low[i] = -vector.low()[i];
            high[i] = ~vector.high()[i] + (low[i] == 0 ? 1 : 0);
        }
        return new Decimal128Vector(high, low, vector.nulls(), rows);
    }
}
