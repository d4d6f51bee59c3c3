package io.skep.ql.analyze;

import com.google.common.collect.ImmutableList;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.RelFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.ImmutableBitSet;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Analyzes one block of a query (TOK_INSERT in the syntax tree): SELECT to LIMIT, over the rows of its FROM clause. */
final class SelectBlock {
    private final Environment environment;
    private final RelFactory factory;
    private final SyntaxNode block;
    private final SyntaxNode select;
    private final boolean nested;

    /** @param nested whether the order of the block's rows has no effect */
    SelectBlock(Environment environment, SyntaxNode block, boolean nested) {
        this.environment = environment;
        this.factory = environment.factory();
        this.block = block;
        this.select = block.first(HiveParser.TOK_SELECT)
                .or(() -> block.first(HiveParser.TOK_SELECTDI))
                .orElseThrow(() -> SemanticErrors.notSupported(block, "a query without SELECT"));
        this.nested = nested;
    }

    Relation analyze(Scope source) {
        refuseWithoutCost();
        Scope input = where(lateralView(source));
        Windows windows = Windows.of(block.first(HiveParser.KW_WINDOW));
        Optional<SyntaxNode> tableFunction = tableFunction();
        if (tableFunction.isPresent()) {
            refuseGrouping(tableFunction.get());
            return finish(functionScope(tableFunction.get(), input, windows), windows);
        }
        Resolver resolver = having(grouped(input));
        Optional<SyntaxNode> transform = Transforms.of(select);
        if (transform.isPresent()) {
            return finish(transformed(transform.get(), resolver, windows), windows);
        }
        SelectList list = new SelectList(environment, resolver, windows);
        List<SelectItem> items = list.analyze(select);
        return finish(new Selected(resolver, items, list.withoutWindowNames()), windows);
    }

    /** What follows the SELECT list sees the columns that the script prints. */
    private Selected transformed(SyntaxNode transform, Resolver resolver, Windows windows) {
        List<SelectItem> inputs =
                new SelectList(environment, resolver, windows).analyze(Transforms.inputs(transform, select));
        Scope scope = new Transforms(environment).apply(transform, resolver, inputs);
        return new Selected(scope, columns(scope, 0, List.of()));
    }

    private void refuseWithoutCost() {
        if (select.is(HiveParser.TOK_SELECTDI) && block.has(HiveParser.TOK_GROUPBY)) {
            environment.requireCostBasedOptimizer(select, "SELECT DISTINCT with GROUP BY is only supported with CBO");
        }
    }

    private void refuseGrouping(SyntaxNode function) {
        boolean rows = ValuesRows.isValues(function);
        for (SyntaxNode clause : block.children()) {
            switch (clause.type()) {
                case HiveParser.TOK_GROUPBY,
                        HiveParser.TOK_CLUSTERBY,
                        HiveParser.TOK_DISTRIBUTEBY,
                        HiveParser.TOK_SORTBY -> {
                    if (!rows) {
                        ErrorMsg error = refusalWithTableFunction(clause);
                        throw SemanticErrors.plain(clause, error, error.getMsg())
                                .withHint("call it in a LATERAL VIEW");
                    }
                }
                default -> {}
            }
        }
    }

    /**
     * The SELECT list and the resolver for its place.
     *
     * @param plain the same columns, as they are named where others are computed beside them
     */
    private record Selected(Resolver resolver, List<SelectItem> items, List<SelectItem> plain) {
        Selected(Resolver resolver, List<SelectItem> items) {
            this(resolver, items, items);
        }
    }

    private Scope lateralView(Scope source) {
        return block.first(HiveParser.TOK_LATERAL_VIEW)
                .or(() -> block.first(HiveParser.TOK_LATERAL_VIEW_OUTER))
                .map(view -> new LateralViews(environment).apply(view, source))
                .orElse(source);
    }

