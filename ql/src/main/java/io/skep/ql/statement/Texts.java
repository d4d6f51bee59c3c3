package io.skep.ql.statement;

import io.skep.ql.NamePattern;
import io.skep.ql.parse.SyntaxNode;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hive.ql.parse.BaseSemanticAnalyzer;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Reads names, strings and properties out of syntax trees. */
final class Texts {
    private Texts() {}

    /** A name without its back-ticks, in lower case. */
    static String identifier(SyntaxNode node) {
        return BaseSemanticAnalyzer.unescapeIdentifier(node.text()).toLowerCase(Locale.ROOT);
    }

    /** A string literal's value. */
    static String string(SyntaxNode node) {
        return BaseSemanticAnalyzer.unescapeSQLString(node.text());
    }

    /** @param node TOK_TABLEPROPERTIES, TOK_DATABASEPROPERTIES, or the list within */
    static Map<String, String> properties(SyntaxNode node) {
        Map<String, String> properties = new TreeMap<>();
        for (SyntaxNode child : node.children()) {
            if (child.is(HiveParser.TOK_TABLEPROPERTY)) {
                properties.put(string(child.child(0)), child.childCount() > 1 ? string(child.child(1)) : "");
            } else {
                properties.putAll(properties(child));
            }
        }
        return properties;
    }

    /** A pattern of SHOW, as text or as a plain name. */
    static String pattern(SyntaxNode node) {
        return node.is(HiveParser.StringLiteral) ? string(node) : identifier(node);
    }

    /**
     * Patterns of SHOW: {@code %} and, as before Hive 4, {@code *} for anything, {@code _} for one character, {@code |} for
     * alternatives; letter case does not count.
     */
    static boolean like(String name, String pattern) {
        for (String alternative : pattern.split("\\|", -1)) {
            if (NamePattern.of(alternative.strip().toLowerCase(Locale.ROOT)).matches(name.toLowerCase(Locale.ROOT))) {
                return true;
            }
        }
        return false;
    }
}
