package io.skep.ql.parse;

import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hive.ql.parse.BaseSemanticAnalyzer;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** The values of string literals in syntax trees. */
public final class StringLiterals {
    private StringLiterals() {}

    /** Returns the value of a string literal. */
    public static String value(SyntaxNode literal) {
        return BaseSemanticAnalyzer.unescapeSQLString(literal.text());
    }

    /** @param node TOK_TABLEPROPERTIES, TOK_DATABASEPROPERTIES, or the list inside one */
    public static Map<String, String> properties(SyntaxNode node) {
        Map<String, String> properties = new TreeMap<>();
        for (SyntaxNode child : node.children()) {
            if (child.is(HiveParser.TOK_TABLEPROPERTY)) {
                properties.put(value(child.child(0)), child.childCount() > 1 ? value(child.child(1)) : "");
            } else {
                properties.putAll(properties(child));
            }
        }
        return properties;
    }
}
