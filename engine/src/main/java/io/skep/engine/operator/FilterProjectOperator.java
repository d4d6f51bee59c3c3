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

/** Keeps the rows for which a predicate is true, if there is one, and computes expressions of them. */
public final class FilterProjectOperator implements Operator {
    private final List<Integer> filterColumns;
    private final @Nullable FilterEvaluator filter;
    private final List<Integer> projectedColumns;
    private final List<Evaluator> projections;
    private final SmallBatches small;
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
    }

    @Override
    public OperatorKind kind() {
        return OperatorKind.PROJECT;
    }

    @Override
    public InputUse inputUse() {
        return InputUse.PASSES_ON;
    }

    @Override
    public boolean needsInput() {
        return pending == null && !finishing;
    }

    @Override
    public void add(Batch batch) {
        if (filter == null) {
            pending = project(columns(batch, projectedColumns));
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
            pending = small.add(project(whole ? used : used.select(positions, count)));
        }
    }

    private static Batch columns(Batch batch, List<Integer> indexes) {
        List<Vector> columns = new ArrayList<>(indexes.size());
        for (int index : indexes) {
            columns.add(batch.column(index));
        }
        return new Batch(columns, batch.rowCount());
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
        return result == null && finishing ? small.flush() : result;
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
        if (filter != null) {
            filter.close();
        }
        projections.forEach(Evaluator::close);
    }
}
