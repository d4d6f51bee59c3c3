package io.skep.ql.compiler;

import io.skep.ql.insert.QueryHandler;
import io.skep.ql.parse.SyntaxNode;
import java.util.Optional;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** {@code SELECT f(...)} and nothing else: the form of statements that look like functions. */
final class SelectedFunction {
    private SelectedFunction() {}

    /** Returns the node of the function. */
    static Optional<SyntaxNode> of(SyntaxNode root) {
        return Optional.of(root)
                .filter(query -> query.is(HiveParser.TOK_QUERY))
                .flatMap(query -> only(query, HiveParser.TOK_INSERT))
                .filter(SelectedFunction::isForClient)
                .filter(insert -> insert.childCount() == 2)
                .flatMap(insert -> insert.first(HiveParser.TOK_SELECT))
                .flatMap(select -> only(select, HiveParser.TOK_SELEXPR))
                .flatMap(item -> only(item, HiveParser.TOK_FUNCTION));
    }

    private static Optional<SyntaxNode> only(SyntaxNode node, int type) {
        return node.childCount() == 1 ? node.first(type) : Optional.empty();
    }

    /** Whether an INSERT is that of a query whose rows its client gets. */
    static boolean isForClient(SyntaxNode insert) {
        return insert.first(HiveParser.TOK_DESTINATION)
                .filter(QueryHandler::isClient)
                .isPresent();
    }
}
