package io.skep.ql.analyze;

import io.skep.ql.parse.SyntaxNode;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** Parses string constants: quotes, escapes, character sets. */
public final class StringLiterals {
    private StringLiterals() {}

    /**
     * Returns the value of a quoted text: {@code 'it\'s'}, {@code "a\tb"}. Adjacent texts form a single one:
     * {@code 'a''b'} is {@code ab}.
     */
    public static String unquote(String quoted) {
        int end = quoted.length() - 1;
        StringBuilder value = new StringBuilder(quoted.length());
        char quote = quoted.charAt(0);
        int i = 1;
        while (i < end) {
            char c = quoted.charAt(i);
            if (c == quote) {
                quote = quoted.charAt(i + 1);
                i += 2;
            } else if (c == '\\' && i + 1 < end) {
                i = escape(quoted, i + 1, end, value);
            } else {
                value.append(c);
                i++;
            }
        }
        return value.toString();
    }

    /** Reads an escape sequence after its backslash. Returns the index after it. */
    private static int escape(String text, int at, int end, StringBuilder value) {
        char c = text.charAt(at);
        if (c == 'u' && digits(text, at + 1, end, 4, 16)) {
            value.append((char) Integer.parseInt(text, at + 1, at + 5, 16));
            return at + 5;
        }
        if (c >= '0' && c <= '1' && digits(text, at, end, 3, 8)) {
            value.append((char) Integer.parseInt(text, at, at + 3, 8));
            return at + 3;
        }
        switch (c) {
            case '0' -> value.append('\0');
            case 'b' -> value.append('\b');
            case 'n' -> value.append('\n');
            case 'r' -> value.append('\r');
            case 't' -> value.append('\t');
            case 'Z' -> value.append('\u001A');
            case '%', '_' -> value.append('\\').append(c);
            default -> value.append(c);
        }
        return at + 1;
    }

    private static boolean digits(String text, int from, int end, int count, int radix) {
        if (from + count > end) {
            return false;
        }
        for (int i = from; i < from + count; i++) {
            if (Character.digit(text.charAt(i), radix) < 0) {
                return false;
            }
        }
        return true;
    }

    /** Parses {@code 'a' 'b'}, which means {@code 'ab'}. */
    static String sequence(SyntaxNode node) {
        StringBuilder value = new StringBuilder();
        node.children().forEach(part -> value.append(unquote(part.text())));
        return value.toString();
    }

    /** Parses {@code _UTF-8'text'} or {@code _UTF-8 0x4142}. */
    static String charset(SyntaxNode node) {
        String name = node.child(0).text().substring(1);
        String literal = node.child(1).text();
        Charset charset = charset(node, name);
        if (literal.startsWith("'") || literal.startsWith("\"")) {
            String inner = literal.substring(1, literal.length() - 1);
            return new String(inner.getBytes(StandardCharsets.UTF_8), charset);
        }
        byte[] bytes = new byte[(literal.length() - 2) / 2];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Integer.parseInt(literal, 2 + 2 * i, 4 + 2 * i, 16);
        }
        return new String(bytes, charset);
    }

    private static Charset charset(SyntaxNode node, String name) {
        try {
            return Charset.forName(name);
        } catch (IllegalArgumentException e) {
            throw SemanticErrors.semantic(node, "no character set '" + name + "'");
        }
    }
}
