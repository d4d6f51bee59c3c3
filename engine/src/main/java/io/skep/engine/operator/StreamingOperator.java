package io.skep.engine.operator;

import io.skep.common.vector.Batch;
import org.jspecify.annotations.Nullable;

/** An operator that immediately converts each input batch to at most one output batch. */
public abstract class StreamingOperator implements Operator {
    private @Nullable Batch pending;
    private boolean finishing;

    /** Returns the output for an input batch. If there is none, the result is null or has no rows. */
    protected abstract @Nullable Batch process(Batch batch);

    @Override
    public final boolean needsInput() {
        return pending == null && !finishing && !satisfied();
    }

    @Override
    public final void add(Batch batch) {
        Batch result = process(batch);
        pending = result == null || result.rowCount() == 0 ? null : result;
    }

    @Override
    public final @Nullable Batch output() {
        Batch result = pending;
        pending = null;
        return result;
    }

    @Override
    public final long heldBytes() {
        Batch waiting = pending;
        return waiting == null ? 0 : waiting.retainedBytes();
    }

    @Override
    public void finish() {
        finishing = true;
    }

    @Override
    public final boolean finished() {
        return pending == null && (finishing || satisfied());
    }

    /** Whether further input cannot change the output. */
    protected boolean satisfied() {
        return false;
    }
}
