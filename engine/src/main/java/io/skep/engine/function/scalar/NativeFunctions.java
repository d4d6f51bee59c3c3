package io.skep.engine.function.scalar;

import io.skep.common.type.PrimitiveType;
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
            case "=", "==", "<>", "!=", "<", "<=", ">", ">=" -> comparison(name, types);
            case "<=>", "is_not_distinct_from" -> comparison("=", types).map(NullSafeEqual::new);
            case "+", "-", "*", "/", "%", "mod", "pmod" -> arithmetic(name, types, type);
            case "isnull" -> Optional.of(new NullTest(true));
            case "isnotnull" -> Optional.of(new NullTest(false));
            case "istrue" -> truth(types, true, false);
            case "isnottrue" -> truth(types, true, true);
            case "isfalse" -> truth(types, false, false);
            case "isnotfalse" -> truth(types, false, true);
            case "not", "!" ->
                types.getFirst() == PrimitiveType.BOOLEAN ? Optional.of(new NotFunction()) : Optional.empty();
            default -> Optional.empty();
        };
    }

    private static Optional<ScalarFunction> comparison(String name, List<SqlType> types) {
        Comparison comparison = Comparison.of(name);
        boolean same = types.size() == 2 && types.get(0).equals(types.get(1)) && types.get(0) != PrimitiveType.VOID;
        return comparison != null && same ? comparison.kernel(types.getFirst()) : Optional.empty();
    }

    private static Optional<ScalarFunction> arithmetic(String name, List<SqlType> types, SqlType type) {
        Arithmetic arithmetic = Arithmetic.of(name);
        return arithmetic != null && types.size() == 2 ? arithmetic.kernel(types, type) : Optional.empty();
    }

    private static Optional<ScalarFunction> truth(List<SqlType> types, boolean truth, boolean negated) {
        return types.getFirst() == PrimitiveType.BOOLEAN
                ? Optional.of(new TruthTest(truth, negated))
                : Optional.empty();
    }
}
