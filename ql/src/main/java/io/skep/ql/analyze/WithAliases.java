package io.skep.ql.analyze;

import io.skep.common.error.SkepException;
import io.skep.ql.parse.SyntaxNode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.calcite.rex.RexNode;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * Resolves names after a SELECT list. ORDER BY and QUALIFY see the list's columns first. HAVING sees them only if no
 * input column has that name.
 *
 * @param items the list's columns, over the same relation as {@code around}
 */
record WithAliases(Resolver around, List<SelectItem> items, boolean aliasesFirst) implements ForwardingResolver {
    @Override
    public Optional<RexNode> replacement(SyntaxNode node, ExpressionAnalyzer analyzer) {
        Optional<SelectItem> item = aliasesFirst ? item(node) : Optional.empty();
        if (item.isEmpty()) {
            return around.replacement(node, analyzer);
        }
        if (isColumn(item.get(), node)) {
            analyzer.environment().resolved(node, item.get().table(), item.get().name(), around);
        }
        return item.map(SelectItem::value);
    }

    /** Whether an item is the column that its name would refer to without the list. */
    private boolean isColumn(SelectItem item, SyntaxNode node) {
        try {
            OptionalInt column = around.column(node, item.table(), item.name());
            return column.isPresent()
                    && around.scope().reference(column.getAsInt()).equals(item.value());
        } catch (SkepException e) {
            return false;
        }
    }

    /** Finds the column of the list that a plain name, or a name with its table, refers to. */
    private Optional<SelectItem> item(SyntaxNode node) {
        if (node.is(HiveParser.TOK_TABLE_OR_COL)) {
            return named(node, Names.of(node.child(0)));
        }
        if (node.is(HiveParser.DOT) && node.child(0).is(HiveParser.TOK_TABLE_OR_COL)) {
            String table = Names.of(node.child(0).child(0));
            String name = Names.of(node.child(1));
            return items.stream()
                    .filter(item -> item.table().equals(table) && item.name().equals(name))
                    .findFirst();
        }
        return Optional.empty();
    }

    /** Finds the column that a plain name refers to. Columns of two tables are ambiguous, names given by AS are not. */
    private Optional<SelectItem> named(SyntaxNode node, String name) {
        List<SelectItem> found =
                items.stream().filter(item -> item.name().equals(name)).toList();
        boolean ofTables = found.stream().noneMatch(item -> item.table().isEmpty());
        if (ofTables && found.stream().map(SelectItem::table).distinct().count() > 1) {
            throw SemanticErrors.ambiguous(
                    node,
                    name,
                    found.stream()
                            .map(item -> ScopeColumn.of(item.table(), name))
                            .toList());
        }
        return found.stream().findFirst();
    }

    @Override
    public Optional<RexNode> alias(String name) {
        return items.stream()
                .filter(item -> item.name().equals(name))
                .map(SelectItem::value)
                .findFirst();
    }
}
