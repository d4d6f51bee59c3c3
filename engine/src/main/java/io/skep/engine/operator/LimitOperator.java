package io.skep.engine.operator;

import io.skep.common.query.OperatorKind;
import io.skep.common.vector.Batch;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Skips rows and passes a number of rows on. Drivers share one budget, so that all together pass no more than the
 * limit.
 */
public final class LimitOperator extends StreamingOperator {
    /** The number of rows that remain to be skipped and passed. Thread-safe. */
    public static final class Budget {
        private final AtomicLong toSkip;
        private final AtomicLong toPass;

        public Budget(long offset, long count) {
            toSkip = new AtomicLong(offset);
            toPass = new AtomicLong(count);
        }

        private static int take(AtomicLong budget, int wanted) {
            long before = budget.getAndUpdate(left -> left - Math.min(left, wanted));
            return (int) Math.min(before, wanted);
        }
    }

    private final Budget budget;

    public LimitOperator(Budget budget) {
        this.budget = budget;
    }

    @Override
    public OperatorKind kind() {
        return OperatorKind.PROJECT;
    }

    @Override
    public InputRetention inputRetention() {
        return InputRetention.PASSES_ON;
    }

    @Override
    protected @Nullable Batch process(Batch batch) {
        int skipped = Budget.take(budget.toSkip, batch.rowCount());
        int passed = Budget.take(budget.toPass, batch.rowCount() - skipped);
        return passed == 0 ? null : batch.slice(skipped, passed);
    }

    @Override
    protected boolean satisfied() {
        return budget.toPass.get() == 0;
    }
}
