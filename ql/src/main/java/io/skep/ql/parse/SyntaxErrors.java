package io.skep.ql.parse;

import io.skep.common.error.DidYouMean;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Converts the parser's errors: the first of them, its position, and a suggested keyword. */
final class SyntaxErrors {
    private static final Pattern POSITION = Pattern.compile("line (\\d+):(-?\\d+) (.*)", Pattern.DOTALL);
    private static final Pattern WORD = Pattern.compile("[A-Za-z]{1,20}+(?![A-Za-z])");
    private static final List<String> KEYWORDS = List.of(
            "select",
            "from",
            "where",
            "group",
            "order",
            "having",
            "limit",
            "insert",
            "into",
            "overwrite",
            "values",
            "create",
            "table",
            "database",
            "view",
            "drop",
            "alter",
            "describe",
            "show",
            "explain",
            "with",
            "union",
            "join",
            "left",
            "right",
            "full",
            "inner",
            "outer",
            "between",
            "partition",
            "partitioned",
            "stored",
            "location",
            "analyze",
            "truncate",
            "delete",
            "update",
            "merge",
            "load",
            "use",
            "distribute",
            "cluster",
            "sort",
            "lateral");

    private SyntaxErrors() {}

    /**
     * @param message the parser's message: the position, then the error at it
     * @param prefix the number of columns before the user's text on the first line
     */
    static SkepException of(String message, Exception failure, String text, int prefix) {
        Matcher matcher = POSITION.matcher(message);
        if (!matcher.find()) {
            return new SkepException(StandardErrorCode.SYNTAX_ERROR, message, failure);
        }
        int line = Math.max(1, Integer.parseInt(matcher.group(1)));
        int column = Math.max(0, Integer.parseInt(matcher.group(2)));
        TextPosition at = new TextPosition(line, Math.max(0, column - (line == 1 ? prefix : 0)));
        String what = matcher.group(3).lines().findFirst().orElse(message);
        SkepException error = new SkepException(StandardErrorCode.SYNTAX_ERROR, what, failure).at(at);
        return keyword(text, at)
                .map(keyword -> error.withHint("did you mean '" + keyword + "'?"))
                .orElse(error);
    }

    private static Optional<String> keyword(String text, TextPosition at) {
        Optional<String> line = text.lines().skip(at.line() - 1).findFirst();
        if (line.isEmpty() || at.column() >= line.get().length()) {
            return Optional.empty();
        }
        Matcher word = WORD.matcher(line.get()).region(at.column(), line.get().length());
        if (!word.lookingAt()) {
            return Optional.empty();
        }
        String found = word.group().toLowerCase(Locale.ROOT);
        return KEYWORDS.contains(found)
                ? Optional.empty()
                : DidYouMean.of(found, KEYWORDS).stream().findFirst();
    }
}
