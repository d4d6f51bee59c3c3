package io.skep.engine.operator;

import io.skep.engine.plan.Expression;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Finds the input columns that expressions read, and rewrites the expressions over these columns only. */
public final class ColumnUse {
    private ColumnUse() {}

    public static List<Integer> columns(List<Expression> expressions) {
        SortedSet<Integer> columns = new TreeSet<>();
        expressions.forEach(expression -> collect(expression, columns));
        return List.copyOf(columns);
    }

    private static void collect(Expression expression, SortedSet<Integer> columns) {
        switch (expression) {
            case Expression.InputColumn e -> columns.add(e.index());
            case Expression.Constant e -> {}
            case Expression.Call e -> e.arguments().forEach(argument -> collect(argument, columns));
            case Expression.Cast e -> collect(e.operand(), columns);
            case Expression.And e -> e.operands().forEach(operand -> collect(operand, columns));
            case Expression.Or e -> e.operands().forEach(operand -> collect(operand, columns));
            case Expression.In e -> collect(e.value(), columns);
            case Expression.Case e -> {
                e.branches().forEach(branch -> {
                    collect(branch.condition(), columns);
                    collect(branch.value(), columns);
                });
                collect(e.otherwise(), columns);
            }
        }
    }

    /** Returns the expression with column {@code columns.get(i)} as column {@code i}. */
    public static Expression over(List<Integer> columns, Expression expression) {
        return switch (expression) {
            case Expression.InputColumn e -> new Expression.InputColumn(columns.indexOf(e.index()), e.type());
            case Expression.Constant e -> e;
            case Expression.Call e -> new Expression.Call(e.function(), all(columns, e.arguments()), e.type());
            case Expression.Cast e -> new Expression.Cast(over(columns, e.operand()), e.type());
            case Expression.And e -> new Expression.And(all(columns, e.operands()));
            case Expression.Or e -> new Expression.Or(all(columns, e.operands()));
            case Expression.In e -> new Expression.In(over(columns, e.value()), e.candidates());
            case Expression.Case e -> {
                List<Expression.Case.Branch> branches = new ArrayList<>();
                e.branches()
                        .forEach(branch -> branches.add(new Expression.Case.Branch(
                                over(columns, branch.condition()), over(columns, branch.value()))));
                yield new Expression.Case(branches, over(columns, e.otherwise()));
            }
        };
    }

    private static List<Expression> all(List<Integer> columns, List<Expression> expressions) {
        return expressions.stream().map(expression -> over(columns, expression)).toList();
    }
}
