package io.skep.engine.function.scalar;

import io.skep.common.vector.Datum;
import io.skep.common.vector.ListVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.StructVector;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.function.entry.Nullability;
import java.util.Optional;

/**
 * The value of a struct's field, null if the struct is null. For an array of structs, the array of the field's values.
 */
record StructField(int index) implements ScalarFunction {
    /** The second argument of a call is the index of the field, as an int constant. */
    static final ScalarFunctionEntry ENTRY = new ScalarFunctionEntry(
            FunctionMetadata.ofPlans(Nullability.NULL_ON_NULL, "$field"),
            ScalarTypes.ofHive(),
            call -> Optional.of(new StructField(index(call.constants().get(1)))));

    private static int index(Optional<Datum> constant) {
        return (int) ((Datum.OfLong) constant.orElseThrow()).value();
    }

    @Override
    public Vector evaluate(Vector[] arguments, int rows) {
        return of(arguments[0], rows);
    }

    private Vector of(Vector vector, int rows) {
        if (vector instanceof ListVector list) {
            Vector elements = list.elements().flatten();
            return new ListVector(of(elements, elements.length()), list.offsets(), list.lengths(), list.nulls(), rows);
        }
        StructVector struct = (StructVector) vector;
        Vector field = struct.fields().get(index).flatten();
        return struct.mayHaveNulls()
                ? VectorAppender.withNulls(field, NullMask.or(struct.nulls(), field.nulls(), rows))
                : field;
    }
}
