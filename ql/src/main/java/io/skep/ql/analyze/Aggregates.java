package io.skep.ql.analyze;

import io.skep.engine.function.FunctionCatalog;
import io.skep.ql.parse.SyntaxNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Finds the aggregate calls in a query block's own expressions. */
final class Aggregates {
    private final FunctionCatalog catalog;

    Aggregates(FunctionCatalog catalog) {
        this.catalog = catalog;
    }

    /**
     * Returns the outermost aggregate calls in the expressions. Calls in subqueries and calls that are window functions
     * do not count.
     */
    List<SyntaxNode> find(List<SyntaxNode> expressions) {
        List<SyntaxNode> found = new ArrayList<>();
        expressions.forEach(expression -> collect(expression, found));
        return found;
    }

    private void collect(SyntaxNode node, List<SyntaxNode> found) {
        if (node.is(HiveParser.TOK_SUBQUERY_EXPR)) {
            if (node.childCount() > 2) {
                collect(node.child(2), found);
            }
            return;
        }
        if (isAggregate(node)) {
            found.add(node);
            return;
        }
        node.children().forEach(child -> collect(child, found));
    }

    boolean isAggregate(SyntaxNode node) {
        return isCall(node)
                && FunctionCalls.windowOf(node).isEmpty()
                && TypeSyntax.find(node.child(0)).isEmpty()
                && (node.has(HiveParser.TOK_WITHIN_GROUP)
                        || kind(node).equals(Optional.of(FunctionCatalog.Kind.AGGREGATE)));
    }

    boolean isTableFunction(SyntaxNode node) {
        return (node.is(HiveParser.TOK_FUNCTION) || node.is(HiveParser.TOK_FUNCTIONSTAR))
                && TypeSyntax.find(node.child(0)).isEmpty()
                && kind(node).equals(Optional.of(FunctionCatalog.Kind.TABLE));
    }

    private Optional<FunctionCatalog.Kind> kind(SyntaxNode node) {
        return catalog.kind(FunctionCalls.name(node));
    }

    static boolean isCall(SyntaxNode node) {
        return node.is(HiveParser.TOK_FUNCTION)
                || node.is(HiveParser.TOK_FUNCTIONDI)
                || node.is(HiveParser.TOK_FUNCTIONSTAR);
    }
}
