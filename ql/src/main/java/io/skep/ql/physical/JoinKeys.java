package io.skep.ql.physical;

import io.skep.common.type.SqlType;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.MappedColumns;
import io.skep.engine.plan.PlanNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A join condition split into key pairs and a residual. Each pair has one expression over each side, and the two must
 * be equal.
 *
 * @param right expressions over the right side's own columns
 * @param nullSafe whether null equals null, for each pair
 * @param residual the rest of the condition, over left then right columns
 */
record JoinKeys(List<Expression> left, List<Expression> right, List<Boolean> nullSafe, Optional<Expression> residual) {
    static JoinKeys of(List<Expression> conjuncts, List<SqlType> leftTypes, List<SqlType> rightTypes) {
        List<Expression> left = new ArrayList<>();
        List<Expression> right = new ArrayList<>();
        List<Boolean> nullSafe = new ArrayList<>();
        List<Expression> rest = new ArrayList<>();
        int leftColumns = leftTypes.size();
        for (Expression conjunct : conjuncts) {
            boolean equality = conjunct instanceof Expression.Call call
                    && (call.function().equals("=") || call.function().equals("<=>"));
            if (!equality) {
                rest.add(conjunct);
                continue;
            }
            Expression.Call call = (Expression.Call) conjunct;
            Expression first = call.arguments().get(0);
            Expression second = call.arguments().get(1);
            if (onLeft(first, leftColumns) && onRight(second, leftColumns)) {
                left.add(first);
                right.add(shifted(second, -leftColumns));
            } else if (onLeft(second, leftColumns) && onRight(first, leftColumns)) {
                left.add(second);
                right.add(shifted(first, -leftColumns));
            } else {
                rest.add(conjunct);
                continue;
            }
            nullSafe.add(call.function().equals("<=>"));
        }
        return new JoinKeys(left, right, nullSafe, Expressions.and(rest));
    }

    boolean isEmpty() {
        return left.isEmpty();
    }

    JoinKeys mirrored(int leftColumns, int rightColumns) {
        Optional<Expression> mirrored = residual.map(condition -> MappedColumns.in(
                condition,
                column -> new Expression.InputColumn(
                        column.index() < leftColumns ? column.index() + rightColumns : column.index() - leftColumns,
                        column.type())));
        return new JoinKeys(/* left= */ right, /* right= */ left, nullSafe, mirrored);
    }

    /** Adds a column to the side for each key that is not a plain column. */
    Planned withLeftKeys(Planned side) {
        return withKeys(side, left);
    }

    Planned withRightKeys(Planned side) {
        return withKeys(side, right);
    }

    List<Integer> leftColumns(int columns) {
        return columns(left, columns);
    }

    List<Integer> rightColumns(int columns) {
        return columns(right, columns);
    }

    private static Planned withKeys(Planned side, List<Expression> keys) {
        List<Expression> computed = keys.stream()
                .filter(key -> !(key instanceof Expression.InputColumn))
                .toList();
        if (computed.isEmpty()) {
            return side;
        }
        List<Expression> all = new ArrayList<>(Expressions.identity(side.types()));
        all.addAll(computed);
        return side.with(new PlanNode.Project(side.node(), all), side.rows());
    }

    private static List<Integer> columns(List<Expression> keys, int columns) {
        List<Integer> indexes = new ArrayList<>();
        int next = columns;
        for (Expression key : keys) {
            indexes.add(key instanceof Expression.InputColumn column ? column.index() : next++);
        }
        return indexes;
    }

    private static boolean onLeft(Expression expression, int leftColumns) {
        var columns = Expressions.columns(expression);
        return !columns.isEmpty() && columns.last() < leftColumns;
    }

    private static boolean onRight(Expression expression, int leftColumns) {
        var columns = Expressions.columns(expression);
        return !columns.isEmpty() && columns.first() >= leftColumns;
    }

    private static Expression shifted(Expression expression, int by) {
        return MappedColumns.in(expression, column -> new Expression.InputColumn(column.index() + by, column.type()));
    }
}
