package io.skep.ql.analyze;

import io.skep.ql.parse.SyntaxNode;
import java.util.Locale;

/** Reads identifiers of the syntax tree: removes quotes and ignores letter case. */
public final class Names {
    private Names() {}

    public static String of(SyntaxNode identifier) {
        return plain(identifier.text()).toLowerCase(Locale.ROOT);
    }

    /** Returns the identifier without quotes, in its original letter case. */
    public static String plain(String text) {
        if (text.length() > 1 && text.startsWith("`") && text.endsWith("`")) {
            return text.substring(1, text.length() - 1).replace("``", "`");
        }
        return text;
    }
}