    private Scope where(Scope source) {
        Scope scope = source.over(source.rel());
        Optional<SyntaxNode> where = block.first(HiveParser.TOK_WHERE);
        if (where.isEmpty()) {
            return scope;
        }
        RexNode condition = new ExpressionAnalyzer(environment, scope, Optional.empty())
                .condition(where.get().child(0));
        return scope.over(Projections.filter(scope, condition));
    }

    private static ErrorMsg refusalWithTableFunction(SyntaxNode clause) {
        return switch (clause.type()) {
            case HiveParser.TOK_GROUPBY -> ErrorMsg.UDTF_NO_GROUP_BY;
            case HiveParser.TOK_CLUSTERBY -> ErrorMsg.UDTF_NO_CLUSTER_BY;
            case HiveParser.TOK_DISTRIBUTEBY -> ErrorMsg.UDTF_NO_DISTRIBUTE_BY;
            default -> ErrorMsg.UDTF_NO_SORT_BY;
        };
    }

    private Optional<SyntaxNode> tableFunction() {
        Aggregates calls = new Aggregates(environment.context().functions());
        List<SyntaxNode> found = select.all(HiveParser.TOK_SELEXPR).stream()
                .map(item -> item.child(0))
                .filter(calls::isTableFunction)
                .toList();
        if (!found.isEmpty() && select.all(HiveParser.TOK_SELEXPR).size() > 1) {
            throw SemanticErrors.near(select.all(HiveParser.TOK_SELEXPR).get(1), ErrorMsg.UDTF_MULTIPLE_EXPR)
                    .withHint("use LATERAL VIEW");
        }
        return found.stream().findFirst();
    }

    private Selected functionScope(SyntaxNode call, Scope input, Windows windows) {
        SyntaxNode item = select.all(HiveParser.TOK_SELEXPR).getFirst();
        List<SyntaxNode> names = item.children().subList(1, item.childCount());
        if (ValuesRows.isValues(call) && input.columns().stream().noneMatch(ScopeColumn::visible)) {
            Relation rows = new ValuesRows(environment).analyze(call);
            Scope scope = new Scope(factory, rows.rel(), rows.as(""), input.outer());
            return new Selected(scope, columns(scope, 0, names));
        }
        Resolver place = having(grouped(input));
        Scope scope = new LateralViews(environment).ofSelect(call, names, place, windows);
        int before = scope.rel().getInput(0).getRowType().getFieldCount();
        return new Selected(scope, columns(scope, before, List.of()));
    }

    private static List<SelectItem> columns(Scope scope, int from, List<SyntaxNode> names) {
        List<SelectItem> items = new ArrayList<>();
        for (int i = from; i < scope.columns().size(); i++) {
            String name = i - from < names.size()
                    ? Names.of(names.get(i - from))
                    : scope.columns().get(i).name();
            items.add(new SelectItem(scope.reference(i), "", name));
        }
        return items;
    }

    /** Builds the aggregate if the block has a GROUP BY or an aggregate call. */
    private Resolver grouped(Scope input) {
        Optional<GroupBy> groupBy = GroupBy.of(block);
        List<SyntaxNode> calls = new Aggregates(environment.context().functions()).find(expressionsBehindGrouping());
        if (groupBy.isEmpty() && calls.isEmpty()) {
            return input;
        }
        GroupBy by = groupBy.orElseGet(this::groupedByDistinct);
        List<SyntaxNode> keys = by.keys().stream().map(this::groupKey).toList();
        return new AggregationBuilder(environment, input).build(by, keys, calls);
    }

    /** SELECT DISTINCT with an aggregate in HAVING groups by the selected expressions. */
    private GroupBy groupedByDistinct() {
        List<SyntaxNode> items = select.all(HiveParser.TOK_SELEXPR);
        boolean aggregates =
                !new Aggregates(environment.context().functions()).find(items).isEmpty();
        return aggregates || !select.is(HiveParser.TOK_SELECTDI)
                ? GroupBy.NONE
                : GroupBy.plain(items.stream().map(item -> item.child(0)).toList());
    }

