package io.skep.engine.function.entry;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What a function says about itself, apart from its types and its kernel.
 *
 * @param names lower case; the first is the usual one, the others are aliases
 * @param documentation there for every function that Hive lacks; where it is missing, Hive's class describes the function
 */
public record FunctionMetadata(
        List<String> names,
        FunctionOrigin origin,
        Nullability nullability,
        Optional<FunctionDocumentation> documentation) {
    public FunctionMetadata {
        names = List.copyOf(names);
        if (names.isEmpty()) {
            throw new IllegalArgumentException("a function without a name");
        }
        for (String name : names) {
            if (!name.equals(name.toLowerCase(Locale.ROOT))) {
                throw new IllegalArgumentException("the name '" + name + "' is not in lower case");
            }
        }
        if (origin == FunctionOrigin.SKEP && documentation.isEmpty()) {
            throw new IllegalArgumentException(names.getFirst() + " is not documented, and Hive lacks it");
        }
    }

    /** Of a function that Hive has, and describes. */
    public static FunctionMetadata ofHive(Nullability nullability, String... names) {
        return new FunctionMetadata(List.of(names), FunctionOrigin.HIVE, nullability, Optional.empty());
    }

    /** Of a function that Hive lacks. */
    public static FunctionMetadata ofSkep(
            Nullability nullability, FunctionDocumentation documentation, String... names) {
        return new FunctionMetadata(List.of(names), FunctionOrigin.SKEP, nullability, Optional.of(documentation));
    }

    /** Of a function that only plans call. */
    public static FunctionMetadata ofPlans(Nullability nullability, String... names) {
        return new FunctionMetadata(List.of(names), FunctionOrigin.PLAN, nullability, Optional.empty());
    }

    /** Whether statements may call it. */
    public boolean isCallable() {
        return origin != FunctionOrigin.PLAN;
    }
}
