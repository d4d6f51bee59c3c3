package io.skep.engine.operator;

import io.skep.common.query.OperatorKind;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.BatchRows;
import io.skep.common.vector.Vector;
import io.skep.engine.plan.SortKey;
import io.skep.engine.rows.Compaction;
import io.skep.engine.rows.Concatenation;
import io.skep.engine.rows.RowOrder;
import io.skep.engine.rows.RowSorter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Returns the first rows of its input in an order. Rows are collected and cut to the best ones from time to time, or at
 * once if memory is short. After the first cut, rows that come after the worst kept row are dropped immediately.
 */
public final class TopNOperator implements Operator {
    private static final int SLACK = 8192;

    private final List<SqlType> types;
    private final int batchRows;
    private final List<SortKey> keys;
    private final RowOrder order;
    private final int limit;
    private final OperatorMemory memory;
    private final List<Batch> buffered = new ArrayList<>();
    private long bufferedBytes;
    private int bufferedRows;
    private @Nullable Batch best;
    private int given;
    private boolean finishing;

    public TopNOperator(List<SqlType> types, List<SortKey> keys, int limit, OperatorContext context) {
        this.types = List.copyOf(types);
        this.batchRows = BatchRows.of(this.types);
        this.keys = List.copyOf(keys);
        this.order = new RowOrder(keys);
        this.limit = limit;
        this.memory = context.account();
    }

    @Override
    public OperatorKind kind() {
        return OperatorKind.SORT;
    }

    @Override
    public CompletableFuture<?> blocked() {
        return memory.granted();
    }

    @Override
    public boolean needsInput() {
        return !finishing && limit > 0;
    }

    @Override
    public void add(Batch batch) {
        Batch candidates = candidates(batch);
        if (candidates.rowCount() == 0) {
            return;
        }
        Batch kept = Compaction.of(candidates, types);
        buffered.add(kept);
        bufferedRows += kept.rowCount();
        bufferedBytes += kept.retainedBytes();
        boolean enough = bufferedRows > (long) limit * 2 + SLACK;
        if (enough || !memory.trySet(bufferedBytes)) {
            cut();
        }
    }

    private Batch candidates(Batch batch) {
        Batch worst = best;
        if (worst == null || worst.rowCount() < limit) {
            return batch;
        }
        int[] positions = new int[batch.rowCount()];
        int count = 0;
        for (int i = 0; i < batch.rowCount(); i++) {
            if (order.compare(batch, i, worst, worst.rowCount() - 1) < 0) {
                positions[count++] = i;
            }
        }
        return count == batch.rowCount() ? batch : batch.select(positions, count);
    }

    private void cut() {
        List<Batch> all = new ArrayList<>();
        if (best != null) {
            all.add(best);
        }
        all.addAll(buffered);
        if (all.isEmpty()) {
            return;
        }
        Batch joined = Concatenation.of(all, types);
        int[] sorted = RowSorter.sort(flatKeys(joined), keys);
        int count = Math.min(limit, sorted.length);
        Batch cut = Compaction.of(joined.select(Arrays.copyOf(sorted, count), count), types);
        best = cut;
        buffered.clear();
        bufferedRows = 0;
        bufferedBytes = cut.retainedBytes();
        memory.set(bufferedBytes);
    }

    private Batch flatKeys(Batch batch) {
        List<Vector> columns = new ArrayList<>(batch.columns());
        keys.forEach(key -> columns.set(key.column(), columns.get(key.column()).flatten()));
        return new Batch(columns, batch.rowCount());
    }

    @Override
    public void finish() {
        finishing = true;
        cut();
    }

    @Override
    public @Nullable Batch output() {
        Batch all = best;
        if (!finishing || all == null) {
            return null;
        }
        int count = Math.min(batchRows, all.rowCount() - given);
        Batch batch = all.slice(given, count);
        given += count;
        if (given == all.rowCount()) {
            best = null;
        }
        return batch;
    }

    @Override
    public boolean finished() {
        return limit == 0 || finishing && best == null;
    }

    @Override
    public void close() {
        best = null;
        buffered.clear();
        memory.close();
    }
}
