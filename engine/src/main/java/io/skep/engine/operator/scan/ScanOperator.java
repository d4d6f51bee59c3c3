package io.skep.engine.operator.scan;

import io.skep.common.memory.MemoryPool;
import io.skep.common.query.OperatorKind;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.RecycledArrays;
import io.skep.common.vector.Vector;
import io.skep.engine.expression.ExpressionCompiler;
import io.skep.engine.expression.FilterEvaluator;
import io.skep.engine.filter.ScanFilter;
import io.skep.engine.operator.ColumnUse;
import io.skep.engine.operator.OperatorStatsCollector;
import io.skep.engine.operator.SmallBatches;
import io.skep.engine.operator.SourceOperator;
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
 * Reads splits, one after the other, from a queue that drivers share. It waits for the runtime filters. The scan's own
 * filter is evaluated over its columns, and the runtime filters over theirs. Other columns are requested only if rows
 * pass.
 */
public final class ScanOperator extends SourceOperator {
    /** The weight of a batch in the moving average. */
    private static final double SHARE_STEP = 0.1;

    private final PlanNode.Scan scan;
    private final PageSourceFactory sources;
    private final SplitQueue splits;
    private final MemoryPool memory;
    private final OperatorStatsCollector collector;
    private final List<Integer> filterColumns;
    private final @Nullable FilterEvaluator filter;
    private final ScanFilters runtimeFilters;
    private final SmallBatches small;
    private RecycledArrays arrays = RecycledArrays.untilHandedOut();
    /** Whether the last batch was returned as it was decoded. */
    private boolean handedOut;

    private int[] positions = new int[Batch.TARGET_ROWS];
    private int[] chosen = new int[Batch.TARGET_ROWS];
    /** The fraction of rows that the filter has passed recently, from 0 to 1. */
    private double keptShare = 1;

    private @Nullable PageSource source;
    private boolean noMoreSplits;

    /** @param runtimeFilters the filters of this operator, not shared with other operators */
    public ScanOperator(
            PlanNode.Scan scan,
            List<ScanFilter> runtimeFilters,
            PageSourceFactory sources,
            SplitQueue splits,
            ExpressionCompiler compiler,
            MemoryPool memory,
            OperatorStatsCollector collector) {
        this.scan = scan;
        this.sources = sources;
        this.splits = splits;
        this.memory = memory;
        this.collector = collector;
        List<Expression> filters = scan.filter().stream().toList();
        this.filterColumns = ColumnUse.columns(filters);
        this.filter =
                filters.isEmpty() ? null : compiler.compileFilter(ColumnUse.over(filterColumns, filters.getFirst()));
        this.runtimeFilters = new ScanFilters(scan, runtimeFilters);
        List<SqlType> types = scan.outputTypes();
        this.small = new SmallBatches(types);
    }

    /**
     * Allows the arrays of batches to be reused. Must be called before the first batch.
     *
     * @param atOnce how many of the returned batches may still be in use when the next one is requested
     */
    public void recycle(int atOnce) {
        arrays = RecycledArrays.of(atOnce);
    }

    @Override
    public OperatorKind kind() {
        return OperatorKind.SCAN;
    }

    @Override
    public CompletableFuture<?> blocked() {
        return source == null ? runtimeFilters.ready() : source.blocked();
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
        settle();
        SourceBatch batch = open.next();
        if (batch == null) {
            closeSource();
            return null;
        }
        boolean whole = filter == null && runtimeFilters.isEmpty();
        return whole ? all(batch) : small.add(filtered(batch));
    }

    /** Records whether the arrays of the last batch were handed out or can be reused. */
    private void settle() {
        if (handedOut) {
            arrays.handOut();
            handedOut = false;
        } else {
            arrays.takeBack();
        }
    }

    private @Nullable PageSource source() {
        if (source == null && !noMoreSplits) {
            Optional<Split> split = runtimeFilters.matchesNothing() ? Optional.empty() : splits.next();
            if (split.isPresent()) {
                source = sources.open(runtimeFilters.request(), split.get(), memory, arrays);
            } else {
                noMoreSplits = true;
            }
        }
        return source;
    }

    private Batch all(SourceBatch batch) {
        handedOut = true;
        List<Vector> columns = new ArrayList<>();
        for (int i = 0; i < scan.request().columns().size(); i++) {
            columns.add(batch.column(i));
        }
        return new Batch(columns, batch.rowCount());
    }

    private Batch filtered(SourceBatch batch) {
        int rows = batch.rowCount();
        if (positions.length < rows) {
            positions = new int[rows];
            chosen = new int[rows];
        }
        int count = passing(batch);
        if (count == rows && small.passesAtOnce(count)) {
            return all(batch);
        }
        List<Vector> columns = new ArrayList<>();
        for (int i = 0; i < scan.request().columns().size() && count > 0; i++) {
            columns.add(batch.column(i, positions, count));
        }
        return new Batch(columns, count);
    }

    /** Finds the rows that pass. The more selective of the own filter and the runtime filters is applied first. */
    private int passing(SourceBatch batch) {
        int rows = batch.rowCount();
        FilterEvaluator own = filter;
        boolean looked = runtimeFilters.begin();
        if (own != null && (!looked || keptShare <= runtimeFilters.keptShare())) {
            int count = passing(batch, own, rows);
            return looked ? runtimeFilters.retain(batch, positions, count) : count;
        }
        for (int i = 0; i < rows; i++) {
            positions[i] = i;
        }
        int count = looked ? runtimeFilters.retain(batch, positions, rows) : rows;
        return own == null ? count : passing(batch, own, count);
    }

    /**
     * Returns the number of rows of {@code positions[0..count)}, or of the whole batch, that pass the scan's own
     * filter.
     */
    private int passing(SourceBatch batch, FilterEvaluator own, int count) {
        boolean all = count == batch.rowCount();
        List<Vector> columns = new ArrayList<>();
        for (int column : filterColumns) {
            columns.add(all ? batch.column(column) : batch.column(column, positions, count));
        }
        int kept = count == 0 ? 0 : own.filter(new Batch(columns, count), all ? positions : chosen);
        for (int i = 0; i < kept && !all; i++) {
            positions[i] = positions[chosen[i]];
        }
        keptShare += (count == 0 ? 0 : (double) kept / count - keptShare) * SHARE_STEP;
        return kept;
    }

    @Override
    public long heldBytes() {
        return small.heldBytes() + (source == null ? 0 : source.retainedBytes());
    }

    @Override
    public boolean finished() {
        return noMoreSplits && source == null && small.isEmpty();
    }

    private void closeSource() {
        PageSource open = source;
        if (open != null) {
            source = null;
            collector.add(open.stats());
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
