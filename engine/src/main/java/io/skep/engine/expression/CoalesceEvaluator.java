package io.skep.engine.expression;

import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The first value that is not null. Later values are evaluated only for rows that have no value yet. */
final class CoalesceEvaluator implements Evaluator {
    private final List<Evaluator> operands;
    private final SqlType type;

    CoalesceEvaluator(List<Evaluator> operands, SqlType type) {
        this.operands = List.copyOf(operands);
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
        for (Evaluator operand : operands) {
            if (count == 0) {
                break;
            }
            Vector values = operand.evaluate(count == rows ? input : input.select(open, count));
            if (count == rows && !values.mayHaveNulls()) {
                return values;
            }
            count = take(values, open, count, parts, positions);
        }
        if (count > 0) {
            parts.add(VectorAppender.nulls(type, count));
            positions.add(Arrays.copyOf(open, count));
        }
        return Scatter.merge(type, parts, positions, rows);
    }

    private static int take(Vector values, int[] open, int count, List<Vector> parts, List<int[]> positions) {
        int[] present = new int[count];
        int[] rows = new int[count];
        int taken = 0;
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (values.isNull(i)) {
                open[kept++] = open[i];
            } else {
                present[taken] = i;
                rows[taken++] = open[i];
            }
        }
        parts.add(values.select(present, taken));
        positions.add(Arrays.copyOf(rows, taken));
        return kept;
    }

    @Override
    public void close() {
        operands.forEach(Evaluator::close);
    }
}
