package io.skep.ql.explain;

import io.skep.engine.plan.AggregateCall;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.plan.WindowCall;
import io.skep.storage.table.TableLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Names the columns of a plan's operators. A column of a table keeps its name through all operators that pass it on. A
 * computed column has a short expression as its name. Where several columns have the same name, it is qualified by the
 * table, and by the position {@code $n} if that is not enough. All other columns are {@code $n}.
 */
final class ColumnNames {
    /** Longer expressions would hide the operator that uses them. */
    private static final int MAX_EXPRESSION = 40;

    /** A column: the table that it comes from, or an empty text; and its name, which is empty if it has none. */
    private record Column(String table, String name) {
        private static final Column UNNAMED = new Column("", "");

        static Column computed(String expression) {
            return expression.length() > MAX_EXPRESSION || expression.indexOf('$') >= 0
                    ? UNNAMED
                    : new Column("", expression);
        }

        String qualified() {
            return table.isEmpty() ? name : table + "." + name;
        }
    }

    private final Map<Integer, Fragment> fragments = new HashMap<>();
    private final IdentityHashMap<PlanNode, List<Column>> columns = new IdentityHashMap<>();
    private final IdentityHashMap<PlanNode, List<String>> names = new IdentityHashMap<>();

    ColumnNames(StageGraph graph) {
        for (Fragment fragment : graph.fragments()) {
            fragments.put(fragment.id(), fragment);
            // Producers come before consumers, so the recursion stays in one fragment.
            columns(fragment.root());
        }
    }

    /** Returns the names of the columns of a node's rows. */
    List<String> of(PlanNode node) {
        List<String> known = names.get(node);
        if (known == null) {
            known = distinguished(columns(node));
            names.put(node, known);
        }
        return known;
    }

    /** Returns the names of the columns that a fragment sends. */
    List<String> of(int fragment) {
        Fragment found = fragments.get(fragment);
        return found == null ? List.of() : of(found.root());
    }

    /** Returns the names of the columns of several inputs next to each other, as a join's condition addresses them. */
    List<String> ofInputs(PlanNode node) {
        if (node.inputs().size() == 1) {
            return of(node.inputs().getFirst());
        }
        return distinguished(
                node.inputs().stream().flatMap(input -> columns(input).stream()).toList());
    }

    /** Returns a function that names columns by their index. */
    static IntFunction<String> lookup(List<String> names) {
        return column -> column < names.size() ? names.get(column) : "$" + column;
    }

    static String call(AggregateCall call, IntFunction<String> inputs) {
        return call(call.function(), call.distinct(), call.arguments(), inputs);
    }

    static String call(WindowCall call, IntFunction<String> inputs) {
        return call(call.function(), call.distinct(), call.arguments(), inputs);
    }

    private static String call(String function, boolean distinct, List<Integer> arguments, IntFunction<String> inputs) {
        return function + "(" + (distinct ? "distinct " : "") + list(arguments, inputs) + ")";
    }

    static String list(List<Integer> columns, IntFunction<String> names) {
        return columns.stream().map(names::apply).collect(Collectors.joining(", "));
    }

    private static List<String> distinguished(List<Column> columns) {
        Map<String, Long> plain = counts(columns, Column::name);
        Map<String, Long> qualified = counts(columns, Column::qualified);
        List<String> names = new ArrayList<>(columns.size());
        for (int i = 0; i < columns.size(); i++) {
            Column column = columns.get(i);
            if (column.name().isEmpty()) {
                names.add("$" + i);
            } else if (plain.getOrDefault(column.name(), 0L) == 1) {
                names.add(column.name());
            } else {
                boolean enough = qualified.getOrDefault(column.qualified(), 0L) == 1;
                names.add(enough ? column.qualified() : column.qualified() + "$" + i);
            }
        }
        return List.copyOf(names);
    }

    private static Map<String, Long> counts(List<Column> columns, Function<Column, String> name) {
        return columns.stream().collect(Collectors.groupingBy(name, Collectors.counting()));
    }

