package io.skep.engine.function.scalar;

import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import java.util.List;
import java.util.Optional;

/** Finds the native kernel of a function for argument types. */
public final class NativeFunctions {
    /** Plan name of the access to a struct's field: {@code struct or array of structs, constant name}. */
    public static final String FIELD = "field_of_struct";

    private NativeFunctions() {}

    /**
     * Empty when the function, or these types of it, has none.
     *
     * @param constants the arguments' values where they are constant
     * @param type the type that the plan states
     */
    public static Optional<ScalarFunction> find(
            String name, List<SqlType> types, List<Optional<Datum>> constants, SqlType type) {
        return switch (name) {
            case FIELD -> Optional.of(new StructField(types.getFirst(), constants.get(1)));
            default -> Optional.empty();
        };
    }
}
