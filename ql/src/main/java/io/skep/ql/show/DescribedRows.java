package io.skep.ql.show;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hive.common.util.HiveStringUtils;

/** Builds the rows of DESCRIBE: three columns, padded as Hive's clients expect. */
final class DescribedRows {
    private final List<List<Optional<String>>> rows = new ArrayList<>();

    void add(String name, String type, String comment) {
        rows.add(List.of(Optional.of(name), Optional.of(type), Optional.of(comment)));
    }

    void blank() {
        heading("");
    }

    void heading(String text) {
        rows.add(List.of(Optional.of(text), Optional.empty(), Optional.empty()));
    }

    /** Adds a name with a colon, and its value. */
    void fact(String name, String value) {
        rows.add(List.of(Optional.of(padded(name)), Optional.of(padded(value)), Optional.empty()));
    }

    void column(String name, String type, String comment) {
        add(name, type, HiveStringUtils.escapeJava(comment));
    }

    void parameters(Map<String, String> parameters) {
        new TreeMap<>(parameters).forEach((name, value) -> parameter(name, HiveStringUtils.escapeJava(value)));
    }

    /** Adds properties of a SerDe. Control characters, such as separators, are written as escapes. */
    void serdeParameters(Map<String, String> parameters) {
        new TreeMap<>(parameters)
                .forEach((name, value) -> parameter(name, escapedCharacters(HiveStringUtils.escapeJava(value))));
    }

    private void parameter(String name, String value) {
        rows.add(List.of(Optional.of(""), Optional.of(padded(name)), Optional.of(padded(value))));
    }

    /** Writes control characters, and all that is not ASCII, by their numbers. */
    static String escapedCharacters(String text) {
        StringBuilder escaped = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '\u007f') {
                escaped.append(String.format(Locale.ROOT, "\\u%04X", (int) c));
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }

    private static String padded(String text) {
        return String.format(Locale.ROOT, "%-20s", text);
    }

    List<List<Optional<String>>> rows() {
        return List.copyOf(rows);
    }
}