    private List<Column> columns(PlanNode node) {
        List<Column> known = columns.get(node);
        if (known == null) {
            known = List.copyOf(computed(node));
            columns.put(node, known);
        }
        return known;
    }

    private List<Column> computed(PlanNode node) {
        return switch (node) {
            case PlanNode.Scan n -> scanned(n);
            case PlanNode.Values n -> unnamed(n.outputTypes().size());
            case PlanNode.RemoteSource n -> received(n);
            case PlanNode.Filter n -> columns(n.input());
            case PlanNode.Sort n -> columns(n.input());
            case PlanNode.TopN n -> columns(n.input());
            case PlanNode.Limit n -> columns(n.input());
            case PlanNode.UnionAll n -> columns(n.inputs().getFirst());
            case PlanNode.Project n ->
                n.expressions().stream()
                        .map(expression -> projected(expression, n.input()))
                        .toList();
            case PlanNode.Expand n -> expanded(n);
            case PlanNode.Aggregate n -> aggregated(n);
            case PlanNode.Join n ->
                n.outputTypes().size() == n.left().outputTypes().size()
                        ? columns(n.left())
                        : both(columns(n.left()), columns(n.right()));
            case PlanNode.Window n ->
                both(
                        columns(n.input()),
                        n.calls().stream()
                                .map(call -> windowed(call, n.input()))
                                .toList());
            case PlanNode.TableFunction n ->
                both(columns(n.input()), unnamed(n.functionTypes().size()));
            case PlanNode.TableWrite n -> unnamed(n.outputTypes().size());
            case PlanNode.Transform n ->
                n.script().output().dataColumns().stream()
                        .map(column -> new Column("", column.name()))
                        .toList();
        };
    }

    private static List<Column> scanned(PlanNode.Scan scan) {
        TableLayout table = scan.request().table();
        String name = table.name().substring(table.name().lastIndexOf('.') + 1);
        return scan.request().columns().stream()
                .map(ordinal -> new Column(name, table.column(ordinal).name()))
                .toList();
    }

    private List<Column> received(PlanNode.RemoteSource source) {
        Fragment producer = fragments.get(source.fragments().getFirst());
        return producer == null ? unnamed(source.outputTypes().size()) : columns(producer.root());
    }

    private Column projected(Expression expression, PlanNode input) {
        return expression instanceof Expression.InputColumn column
                ? columns(input).get(column.index())
                : Column.computed(new ExpressionPrinter(lookup(of(input))).print(expression));
    }

    /** A column that is null in some of the projections has the name that it has in the others. */
    private List<Column> expanded(PlanNode.Expand expand) {
        return IntStream.range(0, expand.outputTypes().size())
                .mapToObj(i -> expand.projections().stream()
                        .map(projection -> projection.get(i))
                        .filter(Expression.InputColumn.class::isInstance)
                        .findFirst()
                        .map(column -> projected(column, expand.input()))
                        .orElse(Column.UNNAMED))
                .toList();
    }

    private List<Column> aggregated(PlanNode.Aggregate aggregate) {
        List<Column> input = columns(aggregate.input());
        List<Column> all = new ArrayList<>();
        aggregate.groupColumns().forEach(column -> all.add(input.get(column)));
        IntFunction<String> inputs = lookup(of(aggregate.input()));
        for (AggregateCall call : aggregate.calls()) {
            all.add(
                    aggregate.step().mergesStates()
                            ? input.get(call.arguments().getFirst())
                            : Column.computed(call(call, inputs)));
        }
        return all;
    }

    private Column windowed(WindowCall call, PlanNode input) {
        return Column.computed(call(call, lookup(of(input))));
    }

    private static List<Column> unnamed(int count) {
        return IntStream.range(0, count).mapToObj(i -> Column.UNNAMED).toList();
    }

    private static List<Column> both(List<Column> left, List<Column> right) {
        List<Column> all = new ArrayList<>(left);
        all.addAll(right);
        return all;
    }
}
