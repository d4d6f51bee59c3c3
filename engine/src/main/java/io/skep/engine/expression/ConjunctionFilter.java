package io.skep.engine.expression;

import io.skep.common.vector.Batch;
import java.util.List;

/** AND as a filter: each conjunct sees only the rows that passed those before it. */
final class ConjunctionFilter implements FilterEvaluator {
    private final List<FilterEvaluator> conjuncts;
    private int[] passed = new int[0];

    ConjunctionFilter(List<FilterEvaluator> conjuncts) {
        this.conjuncts = List.copyOf(conjuncts);
    }

    @Override
    public int filter(Batch input, int[] positions) {
        int count = conjuncts.getFirst().filter(input, positions);
        if (passed.length < input.rowCount()) {
            passed = new int[input.rowCount()];
        }
        for (int c = 1; c < conjuncts.size() && count > 0; c++) {
            boolean all = count == input.rowCount();
            int left = conjuncts.get(c).filter(all ? input : input.select(positions, count), passed);
            for (int i = 0; i < left; i++) {
                positions[i] = all ? passed[i] : positions[passed[i]];
            }
            count = left;
        }
        return count;
    }

    @Override
    public void close() {
        conjuncts.forEach(FilterEvaluator::close);
    }
}
