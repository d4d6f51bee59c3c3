package io.skep.ql.show;

import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;

/** Formats maps, lists, numbers, booleans and strings as one line of JSON, in their given order. */
final class JsonText {
    private static final int CONTROL = 0x20;

    private JsonText() {}

    static String of(Object value) {
        return switch (value) {
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .map(entry -> quoted(entry.getKey().toString()) + ":" + of(entry.getValue()))
                        .collect(Collectors.joining(",", "{", "}"));
            case Collection<?> list -> list.stream().map(JsonText::of).collect(Collectors.joining(",", "[", "]"));
            case Number number -> number.toString();
            case Boolean truth -> truth.toString();
            default -> quoted(value.toString());
        };
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                default -> quoted.append(c < CONTROL ? String.format("\\u%04x", (int) c) : Character.toString(c));
            }
        }
        return quoted.append('"').toString();
    }
}
