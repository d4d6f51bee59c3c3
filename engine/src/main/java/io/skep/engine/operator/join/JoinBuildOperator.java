package io.skep.engine.operator.join;

import io.skep.common.query.OperatorKind;
import io.skep.common.vector.Batch;
import io.skep.engine.operator.Operator;
import io.skep.engine.operator.OperatorContext;
import org.jspecify.annotations.Nullable;

/** The sink of a join's build side. */
public final class JoinBuildOperator implements Operator {
    private final HashJoin.Shared shared;
    private boolean finished;

    public JoinBuildOperator(HashJoin.Shared shared, OperatorContext context) {
        this.shared = shared;
        shared.build(context);
    }

    @Override
    public OperatorKind kind() {
        return OperatorKind.JOIN;
    }

    @Override
    public boolean needsInput() {
        return !finished;
    }

    @Override
    public void add(Batch batch) {
        shared.build().add(batch);
    }

    @Override
    public @Nullable Batch output() {
        return null;
    }

    @Override
    public void revokeMemory() {
        shared.build().revokeMemory();
        shared.build().declineRevocation();
    }

    @Override
    public void finish() {
        if (!finished) {
            finished = true;
            shared.build().finish();
        }
    }

    @Override
    public boolean finished() {
        return finished;
    }
}
