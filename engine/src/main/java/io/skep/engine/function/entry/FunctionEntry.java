package io.skep.engine.function.entry;

import java.util.List;
import java.util.Optional;

/** What is known about one built-in function. Immutable; kernels are made anew for each caller. */
public interface FunctionEntry {
    FunctionMetadata metadata();

    /** The sentence that says when its result is NULL. */
    String nullabilityText();

    /**
     * What DESCRIBE FUNCTION says of the function by one of its names; empty where Hive's class describes it.
     *
     * @param extended all lines instead of the first
     */
    default Optional<String> description(String name, boolean extended) {
        List<String> synonyms = metadata().names().stream()
                .filter(other -> !other.equals(name))
                .sorted()
                .toList();
        return metadata()
                .documentation()
                .map(text -> extended ? text.full(name, synonyms, nullabilityText()) : text.usage(name));
    }
}
