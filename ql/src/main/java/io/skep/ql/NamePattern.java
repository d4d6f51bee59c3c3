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

    /** Parses a pattern of LIKE: {@code %} stands for any characters, {@code _} for one, a backslash escapes. */
    public static NamePattern like(String pattern) {
        return parse(pattern, "%", "_", true);
    }

    /** Parses a pattern of JDBC's metadata calls: as {@link #like}, and {@code *} stands for any characters too. */
    public static NamePattern ofDriver(String pattern) {
        return parse(pattern, "%*", "_", true);
    }

    /** Parses a pattern in which only {@code *} has a meaning: any characters. */
    public static NamePattern withStars(String pattern) {
        return parse(pattern, "*", "", false);
    }

    private static NamePattern parse(String pattern, String any, String one, boolean escapes) {
        int[] parts = new int[pattern.length()];
        int count = 0;
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (escapes && c == '\\') {
                i++;
                parts[count++] = i < pattern.length() ? pattern.charAt(i) : '\\';
            } else {
                parts[count++] = any.indexOf(c) >= 0 ? ANY : one.indexOf(c) >= 0 ? ONE : c;
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
