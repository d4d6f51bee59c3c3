package io.skep.engine.expression;

import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** CASE: evaluates each condition and value only for the rows that reach it, and merges the values. */
final class CaseEvaluator implements Evaluator {
    private final List<Evaluator> conditions;
    private final List<Evaluator> values;
    private final SqlType type;

    /** @param values one value for each condition, followed by the value for rows for which no condition is true */
    CaseEvaluator(List<Evaluator> conditions, List<Evaluator> values, SqlType type) {
        this.conditions = List.copyOf(conditions);
        this.values = List.copyOf(values);
        this.type = type;
    }

    @Override
    public Vector evaluate(Batch input) {
        int rows = input.rowCount();
        List<Vector> parts = new ArrayList<>();
        List<int[]> positions = new ArrayList<>();
        int[] open = new int[rows];
        Arrays.setAll(open, i -> i);
        int count = rows;
        for (int branch = 0; branch < conditions.size() && count > 0; branch++) {
            Batch left = count == rows ? input : input.select(open, count);
            Vector truth = conditions.get(branch).evaluate(left).flatten();
            int[] taken = new int[count];
            int takenCount = split(truth, open, count, taken);
            count -= takenCount;
            if (takenCount == rows) {
                return values.get(branch).evaluate(input);
            }
            add(branch, input, Arrays.copyOf(taken, takenCount), parts, positions);
        }
        if (count == rows) {
            return values.getLast().evaluate(input);
        }
        add(conditions.size(), input, Arrays.copyOf(open, count), parts, positions);
        return Scatter.merge(type, parts, positions, rows);
    }

    private void add(int branch, Batch input, int[] rows, List<Vector> parts, List<int[]> positions) {
        if (rows.length > 0) {
            parts.add(values.get(branch).evaluate(input.select(rows, rows.length)));
            positions.add(rows);
        }
    }

    /** Moves rows whose condition is true from {@code open} to {@code taken}. */
    private static int split(Vector truth, int[] open, int count, int[] taken) {
        long[] truths = ((LongVector) truth).values();
        int takenCount = 0;
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (truths[i] != 0 && !truth.isNull(i)) {
                taken[takenCount++] = open[i];
            } else {
                open[kept++] = open[i];
            }
        }
        return takenCount;
    }

    @Override
    public void close() {
        conditions.forEach(Evaluator::close);
        values.forEach(Evaluator::close);
    }
}
