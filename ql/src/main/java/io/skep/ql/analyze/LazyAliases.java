package io.skep.ql.analyze;

import io.skep.ql.parse.SyntaxNode;
import java.util.Optional;
import org.apache.calcite.rex.RexNode;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Resolves names in HAVING: names of the grouping, and the SELECT list's aliases for names that are not columns. */
record LazyAliases(Environment environment, Resolver around, SyntaxNode select) implements ForwardingResolver {
    @Override
    public Optional<RexNode> alias(String name) {
        return select.all(HiveParser.TOK_SELEXPR).stream()
                .filter(item ->
                        item.childCount() == 2 && Names.of(item.child(1)).equals(name))
                .findFirst()
                .map(item -> new ExpressionAnalyzer(environment, around, Optional.empty()).analyze(item.child(0)));
    }
}
