package io.skep.engine.operator;

import io.skep.common.memory.MemoryPool;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Vector;
import io.skep.engine.expression.ExpressionCompiler;
import io.skep.engine.expression.FilterEvaluator;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.PlanNode;
import io.skep.storage.scan.PageSource;
import io.skep.storage.scan.PageSourceFactory;
import io.skep.storage.scan.SourceBatch;
import io.skep.storage.table.Split;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Reads splits, one after the other, from a queue that drivers share. The filter is evaluated over its own columns first; the
 * other columns are asked for only when rows survive.
 */
public final class ScanOperator extends SourceOperator {
    private final PlanNode.Scan scan;
    private final PageSourceFactory sources;
    private final SplitQueue splits;
    private final MemoryPool memory;
    private final ScanTotals totals;
    private final List<Integer> filterColumns;
    private final @Nullable FilterEvaluator filter;
    private final SmallBatches small;
    private int[] positions = new int[Batch.TARGET_ROWS];
    private @Nullable PageSource source;
    private boolean noMoreSplits;

    public ScanOperator(
            PlanNode.Scan scan,
            PageSourceFactory sources,
            SplitQueue splits,
            ExpressionCompiler compiler,
            MemoryPool memory,
            ScanTotals totals) {
        this.scan = scan;
        this.sources = sources;
        this.splits = splits;
        this.memory = memory;
        this.totals = totals;
        List<Expression> filters = scan.filter().stream().toList();
        this.filterColumns = ColumnUse.columns(filters);
        this.filter =
                filters.isEmpty() ? null : compiler.compileFilter(ColumnUse.over(filterColumns, filters.getFirst()));
        List<SqlType> types = scan.outputTypes();
        this.small = new SmallBatches(types);
    }

    @Override
    public CompletableFuture<?> blocked() {
        return source == null ? NOT_BLOCKED : source.blocked();
    }

    @Override
    public @Nullable Batch output() {
        PageSource open = source();
        if (open == null) {
            return small.flush();
        }
        if (!open.blocked().isDone()) {
            return null;
        }
        SourceBatch batch = open.next();
        if (batch == null) {
            closeSource();
            return null;
        }
        Batch result = filter == null ? all(batch) : filtered(batch, filter);
        return filter == null ? result : small.add(result);
    }

    private @Nullable PageSource source() {
        if (source == null && !noMoreSplits) {
            Optional<Split> split = splits.next();
            if (split.isPresent()) {
                source = sources.open(scan.request(), split.get(), memory);
            } else {
                noMoreSplits = true;
            }
        }
        return source;
    }

    private Batch all(SourceBatch batch) {
        List<Vector> columns = new ArrayList<>();
        for (int i = 0; i < scan.request().columns().size(); i++) {
            columns.add(batch.column(i));
        }
        return new Batch(columns, batch.rowCount());
    }

    private Batch filtered(SourceBatch batch, FilterEvaluator evaluator) {
        int rows = batch.rowCount();
        if (positions.length < rows) {
            positions = new int[rows];
        }
        List<Vector> filterInput = new ArrayList<>();
        for (int column : filterColumns) {
            filterInput.add(batch.column(column));
        }
        int count = evaluator.filter(new Batch(filterInput, rows), positions);
        if (count == rows) {
            return all(batch);
        }
        List<Vector> columns = new ArrayList<>();
        for (int i = 0; i < scan.request().columns().size() && count > 0; i++) {
            columns.add(batch.column(i).select(positions, count));
        }
        return new Batch(columns, count);
    }

    @Override
    public boolean finished() {
        return noMoreSplits && source == null && small.isEmpty();
    }

    private void closeSource() {
        PageSource open = source;
        if (open != null) {
            source = null;
            totals.add(open.figures());
            open.close();
        }
    }

    @Override
    public void close() {
        noMoreSplits = true;
        closeSource();
        if (filter != null) {
            filter.close();
        }
    }
}
