package io.skep.ql.analyze;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.metastore.FieldSchema;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.HiveRexBuilder;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.plan.RelOptPredicateList;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexExecutor;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSimplify;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;

/**
 * Analyzes the expressions of a table's policies over its rows, where columns have no table's name. What the user and
 * its roles decide is evaluated at once, so that {@code is_member('x') OR ...} leaves nothing for a member.
 */
final class PolicyExpressions {
    /** Larger expressions stay as they are written, because Calcite compares all their terms with each other. */
    private static final int MAX_SIMPLIFIED = 2_000;

    private final Environment environment;
    private final Scope rows;

    /** @param environment see {@link Environment#forPolicies} */
    PolicyExpressions(Scope rows, Environment environment) {
        this.environment = environment;
        List<ScopeColumn> columns = rows.columns().stream()
                .map(column -> new ScopeColumn("", "", column.name(), column.visible(), column.virtual()))
                .toList();
        this.rows = new Scope(environment.factory(), rows.rel(), columns, Optional.empty());
    }

    /** Returns the names over the rows that a filter has left. */
    Scope over(Optional<RelNode> filtered) {
        return rows.over(filtered.orElse(rows.rel()));
    }

    /** Returns the rows that a filter leaves. Empty if it leaves all. */
    Optional<RelNode> filtered(SyntaxNode expression) {
        Scope scope = over(Optional.empty());
        RexNode condition = condition(scope, expression);
        RexNode folded = isLarge(condition) ? condition : simplify().simplifyUnknownAsFalse(folded(condition));
        if (folded.isAlwaysTrue()) {
            return Optional.empty();
        }
        return Optional.of(
                RexUtil.SubQueryFinder.find(folded) == null
                        ? LogicalFilter.create(scope.rel(), folded)
                        : Projections.filter(scope, folded));
    }

    /** Returns a condition, which must be a boolean already. */
    RexNode condition(Scope scope, SyntaxNode expression) {
        RexNode value = new ExpressionAnalyzer(environment, scope, Optional.empty()).analyze(expression);
        SqlType type = ExpressionAnalyzer.type(value);
        if (type != PrimitiveType.BOOLEAN) {
            throw SemanticErrors.typeMismatch(expression, "a row filter is a boolean, not a value of type " + type);
        }
        return value;
    }

    /** Returns a mask's value, converted to the column's type as INSERT would do. */
    RexNode mask(Scope scope, SyntaxNode expression, FieldSchema column) {
        RexNode value = new ExpressionAnalyzer(environment, scope, Optional.empty()).analyze(expression);
        TypeRules.castRefusal(ExpressionAnalyzer.type(value), column.type()).ifPresent(why -> {
            throw SemanticErrors.typeMismatch(
                    expression, "the column " + column.name() + " has the type " + column.type() + ": " + why);
        });
        return environment.factory().rex().cast(value, column.type());
    }

    /** Returns a mask's value without what the user and its roles have decided. */
    RexNode decided(RexNode mask) {
        if (isLarge(mask)) {
            return mask;
        }
        RexNode simplified = simplify().simplifyPreservingType(folded(mask));
        return RexUtil.isLosslessCast(simplified) && isSameType(simplified) ? operand(simplified) : simplified;
    }

    private static boolean isLarge(RexNode expression) {
        return expression.nodeCount() > MAX_SIMPLIFIED;
    }

    private static boolean isSameType(RexNode cast) {
        return ExpressionAnalyzer.type(cast).equals(ExpressionAnalyzer.type(operand(cast)));
    }

    private static RexNode operand(RexNode cast) {
        return ((RexCall) cast).getOperands().getFirst();
    }

    private RexSimplify simplify() {
        RexExecutor none = (builder, expressions, reduced) -> reduced.addAll(expressions);
        return new RexSimplify(rex(), RelOptPredicateList.EMPTY, none);
    }

    private HiveRexBuilder rex() {
        return environment.factory().rex();
    }

    /** Evaluates conditions and texts without columns. The optimizer evaluates the rest. */
    private RexNode folded(RexNode expression) {
        return expression.accept(new RexShuttle() {
            @Override
            public RexNode visitCall(RexCall call) {
                RexNode visited = super.visitCall(call);
                return visited instanceof RexCall known
                                && !(known instanceof RexSubQuery)
                                && !(known instanceof RexOver)
                                && known.getOperator().isDeterministic()
                                && known.getOperands().stream().allMatch(RexLiteral.class::isInstance)
                        ? constant(known)
                        : visited;
            }
        });
    }

    private RexNode constant(RexCall call) {
        SqlType type = ExpressionAnalyzer.type(call);
        return type == PrimitiveType.BOOLEAN || type == PrimitiveType.STRING
                ? environment
                        .context()
                        .evaluate(call, rex())
                        .<RexNode>map(value -> rex().constant(value, type))
                        .orElse(call)
                : call;
    }
}
