package io.skep.engine.operator;

import io.skep.common.query.OperatorKind;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Vector;
import io.skep.engine.expression.Evaluator;
import io.skep.engine.expression.ExpressionCompiler;
import io.skep.engine.expression.FilterEvaluator;
import io.skep.engine.plan.Expression;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keeps the rows for which a predicate is true, if there is one, and computes expressions over them. */
public final class FilterProjectOperator implements Operator {
    private final List<Integer> filterColumns;
    private final @Nullable FilterEvaluator filter;
    private final List<Integer> projectedColumns;
    private final List<Evaluator> projections;
    private final SmallBatches small;
    /** Rows that are not yet projected. */
    private final BatchSlices rest;

    private int[] positions = new int[Batch.TARGET_ROWS];
    private @Nullable Batch pending;
    private boolean finishing;

    public FilterProjectOperator(
            Optional<Expression> predicate, List<Expression> expressions, ExpressionCompiler compiler) {
        this.filterColumns = ColumnUse.columns(predicate.stream().toList());
        this.filter = predicate
                .map(condition -> compiler.compileFilter(ColumnUse.over(filterColumns, condition)))
                .orElse(null);
        this.projectedColumns = ColumnUse.columns(expressions);
        this.projections = compiler.compileAll(expressions.stream()
                .map(expression -> ColumnUse.over(projectedColumns, expression))
                .toList());
        List<SqlType> types = expressions.stream().map(Expression::type).toList();
        this.small = new SmallBatches(types);
        this.rest = new BatchSlices(types);
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
        return pending == null && rest.isEmpty() && !finishing;
    }

    @Override
    public void add(Batch batch) {
        if (filter == null) {
            rest.setBatch(columns(batch, projectedColumns));
            pending = projectNext();
            return;
        }
        int rows = batch.rowCount();
        if (positions.length < rows) {
            positions = new int[rows];
        }
        int count = filter.filter(columns(batch, filterColumns), positions);
        if (count > 0) {
            Batch used = columns(batch, projectedColumns);
            boolean whole = count == rows && small.passesAtOnce(count);
            rest.setBatch(whole ? used : used.select(positions, count));
            pending = addNext();
        }
    }

    private static Batch columns(Batch batch, List<Integer> indexes) {
        List<Vector> columns = new ArrayList<>(indexes.size());
        for (int index : indexes) {
            columns.add(batch.column(index));
        }
        return new Batch(columns, batch.rowCount());
    }

    private @Nullable Batch projectNext() {
        Batch input = rest.next();
        return input == null ? null : project(input);
    }

    private @Nullable Batch addNext() {
        Batch projected = projectNext();
        return projected == null ? null : small.add(projected);
    }

    private Batch project(Batch input) {
        List<Vector> columns = new ArrayList<>(projections.size());
        for (Evaluator projection : projections) {
            columns.add(projection.evaluate(input));
        }
        return new Batch(columns, input.rowCount());
    }

    @Override
    public @Nullable Batch output() {
        Batch result = pending;
        pending = null;
        if (result == null && !rest.isEmpty()) {
            return filter == null ? projectNext() : addNext();
        }
        return result == null && finishing ? small.flush() : result;
    }

    @Override
    public long heldBytes() {
        Batch waiting = pending;
        return small.heldBytes() + rest.heldBytes() + (waiting == null ? 0 : waiting.retainedBytes());
    }

    @Override
    public void finish() {
        finishing = true;
    }

    @Override
    public boolean finished() {
        return finishing && pending == null && rest.isEmpty() && small.isEmpty();
    }

    @Override
    public void close() {
        if (filter != null) {
            filter.close();
        }
        projections.forEach(Evaluator::close);
    }
}
