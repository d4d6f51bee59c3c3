package io.skep.ql;

import java.util.Arrays;

/**
 * A pattern for names in SHOW and JDBC's metadata calls. It consists of characters, single-character wildcards, and
 * wildcards for any number of characters. Matching takes at most the product of both lengths for any pattern, because
 * it only backtracks to the last wildcard for any number of characters.
 */
public final class NamePattern {
    /** No character of a name has this code. */
    private static final int ONE = -1;

    private static final int ANY = -2;

    private final int[] parts;

    private NamePattern(int[] parts) {
        this.parts = parts;
    }

    /** Parses a pattern in which {@code %} and {@code *} stand for any characters, and {@code _} for one. */
    public static NamePattern of(String pattern) {
        return parse(pattern, false);
    }

    /** Parses a pattern as {@link #of} does, with a backslash as the escape character. */
    public static NamePattern withEscapes(String pattern) {
        return parse(pattern, true);
    }

    private static NamePattern parse(String pattern, boolean escapes) {
        int[] parts = new int[pattern.length()];
        int count = 0;
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (escapes && c == '\\') {
                i++;
                parts[count++] = i < pattern.length() ? pattern.charAt(i) : '\\';
            } else {
                parts[count++] = switch (c) {
                    case '%', '*' -> ANY;
                    case '_' -> ONE;
                    default -> c;
                };
            }
        }
        return new NamePattern(Arrays.copyOf(parts, count));
    }

    public boolean matches(String name) {
        int part = 0;
        int at = 0;
        int lastAny = -1;
        int takenByAny = 0;
        while (at < name.length()) {
            if (part < parts.length && parts[part] == ANY) {
                lastAny = part++;
                takenByAny = at;
            } else if (part < parts.length && (parts[part] == ONE || parts[part] == name.charAt(at))) {
                part++;
                at++;
            } else if (lastAny >= 0) {
                part = lastAny + 1;
                at = ++takenByAny;
            } else {
                return false;
            }
        }
        while (part < parts.length && parts[part] == ANY) {
            part++;
        }
        return part == parts.length;
    }
}
