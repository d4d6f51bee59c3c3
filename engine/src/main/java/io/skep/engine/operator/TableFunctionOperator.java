package io.skep.engine.operator;

import io.skep.common.query.OperatorKind;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.engine.expression.Evaluator;
import io.skep.engine.expression.ExpressionCompiler;
import io.skep.engine.function.FunctionCatalog.Argument;
import io.skep.engine.function.FunctionRegistry;
import io.skep.engine.function.table.TableFunction;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.PlanNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A table function for each input row: the input's columns beside the function's. Output comes in batches of usual size. */
public final class TableFunctionOperator implements Operator {
    private final TableFunction function;
    private final List<Evaluator> arguments;
    private final List<SqlType> inputTypes;
    private final List<SqlType> functionTypes;
    private final boolean outer;
    private @Nullable Batch pending;
    private int given;
    private boolean finishing;
    private boolean ended;

    public TableFunctionOperator(PlanNode.TableFunction node, FunctionRegistry functions) {
        this.inputTypes = node.input().outputTypes();
        this.functionTypes = node.functionTypes();
        this.outer = node.outer();
        this.arguments = new ExpressionCompiler(functions).compileAll(node.arguments());
        List<SqlType> argumentTypes =
                node.arguments().stream().map(Expression::type).toList();
        this.function = Explosion.handles(node.function(), argumentTypes)
                ? Explosion.of(node.function(), functionTypes)
                : functions.table(
                        node.function(),
                        node.arguments().stream()
                                .map(TableFunctionOperator::argument)
                                .toList());
    }

    private static Argument argument(Expression expression) {
        return new Argument(
                expression.type(),
                expression instanceof Expression.Constant constant ? Optional.of(constant.value()) : Optional.empty());
    }

    @Override
    public OperatorKind kind() {
        return OperatorKind.PROJECT;
    }

    @Override
    public boolean needsInput() {
        return pending == null && !finishing;
    }

    @Override
    public void add(Batch batch) {
        Vector[] values = new Vector[arguments.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = arguments.get(i).evaluate(batch).flatten();
        }
        TableFunction.Rows rows = function.process(values, batch.rowCount());
        setPending(joined(batch, rows));
    }

    private void setPending(Batch batch) {
        pending = batch.rowCount() == 0 ? null : batch;
        given = 0;
    }

    private Batch joined(Batch input, TableFunction.Rows rows) {
        int total = 0;
        for (int i = 0; i < input.rowCount(); i++) {
            int count = rows.counts()[i];
            total = Math.addExact(total, outer && count == 0 ? 1 : count);
        }
        int[] inputRows = new int[total];
        int[] functionRows = new int[total];
        int at = 0;
        int from = 0;
        boolean missing = false;
        for (int i = 0; i < input.rowCount(); i++) {
            int count = rows.counts()[i];
            for (int j = 0; j < count; j++) {
                inputRows[at] = i;
                functionRows[at++] = from++;
            }
            if (outer && count == 0) {
                inputRows[at] = i;
                functionRows[at++] = -1;
                missing = true;
            }
        }
        List<Vector> columns = new ArrayList<>(input.select(inputRows, total).columns());
        for (int i = 0; i < functionTypes.size(); i++) {
            Vector values = rows.columns().get(i);
            columns.add(!missing ? values : OuterRows.select(values, functionTypes.get(i), functionRows, total));
        }
        return new Batch(columns, total);
    }

    @Override
    public @Nullable Batch output() {
        Batch batch = pending;
        if (batch == null) {
            if (finishing && !ended) {
                end();
            }
            return null;
        }
        int count = Math.min(Batch.TARGET_ROWS, batch.rowCount() - given);
        Batch slice = batch.slice(given, count);
        given += count;
        if (given == batch.rowCount()) {
            pending = null;
        }
        return slice;
    }

    /** Rows after the last input row have nulls for its columns. */
    private void end() {
        ended = true;
        TableFunction.Rows rows = function.finish();
        int count = rows.counts()[0];
        List<Vector> columns = new ArrayList<>();
        inputTypes.forEach(type -> columns.add(VectorAppender.nulls(type, count)));
        columns.addAll(rows.columns());
        if (count > 0) {
            setPending(new Batch(columns, count));
        }
    }

    @Override
    public void finish() {
        finishing = true;
    }

    @Override
    public boolean finished() {
        return ended && pending == null;
    }

    @Override
    public void close() {
        arguments.forEach(Evaluator::close);
    }
}
