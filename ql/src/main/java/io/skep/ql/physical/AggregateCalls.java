package io.skep.ql.physical;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.engine.function.FunctionCatalog;
import io.skep.engine.function.FunctionCatalog.AggregateSignature;
import io.skep.engine.function.FunctionCatalog.Argument;
import io.skep.engine.plan.AggregateCall;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.PlanNode;
import io.skep.ql.rel.HiveAggFunction;
import io.skep.ql.rel.TypeMapping;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.sql.SqlKind;

/**
 * Converts Calcite's aggregate calls to the plan's aggregate calls. Calls that only identify the grouping set, and
 * calls of literals, are not aggregates at run time. A projection after the aggregation computes them.
 */
final class AggregateCalls {
    private final FunctionCatalog functions;

    AggregateCalls(FunctionCatalog functions) {
        this.functions = functions;
    }

    /** Returns the calls that are aggregates at run time, in their order. */
    List<AggregateCall> resolve(Aggregate aggregate, List<SqlType> inputTypes) {
        List<AggregateCall> resolved = new ArrayList<>();
        for (var call : aggregate.getAggCallList()) {
            if (isComputed(call.getAggregation().getKind())) {
                continue;
            }
            List<SqlType> argumentTypes =
                    call.getArgList().stream().map(inputTypes::get).toList();
            boolean star = call.getAggregation().getKind() == SqlKind.COUNT && argumentTypes.isEmpty();
            AggregateSignature signature = call.getAggregation() instanceof HiveAggFunction resolvedBefore
                    ? resolvedBefore.signature()
                    : functions.aggregate(
                            name(
                                    call.getAggregation().getKind(),
                                    call.getAggregation().getName()),
                            argumentTypes.stream().map(Argument::of).toList(),
                            call.isDistinct(),
                            star);
            resolved.add(new AggregateCall(
                    signature.function(),
                    call.isDistinct(),
                    call.getArgList(),
                    call.filterArg < 0 ? OptionalInt.empty() : OptionalInt.of(call.filterArg),
                    argumentTypes,
                    signature.stateType(),
                    signature.type()));
        }
        return resolved;
    }

    /**
     * Returns the calls of one step of an aggregation in two steps. Their functions carry the types of the raw
     * arguments.
     */
    static List<AggregateCall> ofSteps(Aggregate aggregate) {
        List<AggregateCall> resolved = new ArrayList<>();
        for (var call : aggregate.getAggCallList()) {
            if (call.getAggregation() instanceof HiveAggFunction function) {
                AggregateSignature signature = function.signature();
                resolved.add(new AggregateCall(
                        signature.function(),
                        false,
                        call.getArgList(),
                        call.filterArg < 0 ? OptionalInt.empty() : OptionalInt.of(call.filterArg),
                        signature.parameterTypes(),
                        signature.stateType(),
                        signature.type()));
            }
        }
        return resolved;
    }

    private static String name(SqlKind kind, String name) {
        return switch (kind) {
            case SUM0 -> "sum";
            default -> name.toLowerCase(Locale.ROOT);
        };
    }

    private static boolean isComputed(SqlKind kind) {
        return kind == SqlKind.GROUPING || kind == SqlKind.LITERAL_AGG;
    }

    /** Restores the order and types of the columns that the algebra specifies. */
    Planned finish(Aggregate aggregate, GroupingSets sets, Planned grouped) {
        List<SqlType> types = grouped.types();
        int keys = sets.keys().size();
        int next = sets.groupColumns().size();
        List<Expression> columns = new ArrayList<>(Expressions.identity(types.subList(0, keys)));
        for (var call : aggregate.getAggCallList()) {
            SqlType wanted = TypeMapping.toSql(call.getType());
            SqlKind kind = call.getAggregation().getKind();
            if (kind == SqlKind.LITERAL_AGG) {
                columns.add(
                        new RexTranslator(aggregate.getCluster().getRexBuilder()).translate(call.rexList.getFirst()));
            } else if (isComputed(kind)) {
                columns.add(cast(grouping(sets, call.getArgList(), keys), wanted));
            } else {
                Expression result = new Expression.InputColumn(next, types.get(next));
                columns.add(cast(kind == SqlKind.SUM0 ? orZero(result) : result, wanted));
                next++;
            }
        }
        if (columns.equals(Expressions.identity(types))) {
            return grouped;
        }
        Layout layout = grouped.layout() instanceof Layout.Hashed hashed
                        && hashed.columns().stream().anyMatch(column -> column >= keys)
                ? new Layout.Hashed(List.of())
                : grouped.layout();
        return new Planned(new PlanNode.Project(grouped.node(), columns), layout, grouped.rows());
    }

    private static Expression cast(Expression expression, SqlType type) {
        return expression.type().equals(type) ? expression : new Expression.Cast(expression, type);
    }

    private static Expression orZero(Expression sum) {
        Expression zero = new Expression.Cast(AggregatePlanning.groupingConstant(0), sum.type());
        Expression isNull = new Expression.Call("isnull", List.of(sum), PrimitiveType.BOOLEAN);
        return new Expression.Case(List.of(new Expression.Case.Branch(isNull, zero)), sum);
    }

    private static Expression grouping(GroupingSets sets, List<Integer> arguments, int setColumn) {
        if (sets.isSimple()) {
            return AggregatePlanning.groupingConstant(0);
        }
        Expression number = new Expression.InputColumn(setColumn, AggregatePlanning.GROUPING_TYPE);
        List<Expression.Case.Branch> branches = new ArrayList<>();
        for (int set = 0; set + 1 < sets.count(); set++) {
            Expression isSet = new Expression.Call(
                    "=", List.of(number, AggregatePlanning.groupingConstant(set)), PrimitiveType.BOOLEAN);
            branches.add(new Expression.Case.Branch(
                    isSet, AggregatePlanning.groupingConstant(sets.grouping(set, arguments))));
        }
        Expression last = AggregatePlanning.groupingConstant(sets.grouping(sets.count() - 1, arguments));
        return branches.isEmpty() ? last : new Expression.Case(branches, last);
    }
}
