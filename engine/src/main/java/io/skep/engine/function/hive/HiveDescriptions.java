package io.skep.engine.function.hive;

import java.util.Collection;
import java.util.Optional;
import org.apache.hadoop.hive.ql.exec.Description;

/** The descriptions in function classes, for DESCRIBE FUNCTION. */
public final class HiveDescriptions {
    private HiveDescriptions() {}

    /**
     * Returns the class's text with the function's name filled in, or empty if the class has no description.
     *
     * @param synonyms other names of the function
     * @param kind BUILTIN, TEMPORARY or PERSISTENT
     */
    public static Optional<String> of(
            String name, Class<?> type, boolean extended, Collection<String> synonyms, String kind) {
        Description description = type.getAnnotation(Description.class);
        if (description == null) {
            return Optional.empty();
        }
        StringBuilder text = new StringBuilder(description.value().replace("_FUNC_", name));
        if (extended) {
            if (!synonyms.isEmpty()) {
                text.append("\nSynonyms: ").append(String.join(", ", synonyms));
            }
            if (!description.extended().isEmpty()) {
                text.append('\n').append(description.extended().replace("_FUNC_", name));
            }
            text.append("\nFunction class:").append(type.getName());
            text.append("\nFunction type:").append(kind);
        }
        return Optional.of(text.toString());
    }
}
