package io.skep.ql.physical;

import io.skep.common.type.SqlType;
import io.skep.engine.plan.Expression;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;

/** Walks over plan expressions. */
final class Expressions {
    private Expressions() {}

    /** The expression with every input column replaced. */
    static Expression mapColumns(Expression expression, Function<Expression.InputColumn, Expression> replacement) {
        return switch (expression) {
            case Expression.InputColumn column -> replacement.apply(column);
            case Expression.Constant constant -> constant;
            case Expression.Call call ->
                new Expression.Call(call.function(), mapAll(call.arguments(), replacement), call.type());
            case Expression.Cast cast -> new Expression.Cast(mapColumns(cast.operand(), replacement), cast.type());
            case Expression.And and -> new Expression.And(mapAll(and.operands(), replacement));
            case Expression.Or or -> new Expression.Or(mapAll(or.operands(), replacement));
            case Expression.Case caseWhen ->
                new Expression.Case(
                        caseWhen.branches().stream()
                                .map(branch -> new Expression.Case.Branch(
                                        mapColumns(branch.condition(), replacement),
                                        mapColumns(branch.value(), replacement)))
                                .toList(),
                        mapColumns(caseWhen.otherwise(), replacement));
            case Expression.In in -> new Expression.In(mapColumns(in.value(), replacement), in.candidates());
        };
    }

    private static List<Expression> mapAll(
            List<Expression> expressions, Function<Expression.InputColumn, Expression> replacement) {
        return expressions.stream().map(part -> mapColumns(part, replacement)).toList();
    }

    /** The indexes of the input columns that the expression reads. */
    static SortedSet<Integer> columns(Expression expression) {
        SortedSet<Integer> columns = new TreeSet<>();
        mapColumns(expression, column -> {
            columns.add(column.index());
            return column;
        });
        return columns;
    }

    static List<Expression> conjuncts(Expression predicate) {
        List<Expression> conjuncts = new ArrayList<>();
        collect(predicate, conjuncts);
        return conjuncts;
    }

    private static void collect(Expression predicate, List<Expression> conjuncts) {
        if (predicate instanceof Expression.And and) {
            and.operands().forEach(operand -> collect(operand, conjuncts));
        } else if (!predicate.equals(Expression.Constant.TRUE)) {
            conjuncts.add(predicate);
        }
    }

    static Optional<Expression> and(List<Expression> conjuncts) {
        return switch (conjuncts.size()) {
            case 0 -> Optional.empty();
            case 1 -> Optional.of(conjuncts.getFirst());
            default -> Optional.of(new Expression.And(conjuncts));
        };
    }

    /** All columns of a row, in order. */
    static List<Expression> identity(List<SqlType> types) {
        List<Expression> columns = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            columns.add(new Expression.InputColumn(i, types.get(i)));
        }
        return columns;
    }
}
