package io.skep.spark;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Names and literals as HiveQL has them. Whatever a name or a value contains, it stays one name or one literal, also
 * after the server has replaced variables in the statement.
 */
final class SqlText {
    private SqlText() {}

    /**
     * Returns a quoted identifier.
     *
     * @throws IllegalArgumentException when HiveQL cannot name it
     */
    static String name(String name) {
        if (name.isEmpty() || name.contains("${") || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("Skep: HiveQL has no form of the name '" + printable(name)
                    + "': it is empty, or it has control characters or the sign of a variable");
        }
        return "`" + name.replace("`", "``") + "`";
    }

    /** Returns quoted identifiers with dots between them. */
    static String path(List<String> names) {
        return names.stream().map(SqlText::name).collect(Collectors.joining("."));
    }

    /** Returns the literal of a text. */
    static String literal(String text) {
        StringBuilder literal = new StringBuilder("'");
        for (int i = 0; i < text.length(); i++) {
            char sign = text.charAt(i);
            if (sign == '\\' || sign == '\'') {
                literal.append('\\').append(sign);
            } else if (Character.isISOControl(sign) || sign == '{' && i > 0 && text.charAt(i - 1) == '$') {
                literal.append(String.format("\\u%04x", (int) sign));
            } else {
                literal.append(sign);
            }
        }
        return literal.append('\'').toString();
    }

    private static String printable(String text) {
        return text.codePoints()
                .map(sign -> Character.isISOControl(sign) ? '?' : sign)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
