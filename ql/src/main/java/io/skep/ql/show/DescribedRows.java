package io.skep.ql.show;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

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

    void parameters(Map<String, String> parameters) {
        new TreeMap<>(parameters)
                .forEach((name, value) -> rows.add(List.of(
                        Optional.of(""), Optional.of(padded(name)), Optional.of(padded(value.replace("\"", "\\\""))))));
    }

    private static String padded(String text) {
        return String.format(Locale.ROOT, "%-20s", text);
    }

    List<List<Optional<String>>> rows() {
        return List.copyOf(rows);
    }
}
