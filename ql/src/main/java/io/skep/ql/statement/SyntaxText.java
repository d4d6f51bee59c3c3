package io.skep.ql.statement;

import io.skep.common.concurrent.Interruption;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.privilege.Principal;
import io.skep.ql.NamePattern;
import io.skep.ql.parse.StringLiterals;
import io.skep.ql.parse.SyntaxNode;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.hadoop.hive.ql.parse.BaseSemanticAnalyzer;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Reads names, strings and properties out of syntax trees. */
public final class SyntaxText {
    private static final int LONGEST_PATTERN = 1 << 20;

    private SyntaxText() {}

    /** Returns a name without its back-ticks, in lower case. */
    public static String identifier(SyntaxNode node) {
        return BaseSemanticAnalyzer.unescapeIdentifier(node.text()).toLowerCase(Locale.ROOT);
    }

    /**
     * Returns a user or role. Letter case counts for users.
     *
     * @param node TOK_USER, TOK_ROLE or TOK_GROUP
     * @throws SkepException INVALID_GRANT for a group, which nothing can be granted to, as in Hive
     */
    public static Principal principal(SyntaxNode node) {
        String name = principalName(node);
        return switch (node.type()) {
            case HiveParser.TOK_USER -> Principal.user(name);
            case HiveParser.TOK_ROLE -> Principal.role(name);
            default ->
                throw new SkepException(
                                StandardErrorCode.INVALID_GRANT,
                                "Invalid principal type in principal Principal [name=" + name + ", type=GROUP]")
                        .at(node.position());
        };
    }

    /** @param node TOK_USER, TOK_ROLE or TOK_GROUP */
    public static String principalName(SyntaxNode node) {
        return BaseSemanticAnalyzer.unescapeIdentifier(node.child(0).text());
    }

    /** Returns the value of a string literal. */
    public static String string(SyntaxNode node) {
        return StringLiterals.value(node);
    }

    /** @param node TOK_TABLEPROPERTIES, TOK_DATABASEPROPERTIES, or the list inside one */
    public static Map<String, String> properties(SyntaxNode node) {
        return StringLiterals.properties(node);
    }

    /** Returns a function's name. Names of functions may be literals, and may include their database. */
    public static String functionName(SyntaxNode node) {
        String text = node.text().startsWith("'") || node.text().startsWith("\"") ? string(node) : node.text();
        return text.replace("`", "").toLowerCase(Locale.ROOT);
    }

    /** Returns a pattern of SHOW, given as a string or as a plain name. */
    public static String pattern(SyntaxNode node) {
        return node.is(HiveParser.StringLiteral) ? string(node) : identifier(node);
    }

    /**
     * Returns the predicate of a pattern of SHOW TABLES and its like, which is one of LIKE. Letter case does not count.
     *
     * @return a predicate that checks for interrupts at each name, and matches all names when there is no pattern
     * @throws SkepException INVALID_ARGUMENT when the pattern has more than 1,048,576 characters
     */
    public static Predicate<String> like(Optional<String> pattern) {
        return pattern.map(SyntaxText::checked)
                .map(text -> matching(List.of(text), NamePattern::like))
                .orElse(name -> true);
    }

    /** As above, of SHOW FUNCTIONS: {@code |} sets alternatives apart. */
    public static Predicate<String> likeAny(Optional<String> pattern) {
        return pattern.map(SyntaxText::checked)
                .map(text -> matching(alternatives(text), NamePattern::like))
                .orElse(name -> true);
    }

    /** As above, of SHOW COLUMNS: {@code *} stands for any characters, {@code |} sets alternatives apart. */
    public static Predicate<String> starred(Optional<String> pattern) {
        return pattern.map(SyntaxText::checked)
                .map(text -> matching(alternatives(text), NamePattern::withStars))
                .orElse(name -> true);
    }

    private static List<String> alternatives(String pattern) {
        return Arrays.asList(pattern.strip().split("\\|", -1));
    }

    private static String checked(String pattern) {
        if (pattern.length() > LONGEST_PATTERN) {
            throw new SkepException(
                            StandardErrorCode.INVALID_ARGUMENT,
                            "a pattern of names has " + pattern.length() + " characters, more than " + LONGEST_PATTERN)
                    .withHint("ask for fewer names at a time");
        }
        return pattern;
    }

    private static Predicate<String> matching(List<String> texts, Function<String, NamePattern> parser) {
        List<NamePattern> patterns = texts.stream()
                .map(text -> parser.apply(text.toLowerCase(Locale.ROOT)))
                .toList();
        return name -> {
            Interruption.check();
            String known = name.toLowerCase(Locale.ROOT);
            return patterns.stream().anyMatch(pattern -> pattern.matches(known));
        };
    }
}
