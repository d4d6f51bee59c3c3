package io.skep.engine.expression;

import io.skep.common.vector.Batch;
import io.skep.common.vector.Vector;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.Expression.And;
import io.skep.engine.plan.Expression.Call;
import io.skep.engine.plan.Expression.Case;
import io.skep.engine.plan.Expression.Cast;
import io.skep.engine.plan.Expression.Constant;
import io.skep.engine.plan.Expression.In;
import io.skep.engine.plan.Expression.InputColumn;
import io.skep.engine.plan.Expression.Or;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The columns that an expression reads. Rows are selected from these columns only.
 *
 * @param indexes ascending
 */
record Columns(int[] indexes) {
    static Columns of(Expression expression) {
        SortedSet<Integer> indexes = new TreeSet<>();
        collect(expression, indexes);
        return new Columns(indexes.stream().mapToInt(Integer::intValue).toArray());
    }

    private static void collect(Expression expression, SortedSet<Integer> indexes) {
        switch (expression) {
            case InputColumn column -> indexes.add(column.index());
            case Constant constant -> {}
            case Call call -> call.arguments().forEach(argument -> collect(argument, indexes));
            case Cast cast -> collect(cast.operand(), indexes);
            case And and -> and.operands().forEach(operand -> collect(operand, indexes));
            case Or or -> or.operands().forEach(operand -> collect(operand, indexes));
            case In in -> collect(in.value(), indexes);
            case Case choice -> {
                for (Case.Branch branch : choice.branches()) {
                    collect(branch.condition(), indexes);
                    collect(branch.value(), indexes);
                }
                collect(choice.otherwise(), indexes);
            }
        }
    }

    /** Returns the expression over batches that contain only these columns. */
    Expression rebase(Expression expression) {
        return switch (expression) {
            case InputColumn column -> new InputColumn(Arrays.binarySearch(indexes, column.index()), column.type());
            case Constant constant -> constant;
            case Call call -> new Call(call.function(), rebaseAll(call.arguments()), call.type());
            case Cast cast -> new Cast(rebase(cast.operand()), cast.type());
            case And and -> new And(rebaseAll(and.operands()));
            case Or or -> new Or(rebaseAll(or.operands()));
            case In in -> new In(rebase(in.value()), in.candidates());
            case Case choice ->
                new Case(
                        choice.branches().stream()
                                .map(branch -> new Case.Branch(rebase(branch.condition()), rebase(branch.value())))
                                .toList(),
                        rebase(choice.otherwise()));
        };
    }

    private List<Expression> rebaseAll(List<Expression> expressions) {
        return expressions.stream().map(this::rebase).toList();
    }

    /** Returns all rows of these columns. */
    Batch of(Batch input) {
        List<Vector> columns = new ArrayList<>(indexes.length);
        for (int index : indexes) {
            columns.add(input.column(index));
        }
        return new Batch(columns, input.rowCount());
    }

    /** Returns the selected rows of these columns. */
    Batch select(Batch input, int[] positions, int count) {
        List<Vector> columns = new ArrayList<>(indexes.length);
        for (int index : indexes) {
            columns.add(input.column(index).select(positions, count));
        }
        return new Batch(columns, count);
    }
}
