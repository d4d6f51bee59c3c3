package io.skep.ql.physical;

import io.skep.common.type.SqlType;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.MappedColumns;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Utilities that traverse plan expressions. */
final class Expressions {
    private Expressions() {}

    /** Returns the indexes of the input columns that the expression reads. */
    static SortedSet<Integer> columns(Expression expression) {
        SortedSet<Integer> columns = new TreeSet<>();
        MappedColumns.in(expression, column -> {
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

    /** Returns all columns of a row, in order. */
    static List<Expression> identity(List<SqlType> types) {
        List<Expression> columns = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            columns.add(new Expression.InputColumn(i, types.get(i)));
        }
        return columns;
    }
}
