package io.skep.engine.function.entry;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The part of an entry that all kinds of functions have: all but types and kernel.
 *
 * @param names lower case; the first is the usual one, the others are aliases
 * @param documentation present for every function that Hive lacks; without it, Hive's class describes the function
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

    /** Creates the metadata of a function that Hive has and describes. */
    public static FunctionMetadata ofHive(Nullability nullability, String... names) {
        return new FunctionMetadata(List.of(names), FunctionOrigin.HIVE, nullability, Optional.empty());
    }

    /** Creates the metadata of a function that Hive lacks. */
    public static FunctionMetadata ofSkep(
            Nullability nullability, FunctionDocumentation documentation, String... names) {
        return new FunctionMetadata(List.of(names), FunctionOrigin.SKEP, nullability, Optional.of(documentation));
    }

    /** Creates the metadata of a function that only plans call. */
    public static FunctionMetadata ofPlans(Nullability nullability, String... names) {
        return new FunctionMetadata(List.of(names), FunctionOrigin.PLAN, nullability, Optional.empty());
    }

    /** Returns whether statements may call the function. */
    public boolean isCallable() {
        return origin != FunctionOrigin.PLAN;
    }
}
