package io.skep.engine.operator;

import io.skep.common.vector.Batch;

/** The first operator of a pipeline. It accepts no input. */
public abstract class SourceOperator implements Operator {
    @Override
    public final boolean needsInput() {
        return false;
    }

    @Override
    public final void add(Batch batch) {
        throw new IllegalStateException("a source takes no input");
    }

    @Override
    public final void finish() {}
}
