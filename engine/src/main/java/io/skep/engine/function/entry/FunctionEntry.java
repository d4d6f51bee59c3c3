package io.skep.engine.function.entry;

import java.util.List;
import java.util.Optional;

/** The definition of one built-in function. Immutable; each caller gets kernels of its own. */
public interface FunctionEntry {
    FunctionMetadata metadata();

    /** Returns a sentence that says when the result is NULL. */
    String nullabilityText();

    /**
     * Returns the text of DESCRIBE FUNCTION for one of the function's names. Empty where Hive's class describes the
     * function.
     *
     * @param extended whether all lines are wanted instead of the first
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
