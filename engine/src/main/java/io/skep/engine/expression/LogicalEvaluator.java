package io.skep.engine.expression;

import io.skep.common.vector.Batch;
import io.skep.common.vector.ConstantVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;
import java.util.List;

/**
 * Three-valued AND and OR. An operand is evaluated only for the rows that the previous operands left undecided: not yet
 * false for AND, not yet true for OR.
 */
final class LogicalEvaluator implements Evaluator {
    private final List<Evaluator> operands;
    private final long decisive;

    /** @param decisive the value that decides: false for AND, true for OR */
    LogicalEvaluator(List<Evaluator> operands, boolean decisive) {
        this.operands = List.copyOf(operands);
        this.decisive = decisive ? 1 : 0;
    }

    @Override
    public Vector evaluate(Batch input) {
        int rows = input.rowCount();
        long[] values = new long[rows];
        java.util.Arrays.fill(values, 1 - decisive);
        long[] nulls = new long[NullMask.words(rows)];
        int[] open = new int[rows];
        for (int i = 0; i < rows; i++) {
            open[i] = i;
        }
        int count = rows;
        Batch left = input;
        for (Evaluator operand : operands) {
            if (count == 0) {
                break;
            }
            left = count == left.rowCount() ? left : input.select(open, count);
            count = apply(operand.evaluate(left), values, nulls, open, count);
        }
        return new LongVector(values, NullMask.count(nulls, rows) == 0 ? null : nulls, rows);
    }

    /** Applies an operand's values to the open rows. Returns the number of rows that stay open. */
    private int apply(Vector operand, long[] values, long[] nulls, int[] open, int count) {
        Vector flat = operand instanceof ConstantVector constant ? constant.flatten() : operand.flatten();
        long[] truths = ((LongVector) flat).values();
        int kept = 0;
        for (int i = 0; i < count; i++) {
            int row = open[i];
            if (flat.isNull(i)) {
                NullMask.set(nulls, row);
                open[kept++] = row;
            } else if (truths[i] == decisive) {
                values[row] = decisive;
                nulls[row >> 6] &= ~(1L << row);
            } else {
                open[kept++] = row;
            }
        }
        return kept;
    }

    @Override
    public void close() {
        operands.forEach(Evaluator::close);
    }
}
