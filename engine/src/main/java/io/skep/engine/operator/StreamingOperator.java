package io.skep.engine.operator;

import io.skep.common.vector.Batch;
import org.jspecify.annotations.Nullable;

/** An operator that turns each input batch into at most one output batch at once. */
public abstract class StreamingOperator implements Operator {
    private @Nullable Batch pending;
    private boolean finishing;

    /** The output for an input batch, null or without rows when there is none. */
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

    /** True when no further input could change the output. */
    protected boolean satisfied() {
        return false;
    }
}
