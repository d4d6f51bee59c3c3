package io.skep.ql.compiler;

import io.skep.ql.parse.SyntaxNode;
import java.util.Set;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * The statements whose handlers check what they need themselves, when the names in their queries are resolved, so that
 * one error has all that is missing. All others are checked before their handlers run.
 */
final class AnalyzedStatements {
    private static final Set<Integer> ROOTS = Set.of(
            HiveParser.TOK_QUERY,
            HiveParser.TOK_EXECUTE,
            HiveParser.TOK_CREATEVIEW,
            HiveParser.TOK_ALTER_MATERIALIZED_VIEW_REBUILD);

    private AnalyzedStatements() {}

    static boolean includes(SyntaxNode root) {
        return root.is(HiveParser.TOK_EXPLAIN)
                ? includes(root.child(0))
                : ROOTS.contains(root.type())
                        || root.has(HiveParser.TOK_QUERY)
                        || root.has(HiveParser.TOK_ALTERVIEW_AS);
    }
}
