package io.skep.engine.expression;

import io.skep.common.vector.Batch;
import java.util.List;

/**
 * AND as a filter. Each conjunct is evaluated only for the rows that passed the conjuncts before it, and over the
 * columns that it reads.
 */
final class ConjunctionFilter implements FilterEvaluator {
    /** A conjunct over batches of its columns. */
    record Conjunct(FilterEvaluator filter, Columns columns) {}

    private final List<Conjunct> conjuncts;
    private int[] passed = new int[0];

    ConjunctionFilter(List<Conjunct> conjuncts) {
        this.conjuncts = List.copyOf(conjuncts);
    }

    @Override
    public int filter(Batch input, int[] positions) {
        Conjunct first = conjuncts.getFirst();
        int count = first.filter().filter(first.columns().of(input), positions);
        if (passed.length < input.rowCount()) {
            passed = new int[input.rowCount()];
        }
        for (int c = 1; c < conjuncts.size() && count > 0; c++) {
            Conjunct conjunct = conjuncts.get(c);
            boolean all = count == input.rowCount();
            Batch rows = all ? conjunct.columns().of(input) : conjunct.columns().select(input, positions, count);
            int left = conjunct.filter().filter(rows, passed);
            for (int i = 0; i < left; i++) {
                positions[i] = all ? passed[i] : positions[passed[i]];
            }
            count = left;
        }
        return count;
    }

    @Override
    public void close() {
        conjuncts.forEach(conjunct -> conjunct.filter().close());
    }
}
