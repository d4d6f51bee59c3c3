package io.skep.engine.function.scalar;

import io.skep.common.type.ArrayType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.vector.Datum;
import io.skep.common.vector.ListVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.StructVector;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import java.util.Locale;
import java.util.Optional;

/** The value of a struct's field, null where the struct is; of an array of structs, the array of the field's values. */
final class StructField implements ScalarFunction {
    private final int index;

    StructField(SqlType type, Optional<Datum> name) {
        SqlType struct = type instanceof ArrayType array ? array.element() : type;
        this.index = index((StructType) struct, name.orElseThrow().toString());
    }

    /** @throws IllegalArgumentException when the struct has no such field */
    static int index(StructType type, String name) {
        String wanted = name.toLowerCase(Locale.ROOT);
        for (int i = 0; i < type.fields().size(); i++) {
            if (type.fields().get(i).name().toLowerCase(Locale.ROOT).equals(wanted)) {
                return i;
            }
        }
        throw new IllegalArgumentException(type + " has no field " + name);
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
