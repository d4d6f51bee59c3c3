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
        if (table.isEmpty() && isDistinct() && item(name).isPresent() && !isSelected(name)) {
            return OptionalInt.empty();
        }
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

    /** Whether the columns of SELECT DISTINCT are the keys. */
    private boolean isDistinct() {
        return select.is(HiveParser.TOK_SELECTDI) && around instanceof Scope;
    }

    private boolean isSelected(String column) {
        return select.all(HiveParser.TOK_SELEXPR).stream()
                .map(item -> item.child(0))
                .anyMatch(value -> value.is(HiveParser.TOK_ALLCOLREF)
                        || value.is(HiveParser.TOK_TABLE_OR_COL)
                                && Names.of(value.child(0)).equals(column)
                        || value.is(HiveParser.DOT) && Names.of(value.child(1)).equals(column));
    }

    private Optional<SyntaxNode> item(String name) {
        return select.all(HiveParser.TOK_SELEXPR).stream()
                .filter(item ->
                        item.childCount() == 2 && Names.of(item.child(1)).equals(name))
                .findFirst();
    }
}
