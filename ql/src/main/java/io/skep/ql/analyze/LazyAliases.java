package io.skep.ql.analyze;

import io.skep.ql.parse.SyntaxNode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.calcite.rex.RexNode;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Resolves names in HAVING: names of the grouping, and the SELECT list's aliases for names that are not columns. */
record LazyAliases(Environment environment, Resolver around, SyntaxNode select) implements Resolver {
    @Override
    public Scope scope() {
        return around.scope();
    }

    @Override
    public OptionalInt column(SyntaxNode where, String table, String name) {
        return around.column(where, table, name);
    }

    @Override
    public OptionalInt aggregate(SyntaxNode call) {
        return around.aggregate(call);
    }

    @Override
    public boolean hasTable(String alias) {
        return around.hasTable(alias);
    }

    @Override
    public Optional<RexNode> replacement(SyntaxNode node, ExpressionAnalyzer analyzer) {
        return around.replacement(node, analyzer);
    }

    @Override
    public Optional<RexNode> alias(String name) {
        return select.all(HiveParser.TOK_SELEXPR).stream()
                .filter(item ->
                        item.childCount() == 2 && Names.of(item.child(1)).equals(name))
                .findFirst()
                .map(item -> new ExpressionAnalyzer(environment, around, Optional.empty()).analyze(item.child(0)));
    }

    @Override
    public Optional<Resolver> outer() {
        return around.outer();
    }

    @Override
    public List<ScopeColumn> namedColumns() {
        return around.namedColumns();
    }

    @Override
    public List<String> names() {
        return around.names();
    }
}
