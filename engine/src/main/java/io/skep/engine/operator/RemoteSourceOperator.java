package io.skep.engine.operator;

import io.skep.common.query.OperatorKind;
import io.skep.common.vector.Batch;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Reads rows of other fragments, in no particular order. */
public final class RemoteSourceOperator extends SourceOperator {
    private final PageInputs inputs;

    public RemoteSourceOperator(PageInputs inputs) {
        this.inputs = inputs;
    }

    @Override
    public OperatorKind kind() {
        return OperatorKind.EXCHANGE;
    }

    @Override
    public CompletableFuture<?> blocked() {
        return inputs.blocked();
    }

    @Override
    public @Nullable Batch output() {
        return inputs.poll();
    }

    @Override
    public boolean finished() {
        return inputs.finished();
    }
}
