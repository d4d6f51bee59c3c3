package io.skep.engine.expression;

import io.skep.common.vector.Batch;
import io.skep.common.vector.ConstantVector;
import io.skep.common.vector.DictionaryVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;

/** Keeps the rows for which a boolean expression is true. */
record ValueFilter(Evaluator condition) implements FilterEvaluator {
    @Override
    public int filter(Batch input, int[] positions) {
        int rows = input.rowCount();
        return switch (condition.evaluate(input)) {
            case ConstantVector constant -> constant(constant, rows, positions);
            case DictionaryVector encoded -> encoded(encoded, rows, positions);
            case LongVector flat -> flat(flat, rows, positions);
            case Vector other -> throw new IllegalStateException("a condition in " + other.getClass());
        };
    }

    private static int constant(ConstantVector constant, int rows, int[] positions) {
        if (constant.value().isNull(0) || ((LongVector) constant.value()).values()[0] == 0) {
            return 0;
        }
        for (int i = 0; i < rows; i++) {
            positions[i] = i;
        }
        return rows;
    }

    private static int encoded(DictionaryVector encoded, int rows, int[] positions) {
        long[] truths = ((LongVector) encoded.dictionary()).values();
        int[] ids = encoded.ids();
        int count = 0;
        for (int i = 0; i < rows; i++) {
            positions[count] = i;
            count += truths[ids[i]] != 0 && !encoded.isNull(i) ? 1 : 0;
        }
        return count;
    }

    private static int flat(LongVector flat, int rows, int[] positions) {
        long[] truths = flat.values();
        long[] nulls = flat.nulls();
        int count = 0;
        if (nulls == null) {
            for (int i = 0; i < rows; i++) {
                positions[count] = i;
                count += (int) truths[i];
            }
            return count;
        }
        for (int i = 0; i < rows; i++) {
            positions[count] = i;
            count += (int) (truths[i] & ~(nulls[i >> 6] >>> i));
        }
        return count;
    }

    @Override
    public void close() {
        condition.close();
    }
}