    private SyntaxNode groupKey(SyntaxNode key) {
        boolean positions = environment.context().flag("hive.groupby.position.alias", false)
                || environment.context().flag("hive.groupby.orderby.position.alias", false);
        if (!positions || !key.is(HiveParser.Number)) {
            return key;
        }
        List<SyntaxNode> items = select.all(HiveParser.TOK_SELEXPR);
        return items.get(Ordering.position(key, items.size(), ErrorMsg.INVALID_POSITION_ALIAS_IN_GROUPBY))
                .child(0);
    }

    private List<SyntaxNode> expressionsBehindGrouping() {
        List<SyntaxNode> expressions = new ArrayList<>(select.all(HiveParser.TOK_SELEXPR));
        for (SyntaxNode clause : block.children()) {
            switch (clause.type()) {
                case HiveParser.TOK_HAVING,
                        HiveParser.TOK_QUALIFY,
                        HiveParser.TOK_ORDERBY,
                        HiveParser.TOK_SORTBY,
                        HiveParser.TOK_DISTRIBUTEBY,
                        HiveParser.TOK_CLUSTERBY,
                        HiveParser.KW_WINDOW -> expressions.add(clause);
                default -> {}
            }
        }
        return expressions;
    }

    private Resolver having(Resolver grouped) {
        Optional<SyntaxNode> having = block.first(HiveParser.TOK_HAVING);
        if (having.isEmpty()) {
            return grouped;
        }
        if (grouped instanceof Scope && !select.is(HiveParser.TOK_SELECTDI)) {
            throw SemanticErrors.plain(having.get(), "HAVING specified without GROUP BY")
                    .withHint("conditions on single rows stand in WHERE");
        }
        SyntaxNode condition = having.get().child(0);
        Resolver names = new LazyAliases(environment, grouped, select);
        RexNode value = new ExpressionAnalyzer(environment, names, Optional.empty()).condition(condition);
        Scope scope = grouped.scope();
        Scope filtered = scope.over(Projections.filter(scope, value));
        return grouped instanceof Aggregation aggregation ? aggregation.over(filtered) : filtered;
    }

    private Relation finish(Selected selected, Windows windows) {
        boolean distinct = select.is(HiveParser.TOK_SELECTDI);
        Ordering ordering = new Ordering(environment, block, selected.items(), selected.resolver(), windows, distinct);
        RelCollation order = ordering.orderBy();
        Optional<Ordering.Distribution> distribution = ordering.distribution();
        boolean plain = !nested && (distinct || ordering.hasHiddenKeys());
        RelNode rel = projected(selected, ordering);
        if (distinct) {
            rel = distinct(Projections.prefix(factory, rel, selected.items().size()));
            rel = ordering.withKeysOfDistinct(rel);
        }
        RelNode placed = rel;
        rel = distribution.map(by -> by.apply(placed)).orElse(placed);
        rel = ordering.sort(rel, order, nested);
        rel = Projections.prefix(factory, rel, selected.items().size());
        return new Relation(
                rel,
                (plain ? selected.plain() : selected.items())
                        .stream()
                                .map(item -> new Relation.OutputColumn(item.table(), item.name()))
                                .toList());
    }

    private RelNode projected(Selected selected, Ordering ordering) {
        Optional<SyntaxNode> qualify = block.first(HiveParser.TOK_QUALIFY);
        int flag = qualify.map(
                        clause -> ordering.addField(ordering.expressions().condition(clause.child(0))))
                .orElse(-1);
        List<String> names = selected.items().stream().map(SelectItem::name).toList();
        RelNode rel = Projections.project(factory, selected.resolver().scope(), ordering.fields(), names);
        return flag < 0 ? rel : Projections.prefix(factory, LogicalFilter.create(rel, factory.column(rel, flag)), flag);
    }

    private static RelNode distinct(RelNode rel) {
        ImmutableBitSet all = ImmutableBitSet.range(rel.getRowType().getFieldCount());
        return LogicalAggregate.create(rel, List.of(), all, null, ImmutableList.of());
    }
}
