package io.skep.ql.analyze;

import io.skep.ql.parse.SyntaxNode;
import java.util.Locale;

/** Identifiers as the syntax tree has them: quotes are gone, letter case does not count. */
public final class Names {
    private Names() {}

    public static String of(SyntaxNode identifier) {
        return plain(identifier.text()).toLowerCase(Locale.ROOT);
    }

    /** The identifier as it was written, without quotes. */
    public static String plain(String text) {
        if (text.length() > 1 && text.startsWith("`") && text.endsWith("`")) {
            return text.substring(1, text.length() - 1).replace("``", "`");
        }
        return text;
    }
}
