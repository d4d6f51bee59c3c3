package io.skep.engine.operator;

import io.skep.common.query.OperatorKind;
import io.skep.common.vector.Batch;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Reads several sources, one after the other. Under a limit, the second source is read only for rows that the first
 * does not supply.
 */
public final class SequentialSourceOperator extends SourceOperator {
    private final List<Operator> sources;
    private int current;

    /** @param sources the sources, which this operator owns from now on */
    public SequentialSourceOperator(List<Operator> sources) {
        this.sources = List.copyOf(sources);
    }

    @Override
    public OperatorKind kind() {
        return OperatorKind.EXCHANGE;
    }

    @Override
    public CompletableFuture<?> blocked() {
        return finished() ? NOT_BLOCKED : sources.get(current).blocked();
    }

    @Override
    public @Nullable Batch output() {
        return finished() ? null : sources.get(current).output();
    }

    @Override
    public boolean finished() {
        while (current < sources.size() && sources.get(current).finished()) {
            current++;
        }
        return current == sources.size();
    }

    @Override
    public void close() {
        sources.forEach(Operator::close);
    }
}
