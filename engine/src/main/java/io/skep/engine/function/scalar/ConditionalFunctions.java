package io.skep.engine.function.scalar;

import io.skep.common.type.SqlType;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.function.entry.Nullability;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Functions that look at an argument only where a row needs it. They have no kernels: the expression compiler makes
 * evaluators for them. All values that may be the result are cast to its type.
 */
final class ConditionalFunctions {
    static final List<ScalarFunctionEntry> ENTRIES = List.of(
            entry((arguments, result, zone) -> Collections.nCopies(arguments.size(), result), "coalesce", "nvl"),
            entry((arguments, result, zone) -> branches(arguments, result), "if"),
            entry((arguments, result, zone) -> branches(arguments, result), "when"));

    private ConditionalFunctions() {}

    private static ScalarFunctionEntry entry(ScalarTypes.ParameterRule parameters, String... names) {
        return new ScalarFunctionEntry(
                FunctionMetadata.ofHive(Nullability.BY_VALUE, names),
                ScalarTypes.ofHive().withParameters(parameters),
                call -> Optional.empty());
    }

    /** Conditions and values take turns; the last argument is a value in any case. */
    private static List<SqlType> branches(List<SqlType> types, SqlType result) {
        List<SqlType> parameters = new ArrayList<>(types);
        for (int i = 0; i < types.size(); i++) {
            if (i % 2 == 1 || i == types.size() - 1) {
                parameters.set(i, result);
            }
        }
        return parameters;
    }
}
