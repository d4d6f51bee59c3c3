package io.skep.engine.operator;

import io.skep.common.query.OperatorKind;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Vector;
import io.skep.engine.expression.Evaluator;
import io.skep.engine.expression.ExpressionCompiler;
import io.skep.engine.plan.Expression;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Returns each input batch once for each list of projections. */
public final class ExpandOperator implements Operator {
    private final List<List<Evaluator>> projections = new ArrayList<>();
    private final BatchSlices rest;
    private @Nullable Batch input;
    private int next;
    private boolean finishing;

    public ExpandOperator(List<List<Expression>> projections, ExpressionCompiler compiler) {
        projections.forEach(expressions -> this.projections.add(compiler.compileAll(expressions)));
        this.rest = new BatchSlices(projections.stream()
                .limit(1)
                .flatMap(List::stream)
                .map(Expression::type)
                .toList());
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
    public boolean needsInput() {
        return input == null && !finishing;
    }

    @Override
    public void add(Batch batch) {
        rest.setBatch(batch);
        advance();
    }

    private void advance() {
        input = rest.next();
        next = 0;
    }

    @Override
    public @Nullable Batch output() {
        Batch batch = input;
        if (batch == null) {
            return null;
        }
        List<Vector> columns = new ArrayList<>();
        for (Evaluator evaluator : projections.get(next)) {
            columns.add(evaluator.evaluate(batch));
        }
        if (++next == projections.size()) {
            advance();
        }
        return new Batch(columns, batch.rowCount());
    }

    @Override
    public void finish() {
        finishing = true;
    }

    @Override
    public boolean finished() {
        return finishing && input == null;
    }

    @Override
    public void close() {
        projections.forEach(evaluators -> evaluators.forEach(Evaluator::close));
    }
}
