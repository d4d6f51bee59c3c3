package io.skep.engine.plan;

import java.util.List;
import java.util.function.Function;

/** Replaces columns in expressions. */
public final class MappedColumns {
    private MappedColumns() {}

    /** Returns the expression with every input column replaced. */
    public static Expression in(Expression expression, Function<Expression.InputColumn, Expression> replacement) {
        return switch (expression) {
            case Expression.InputColumn column -> replacement.apply(column);
            case Expression.Constant constant -> constant;
            case Expression.Call call ->
                new Expression.Call(call.function(), mapAll(call.arguments(), replacement), call.type());
            case Expression.Cast cast -> new Expression.Cast(in(cast.operand(), replacement), cast.type());
            case Expression.And and -> new Expression.And(mapAll(and.operands(), replacement));
            case Expression.Or or -> new Expression.Or(mapAll(or.operands(), replacement));
            case Expression.Case caseWhen ->
                new Expression.Case(
                        caseWhen.branches().stream()
                                .map(branch -> new Expression.Case.Branch(
                                        in(branch.condition(), replacement), in(branch.value(), replacement)))
                                .toList(),
                        in(caseWhen.otherwise(), replacement));
            case Expression.In in -> new Expression.In(in(in.value(), replacement), in.candidates());
        };
    }

    private static List<Expression> mapAll(
            List<Expression> expressions, Function<Expression.InputColumn, Expression> replacement) {
        return expressions.stream().map(part -> in(part, replacement)).toList();
    }
}
