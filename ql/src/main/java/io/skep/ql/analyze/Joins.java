package io.skep.ql.analyze;

import io.skep.ql.analyze.ScopeColumn.Ambiguous;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.RelFactory;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Analyzes joins of two sources: ON conditions, USING, and the columns that names can refer to after the join. */
final class Joins {
    private final Environment environment;
    private final RelFactory factory;
    private final Optional<Resolver> outer;

    Joins(Environment environment, Optional<Resolver> outer) {
        this.environment = environment;
        this.factory = environment.factory();
        this.outer = outer;
    }

    /** @param node the join: left source, right source, and the condition or USING's columns if present */
    Scope join(SyntaxNode node, Scope left, Scope right) {
        JoinRelType type = type(node);
        List<ScopeColumn> columns = new ArrayList<>(left.columns());
        columns.addAll(right.columns());
        RelNode both = create(left, right, factory.rex().makeLiteral(true), JoinRelType.INNER, Set.of());
        Scope scope = new Scope(factory, both, columns, outer);
        Optional<SyntaxNode> behind = node.childCount() > 2 ? Optional.of(node.child(2)) : Optional.empty();
        if (behind.isPresent() && behind.get().is(HiveParser.TOK_TABCOLNAME)) {
            return using(node, behind.get(), type, left, right, scope);
        }
        RexNode condition =
                behind.map(on -> condition(on, scope)).orElse(factory.rex().makeLiteral(true));
        return type.projectsRight()
                ? new Scope(
                        factory,
                        create(left, right, condition, type, scope.correlation()),
                        columns,
                        outer,
                        bothCopies(columns))
                : new Scope(factory, oneSide(node, left, right, condition, type, scope), left.columns(), outer);
    }

    private RelNode oneSide(SyntaxNode node, Scope left, Scope right, RexNode condition, JoinRelType type, Scope both) {
        return SubqueryColumns.areIn(condition)
                ? new SubqueryColumns(factory, node, left.rel(), right.rel()).join(condition, both, type)
                : create(left, right, condition, type, both.correlation());
    }

    private RexNode condition(SyntaxNode on, Scope scope) {
        return ExpressionAnalyzer.ofJoin(environment, scope).condition(on);
    }

    private static RelNode create(
            Scope left,
            Scope right,
            RexNode condition,
            JoinRelType type,
            Set<org.apache.calcite.rel.core.CorrelationId> variables) {
        return LogicalJoin.create(left.rel(), right.rel(), List.of(), condition, variables, type);
    }

    private static JoinRelType type(SyntaxNode node) {
        return switch (node.type()) {
            case HiveParser.TOK_LEFTOUTERJOIN -> JoinRelType.LEFT;
            case HiveParser.TOK_RIGHTOUTERJOIN -> JoinRelType.RIGHT;
            case HiveParser.TOK_FULLOUTERJOIN -> JoinRelType.FULL;
            case HiveParser.TOK_LEFTSEMIJOIN -> JoinRelType.SEMI;
            case HiveParser.TOK_LEFTANTISEMIJOIN -> JoinRelType.ANTI;
            default -> JoinRelType.INNER;
        };
    }

    /**
     * Analyzes USING. In {@code *} its columns come first, as columns of the side that keeps all its rows, then the
     * others of both sides. In a full join they are those of the left side, null in rows that only the right side has.
     */
    private Scope using(SyntaxNode node, SyntaxNode names, JoinRelType type, Scope left, Scope right, Scope both) {
        Comparisons comparisons = new Comparisons(factory.rex(), environment.context());
        List<RexNode> equal = new ArrayList<>();
        List<ScopeColumn> columns = new ArrayList<>(both.columns());
        Set<Integer> order = new LinkedHashSet<>();
        int shift = left.columns().size();
        for (SyntaxNode column : names.children()) {
            int leftIndex = index(column, left);
            int rightIndex = shift + index(column, right);
            equal.add(comparisons.compare(
                    node, SqlStdOperatorTable.EQUALS, both.reference(leftIndex), both.reference(rightIndex)));
            int hidden = type == JoinRelType.RIGHT ? leftIndex : rightIndex;
            columns.set(hidden, columns.get(hidden).hidden());
            if (type == JoinRelType.FULL) {
                columns.set(leftIndex, columns.get(leftIndex).ambiguous(Ambiguous.PLAIN));
            }
            order.add(type == JoinRelType.RIGHT ? rightIndex : leftIndex);
        }
        RexNode condition = RexUtil.composeConjunction(factory.rex(), equal);
        RelNode joined = create(left, right, condition, type, both.correlation());
        return type.projectsRight()
                ? new Scope(factory, joined, columns, outer, star(order, columns))
                : new Scope(factory, joined, left.columns(), outer);
    }

    /** Returns what {@code *} is behind a join without USING: both copies of a column of a USING below it too. */
    private static List<Integer> bothCopies(List<ScopeColumn> columns) {
        return IntStream.range(0, columns.size())
                .filter(i -> !columns.get(i).virtual())
                .boxed()
                .toList();
    }

    /** Returns the USING columns and then the other visible ones. */
    private static List<Integer> star(Set<Integer> first, List<ScopeColumn> columns) {
        Set<Integer> order = new LinkedHashSet<>(first);
        IntStream.range(0, columns.size()).filter(i -> columns.get(i).visible()).forEach(order::add);
        return List.copyOf(order);
    }

    private static int index(SyntaxNode column, Scope scope) {
        String name = Names.of(column);
        OptionalInt index = scope.column(column, "", name);
        return index.orElseThrow(() -> SemanticErrors.columnNotFound(column, name, scope.names()));
    }
}
