package io.skep.ql.analyze;

import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Datum;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.Redistribute;
import io.skep.ql.rel.RelFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalSort;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;
import org.jspecify.annotations.Nullable;

/**
 * Analyzes ORDER BY, SORT BY, DISTRIBUTE BY, CLUSTER BY and LIMIT of a query block. Keys that are not selected become
 * hidden columns after the selected ones.
 */
final class Ordering {
    private final Environment environment;
    private final SyntaxNode block;
    private final List<SelectItem> items;
    private final ExpressionAnalyzer expressions;
    private final boolean distinct;
    private final List<RexNode> fields = new ArrayList<>();
    private final List<RexNode> distinctKeys = new ArrayList<>();

    /** @param resolver resolves names at the place of the SELECT list */
    Ordering(
            Environment environment,
            SyntaxNode block,
            List<SelectItem> items,
            Resolver resolver,
            Windows windows,
            boolean distinct) {
        this.environment = environment;
        this.block = block;
        this.items = items;
        this.distinct = distinct;
        Resolver names = new WithAliases(resolver, items, true);
        this.expressions = new ExpressionAnalyzer(environment, names, Optional.of(windows));
        items.forEach(item -> fields.add(item.value()));
    }

    /** Returns the order of the rows. Adds hidden fields for its keys where needed. */
    RelCollation orderBy() {
        return collation(block.first(HiveParser.TOK_ORDERBY));
    }

    private RelCollation collation(Optional<SyntaxNode> clause) {
        List<RelFieldCollation> keys = new ArrayList<>();
        clause.ifPresent(order -> {
            for (OrderKey key : OrderKey.of(order)) {
                int field = field(key.expression());
                if (keys.stream().noneMatch(known -> known.getFieldIndex() == field)) {
                    keys.add(key.collation(field));
                }
            }
        });
        return RelCollations.of(keys);
    }

    private int field(SyntaxNode expression) {
        if (expression.is(HiveParser.Number) && environment.context().flag("hive.orderby.position.alias", true)) {
            return position(expression, items.size(), ErrorMsg.INVALID_POSITION_ALIAS_IN_ORDERBY);
        }
        RexNode value = expressions.analyze(expression);
        int known = fields.indexOf(value);
        if (known >= 0) {
            return known;
        }
        return distinct ? keyOfDistinct(expression, value) : addField(value);
    }

    /** Adds a key that is computed from the distinct rows. */
    private int keyOfDistinct(SyntaxNode expression, RexNode value) {
        DistinctKeys keys = new DistinctKeys(
                environment.factory().rex(),
                items.stream().map(SelectItem::value).toList());
        RexNode key = keys.overSelected(value)
                .orElseThrow(() -> SemanticErrors.columnNotFound(
                                expression,
                                expression.source(),
                                items.stream().map(SelectItem::name).toList())
                        .withHint("with SELECT DISTINCT, rows are ordered by expressions of the SELECT list"));
        int known = distinctKeys.indexOf(key);
        if (known >= 0) {
            return items.size() + known;
        }
        distinctKeys.add(key);
        return items.size() + distinctKeys.size() - 1;
    }

    /** Whether rows are ordered or distributed by what is not selected. */
    boolean hasHiddenKeys() {
        return fields.size() > items.size() || !distinctKeys.isEmpty();
    }

