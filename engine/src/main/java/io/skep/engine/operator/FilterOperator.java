package io.skep.engine.operator;

import io.skep.common.query.OperatorKind;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Vector;
import io.skep.engine.expression.ExpressionCompiler;
import io.skep.engine.expression.FilterEvaluator;
import io.skep.engine.plan.Expression;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps the rows for which a predicate is true. */
public final class FilterOperator implements Operator {
    private final List<Integer> columns;
    private final FilterEvaluator filter;
    private final SmallBatches small;
    private int[] positions = new int[Batch.TARGET_ROWS];
    private @Nullable Batch pending;
    private boolean finishing;

    public FilterOperator(Expression predicate, List<SqlType> types, ExpressionCompiler compiler) {
        this.columns = ColumnUse.columns(List.of(predicate));
        this.filter = compiler.compileFilter(ColumnUse.over(columns, predicate));
        this.small = new SmallBatches(types);
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
        return pending == null && !finishing;
    }

    @Override
    public void add(Batch batch) {
        int rows = batch.rowCount();
        if (positions.length < rows) {
            positions = new int[rows];
        }
        List<Vector> looked = new ArrayList<>(columns.size());
        for (int column : columns) {
            looked.add(batch.column(column));
        }
        int count = filter.filter(new Batch(looked, rows), positions);
        if (count > 0) {
            pending = small.add(batch, positions, count);
        }
    }

    @Override
    public @Nullable Batch output() {
        Batch result = pending;
        pending = null;
        return result == null && finishing ? small.flush() : result;
    }

    @Override
    public long heldBytes() {
        Batch waiting = pending;
        return small.heldBytes() + (waiting == null ? 0 : waiting.retainedBytes());
    }

    @Override
    public void finish() {
        finishing = true;
    }

    @Override
    public boolean finished() {
        return finishing && pending == null && small.isEmpty();
    }

    @Override
    public void close() {
        filter.close();
    }
}
