package io.skep.ql.analyze;

import io.skep.ql.parse.SyntaxNode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.calcite.rex.RexNode;

/** Resolves as another resolver does, except for what an implementation overrides. */
interface ForwardingResolver extends Resolver {
    /** Returns the other resolver. */
    Resolver around();

    @Override
    default Scope scope() {
        return around().scope();
    }

    @Override
    default OptionalInt column(SyntaxNode where, String table, String name) {
        return around().column(where, table, name);
    }

    @Override
    default boolean hasTable(String alias) {
        return around().hasTable(alias);
    }

    @Override
    default Optional<RexNode> replacement(SyntaxNode node, ExpressionAnalyzer analyzer) {
        return around().replacement(node, analyzer);
    }

    @Override
    default OptionalInt aggregate(SyntaxNode call) {
        return around().aggregate(call);
    }

    @Override
    default Optional<RexNode> alias(String name) {
        return around().alias(name);
    }

    @Override
    default Optional<Resolver> outer() {
        return around().outer();
    }

    @Override
    default List<Integer> star() {
        return around().star();
    }

    @Override
    default List<ScopeColumn> namedColumns() {
        return around().namedColumns();
    }

    @Override
    default List<String> names() {
        return around().names();
    }
}
