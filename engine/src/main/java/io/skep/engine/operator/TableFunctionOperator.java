package io.skep.engine.operator;

import io.skep.common.query.OperatorKind;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.BatchRows;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.engine.expression.Evaluator;
import io.skep.engine.expression.ExpressionCompiler;
import io.skep.engine.function.FunctionCatalog.Argument;
import io.skep.engine.function.FunctionRegistry;
import io.skep.engine.function.table.ReplicateRows;
import io.skep.engine.function.table.TableFunction;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.PlanNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Applies a table function to each input row. The output consists of the input's columns followed by the function's
 * columns. Batches have the usual size and are built one at a time.
 */
public final class TableFunctionOperator implements Operator {
    private final TableFunction function;
    private final List<Evaluator> arguments;
    private final List<SqlType> inputTypes;
    private final List<SqlType> functionTypes;
    private final boolean outer;
    private final int batchRows;
    private @Nullable Batch input;
    /** The first input row that has no output yet. */
    private int unmatched;

    private @Nullable Joined pending;
    private int given;
    private boolean finishing;
    private boolean ended;

    public TableFunctionOperator(PlanNode.TableFunction node, FunctionRegistry functions) {
        this.inputTypes = node.input().outputTypes();
        this.functionTypes = node.functionTypes();
        this.outer = node.outer();
        this.batchRows = BatchRows.of(node.outputTypes());
        this.arguments = new ExpressionCompiler(functions).compileAll(node.arguments());
        List<SqlType> argumentTypes =
                node.arguments().stream().map(Expression::type).toList();
        this.function = function(node, argumentTypes, functions);
    }

    private static TableFunction function(
            PlanNode.TableFunction node, List<SqlType> argumentTypes, FunctionRegistry functions) {
        if (Explosion.handles(node.function(), argumentTypes)) {
            return Explosion.of(node.function(), node.functionTypes());
        }
        if (ReplicateRows.handles(node.function(), argumentTypes)) {
            return new ReplicateRows();
        }
        return functions.table(
                node.function(),
                node.arguments().stream().map(TableFunctionOperator::argument).toList());
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
        return input == null && pending == null && !finishing;
    }

    @Override
    public void add(Batch batch) {
        Vector[] values = new Vector[arguments.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = arguments.get(i).evaluate(batch).flatten();
        }
        function.start(values, batch.rowCount());
        input = batch;
        unmatched = 0;
    }

    private void setPending(Joined joined) {
        pending = joined.rowCount() == 0 ? null : joined;
        given = 0;
    }

    /**
     * Rows of the function, joined with the input rows to which they belong. Rows without an input row have nulls for
     * the input's columns.
     */
    private record Joined(List<Vector> columns, int[] inputRows, int rowCount, Optional<Batch> source) {
        long retainedBytes() {
            long bytes = 4L * inputRows.length;
            for (Vector column : columns) {
                bytes += column.retainedBytes();
            }
            return bytes;
        }
    }

    private void advance(Batch source) {
        TableFunction.Rows rows = function.next();
        if (rows.completed() == source.rowCount()) {
            input = null;
        }
        setPending(
                outer
                        ? withUnmatched(source, rows)
                        : new Joined(rows.columns(), rows.inputRows(), rows.count(), Optional.of(source)));
    }

    /** Adds completed input rows that have no output row, with nulls. */
    private Joined withUnmatched(Batch source, TableFunction.Rows rows) {
        int most = rows.count() + Math.max(0, rows.completed() - unmatched);
        int[] inputRows = new int[most];
        int[] functionRows = new int[most];
        int at = 0;
        for (int i = 0; i < rows.count(); i++) {
            int row = rows.inputRows()[i];
            for (; unmatched < row; unmatched++) {
                inputRows[at] = unmatched;
                functionRows[at++] = -1;
            }
            unmatched = row + 1;
            inputRows[at] = row;
            functionRows[at++] = i;
        }
        for (; unmatched < rows.completed(); unmatched++) {
            inputRows[at] = unmatched;
            functionRows[at++] = -1;
        }
        if (at == rows.count()) {
            return new Joined(rows.columns(), rows.inputRows(), at, Optional.of(source));
        }
        List<Vector> columns = new ArrayList<>();
        for (int i = 0; i < functionTypes.size(); i++) {
            columns.add(OuterRows.select(rows.columns().get(i), functionTypes.get(i), functionRows, at));
        }
        return new Joined(columns, inputRows, at, Optional.of(source));
    }

    @Override
    public @Nullable Batch output() {
        Batch source = input;
        if (pending == null && source != null) {
            advance(source);
        }
        Joined joined = pending;
        if (joined == null) {
            if (input == null && finishing && !ended) {
                end();
            }
            return null;
        }
        int count = Math.min(batchRows, joined.rowCount() - given);
        List<Vector> columns = new ArrayList<>(inputColumns(joined, count));
        for (Vector column : joined.columns()) {
            columns.add(column.slice(given, count));
        }
        given += count;
        if (given == joined.rowCount()) {
            pending = null;
        }
        return new Batch(columns, count);
    }

    private List<Vector> inputColumns(Joined joined, int count) {
        if (joined.source().isEmpty()) {
            return inputTypes.stream()
                    .map(type -> VectorAppender.nulls(type, count))
                    .toList();
        }
        int[] rows = Arrays.copyOfRange(joined.inputRows(), given, given + count);
        return joined.source().get().select(rows, count).columns();
    }

    private void end() {
        ended = true;
        TableFunction.Rows rows = function.finish();
        setPending(new Joined(rows.columns(), new int[0], rows.count(), Optional.empty()));
    }

    @Override
    public long heldBytes() {
        Joined waiting = pending;
        // The waiting rows may include the last rows of their input. The input is then held only through them.
        Batch source = input == null && waiting != null ? waiting.source().orElse(null) : input;
        return (source == null ? 0 : source.retainedBytes()) + (waiting == null ? 0 : waiting.retainedBytes());
    }

    @Override
    public void finish() {
        finishing = true;
    }

    @Override
    public boolean finished() {
        return ended && input == null && pending == null;
    }

    @Override
    public void close() {
        arguments.forEach(Evaluator::close);
    }
}
