package io.skep.engine.function.scalar;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A call as a plan states it.
 *
 * @param types of the arguments
 * @param constants values of the arguments, where they are constant
 * @param type of the result
 * @param settings of the session, by name
 */
public record ScalarCall(
        List<SqlType> types, List<Optional<Datum>> constants, SqlType type, Map<String, String> settings) {
    public ScalarCall {
        types = List.copyOf(types);
        constants = List.copyOf(constants);
    }

    SqlType first() {
        return types.getFirst();
    }

    boolean allAre(SqlType type) {
        return types.stream().allMatch(type::equals);
    }

    /** A kernel for calls whose arguments are all of type STRING. */
    static ScalarFunctionEntry.KernelFactory ofStrings(Supplier<ScalarFunction> kernel) {
        return call -> call.allAre(PrimitiveType.STRING) ? Optional.of(kernel.get()) : Optional.empty();
    }

    /** A kernel for calls with this number of arguments, all of type STRING. */
    static ScalarFunctionEntry.KernelFactory ofStrings(int count, Supplier<ScalarFunction> kernel) {
        return call -> call.types().size() == count && call.allAre(PrimitiveType.STRING)
                ? Optional.of(kernel.get())
                : Optional.empty();
    }
}
