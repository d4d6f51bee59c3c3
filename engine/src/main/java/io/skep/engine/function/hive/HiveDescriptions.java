package io.skep.engine.function.hive;

import java.util.Optional;
import org.apache.hadoop.hive.ql.exec.Description;

/** What function classes say about themselves for DESCRIBE FUNCTION. */
public final class HiveDescriptions {
    private HiveDescriptions() {}

    /** The class's text with the function's name in it; empty when it says nothing. */
    public static Optional<String> of(String name, Class<?> type, boolean extended) {
        Description description = type.getAnnotation(Description.class);
        if (description == null) {
            return Optional.empty();
        }
        String text = description.value().replace("_FUNC_", name);
        if (extended && !description.extended().isEmpty()) {
            text = text + "\n" + description.extended().replace("_FUNC_", name);
        }
        return Optional.of(text);
    }
}