    /** Returns the distinct rows with the keys that are computed from them behind the selected columns. */
    RelNode withKeysOfDistinct(RelNode rows) {
        if (distinctKeys.isEmpty()) {
            return rows;
        }
        List<RexNode> columns = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            columns.add(environment.factory().column(rows, i));
        }
        columns.addAll(distinctKeys);
        return Projections.project(rows, columns);
    }

    /** Returns the column at a position in the SELECT list, from 0. */
    static int position(SyntaxNode number, int columns, ErrorMsg error) {
        try {
            int position = Integer.parseInt(number.text());
            if (position >= 1 && position <= columns) {
                return position - 1;
            }
        } catch (NumberFormatException e) {
            throw SemanticErrors.semantic(number, "'" + number.text() + "' is not a position in the SELECT list");
        }
        throw SemanticErrors.plain(
                number,
                error,
                error.getMsg() + " Position alias: " + number.text()
                        + " does not exist\nThe Select List is indexed from 1 to " + columns);
    }

    /** Returns the effect of DISTRIBUTE BY, SORT BY and CLUSTER BY, if the block has any of them. */
    Optional<Distribution> distribution() {
        Optional<SyntaxNode> cluster = block.first(HiveParser.TOK_CLUSTERBY);
        Optional<SyntaxNode> distribute = block.first(HiveParser.TOK_DISTRIBUTEBY);
        Optional<SyntaxNode> sort = block.first(HiveParser.TOK_SORTBY);
        if (cluster.isEmpty() && distribute.isEmpty() && sort.isEmpty()) {
            return Optional.empty();
        }
        Optional<SyntaxNode> order = block.first(HiveParser.TOK_ORDERBY);
        refuse(cluster, sort, ErrorMsg.CLUSTERBY_SORTBY_CONFLICT);
        refuse(order, sort, ErrorMsg.ORDERBY_SORTBY_CONFLICT);
        refuse(order, distribute, ErrorMsg.ORDERBY_DISTRIBUTEBY_CONFLICT);
        List<Integer> hash = new ArrayList<>();
        cluster.or(() -> distribute).ifPresent(clause -> clause.children().forEach(key -> hash.add(field(key))));
        if (cluster.isPresent()) {
            // In Hive NULL comes first here, unlike in ORDER BY and SORT BY.
            List<RelFieldCollation> keys = hash.stream()
                    .map(field -> new OrderKey(cluster.get(), true, true).collation(field))
                    .toList();
            return Optional.of(new Distribution(hash, RelCollations.of(keys)));
        }
        return Optional.of(new Distribution(hash, collation(sort)));
    }

    private static void refuse(Optional<SyntaxNode> clause, Optional<SyntaxNode> other, ErrorMsg error) {
        if (clause.isPresent() && other.isPresent()) {
            throw SemanticErrors.near(other.get().lastLeaf(), error);
        }
    }

    record Distribution(List<Integer> hash, RelCollation sort) {
        RelNode apply(RelNode input) {
            return new Redistribute(
                    input.getCluster(), input.getCluster().traitSetOf(Convention.NONE), input, hash, sort);
        }
    }

    /** Adds a hidden field. */
    int addField(RexNode value) {
        fields.add(value);
        return fields.size() - 1;
    }

    ExpressionAnalyzer expressions() {
        return expressions;
    }

    /** Returns the selected fields and the hidden ones. */
    List<RexNode> fields() {
        return fields;
    }

    /** Applies ORDER BY and LIMIT. Without LIMIT, the order of an inner query has no effect and is dropped. */
    RelNode sort(RelNode input, RelCollation order, boolean nested) {
        Optional<SyntaxNode> limit = block.first(HiveParser.TOK_LIMIT);
        boolean unordered = order.getFieldCollations().isEmpty();
        if (limit.isEmpty() && (unordered || nested)) {
            return input;
        }
        StrictChecks checks = StrictChecks.of(environment.context().settings());
        if (limit.isEmpty()) {
            refuse(block.first(HiveParser.TOK_ORDERBY).orElse(block).lastLeaf(), checks.orderByWithoutLimit());
            return LogicalSort.create(input, order, null, null);
        }
        List<SyntaxNode> numbers = limit.get().children();
        if (unordered && numbers.size() > 1) {
            refuseOffset(numbers.getFirst(), checks);
        }
        RexNode offset = numbers.size() > 1 ? count(numbers.getFirst()) : null;
        return LogicalSort.create(input, order, offset, count(numbers.getLast()));
    }

    private void refuseOffset(SyntaxNode number, StrictChecks checks) {
        Optional<String> reason = checks.offsetWithoutOrderBy();
        if (reason.isEmpty()) {
            return;
        }
        SyntaxNode value = number;
        if (number.is(SyntaxNode.PARAMETER)) {
            environment.context().recordValueUse(Integer.parseInt(number.text()));
            value = number.child(0);
        }
        if (!value.text().equals("0")) {
            throw SemanticErrors.plain(value, reason.get());
        }
    }

    private static void refuse(SyntaxNode where, Optional<String> reason) {
        if (reason.isPresent()) {
            throw CompileErrors.near(where, StandardErrorCode.SEMANTIC_ERROR, reason.get());
        }
    }

    private @Nullable RexNode count(SyntaxNode number) {
        RelFactory factory = environment.factory();
        if (number.is(SyntaxNode.PARAMETER)) {
            RexLiteral rows = (RexLiteral) Objects.requireNonNull(count(number.child(0)));
            return factory.rex().parameter(Integer.parseInt(number.text()), List.of(rows), true);
        }
        try {
            long count = Long.parseLong(number.text());
            return factory.rex().constant(new Datum.OfLong(count), PrimitiveType.BIGINT);
        } catch (NumberFormatException e) {
            throw SemanticErrors.semantic(number, "'" + number.text() + "' is not a number of rows");
        }
    }
}
