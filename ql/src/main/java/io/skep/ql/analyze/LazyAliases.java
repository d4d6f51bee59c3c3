package io.skep.ql.analyze;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.parse.SyntaxNode;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.calcite.rex.RexNode;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * Resolves names in HAVING: keys of the grouping, then the SELECT list's aliases. An alias hides a column of its name
 * that is no key.
 */
record LazyAliases(Environment environment, Resolver around, SyntaxNode select) implements ForwardingResolver {
    @Override
    public OptionalInt column(SyntaxNode where, String table, String name) {
        try {
            return around.column(where, table, name);
        } catch (SkepException e) {
            if (e.code() == StandardErrorCode.NOT_IN_GROUP_BY
                    && table.isEmpty()
                    && item(name).isPresent()) {
                return OptionalInt.empty();
            }
            throw e;
        }
    }

    @Override
    public Optional<RexNode> alias(String name) {
        return item(name)
                .map(item -> new ExpressionAnalyzer(environment, around, Optional.empty()).analyze(item.child(0)));
    }

    private Optional<SyntaxNode> item(String name) {
        return select.all(HiveParser.TOK_SELEXPR).stream()
                .filter(item ->
                        item.childCount() == 2 && Names.of(item.child(1)).equals(name))
                .findFirst();
    }
}
