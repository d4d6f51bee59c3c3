package io.skep.engine.function.entry;

import java.util.List;

/**
 * The text that DESCRIBE FUNCTION shows. {@code _FUNC_} stands for the name in the statement, as in the annotations of
 * Hive's classes.
 *
 * @param usage one line: {@code _FUNC_(a, b) - Returns ...}
 * @param extended more lines, such as examples; may be empty
 */
public record FunctionDocumentation(String usage, String extended) {
    private static final String NAME = "_FUNC_";

    public FunctionDocumentation {
        if (!usage.contains(NAME) || usage.lines().count() != 1) {
            throw new IllegalArgumentException("a usage is one line with " + NAME + " in it, not: " + usage);
        }
    }

    /** Returns the line for DESCRIBE FUNCTION. */
    public String usage(String name) {
        return usage.replace(NAME, name);
    }

    /**
     * Returns the lines for DESCRIBE FUNCTION EXTENDED.
     *
     * @param synonyms other names
     * @param nullability a sentence that says when the result is NULL
     */
    String full(String name, List<String> synonyms, String nullability) {
        StringBuilder text = new StringBuilder(usage(name));
        if (!synonyms.isEmpty()) {
            text.append("\nSynonyms: ").append(String.join(", ", synonyms));
        }
        text.append('\n').append(nullability);
        if (!extended.isEmpty()) {
            text.append('\n').append(extended.replace(NAME, name));
        }
        return text.append("\nFunction type:BUILTIN").toString();
    }
}
