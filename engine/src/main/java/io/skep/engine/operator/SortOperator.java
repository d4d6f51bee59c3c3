package io.skep.engine.operator;

import io.skep.common.lifecycle.Closeables;
import io.skep.common.query.OperatorKind;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.BatchRows;
import io.skep.common.vector.Vector;
import io.skep.engine.exchange.PageInput;
import io.skep.engine.plan.SortKey;
import io.skep.engine.rows.Compaction;
import io.skep.engine.rows.Concatenation;
import io.skep.engine.rows.RetainedBytes;
import io.skep.engine.rows.RowSorter;
import io.skep.engine.spill.SpillFile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sorts all its input. It sorts in memory as long as memory is granted, otherwise in sorted runs on disk that are
 * merged at the end. If memory is revoked after an in-memory sort, the rows that have not been returned yet become a
 * run too.
 */
public final class SortOperator implements Operator {
    private static final int MAX_RUNS = 32;

    /** The maximum number of runs with wide rows, because a merge holds a batch of each run in memory. */
    private static final int MAX_WIDE_RUNS = 8;

    /**
     * The maximum bytes of a batch of a run, unless its rows are wide. A merge holds one batch of each run, which is
     * not in the operator's account.
     */
    private static final long MAX_RUN_BATCH_BYTES = 64L << 10;

    private static final long BYTES_A_ROW = 32;
    private static final long BYTES_A_SORTED_ROW = 4;

    private final List<SqlType> types;
    private final int batchRows;
    private final List<SortKey> keys;
    private final OperatorContext context;
    private final OperatorMemory memory;
    private final List<Batch> buffered = new ArrayList<>();
    private final RetainedBytes keptBytes = new RetainedBytes();
    private final List<SpillFile> runs = new ArrayList<>();
    private long bufferedBytes;
    private @Nullable Batch sorted;
    private int[] order = new int[0];
    private int given;
    private @Nullable MergeOperator merge;
    private boolean finishing;

    public SortOperator(List<SqlType> types, List<SortKey> keys, OperatorContext context) {
        this.types = List.copyOf(types);
        this.batchRows = BatchRows.of(this.types);
        this.keys = List.copyOf(keys);
        this.context = context;
        this.memory = context.revocableAccount();
    }

    @Override
    public OperatorKind kind() {
        return OperatorKind.SORT;
    }

    @Override
    public boolean needsInput() {
        return !finishing;
    }

    @Override
    public void add(Batch batch) {
        Batch kept = Compaction.of(batch, types);
        // Counted twice, because the rows are copied to one batch before they are sorted.
        long bytes = 2 * keptBytes.of(kept) + BYTES_A_ROW * kept.rowCount();
        if (!memory.trySet(bufferedBytes + bytes)) {
            spill();
            memory.trySet(bytes);
        }
        buffered.add(kept);
        bufferedBytes += bytes;
    }

    private Batch sortBuffered() {
        Batch all = Concatenation.of(buffered, types);
        buffered.clear();
        order = RowSorter.sort(flatKeys(all), keys);
        sorted = all;
        given = 0;
        return all;
    }

    private Batch flatKeys(Batch batch) {
        List<Vector> columns = new ArrayList<>(batch.columns());
        keys.forEach(key -> columns.set(key.column(), columns.get(key.column()).flatten()));
        return new Batch(columns, batch.rowCount());
    }

    private void spill() {
        if (buffered.isEmpty()) {
            return;
        }
        sortBuffered();
        writeRun();
        if (runs.size() == (wide() ? MAX_WIDE_RUNS : MAX_RUNS)) {
            mergeRuns();
        }
    }

    /** Writes the remaining sorted rows as a run. */
    private void writeRun() {
        SpillFile run = context.spill().create("sort");
        runs.add(run);
        int rows = sorted == null ? batchRows : runRows(sorted);
        for (Batch batch = nextSorted(rows); batch != null; batch = nextSorted(rows)) {
            run.add(batch);
        }
    }

    /** Returns the number of rows of a batch of a run, from the average bytes of the given rows. */
    private int runRows(Batch rows) {
        long fitting = MAX_RUN_BATCH_BYTES * rows.rowCount() / Math.max(1, rows.retainedBytes());
        return wide() ? batchRows : Math.clamp(fitting, 1, batchRows);
    }

    private void addTo(SpillFile run, Batch batch) {
        int rows = runRows(batch);
        for (int from = 0; from < batch.rowCount(); from += rows) {
            run.add(batch.slice(from, Math.min(rows, batch.rowCount() - from)));
        }
    }

    @Override
    public void revokeMemory() {
        if (!memory.isRevocationRequested()) {
            return;
        }
        if (sorted != null) {
            writeRun();
            merge = merge();
        } else {
            spill();
        }
        memory.declineRevocation();
    }

    /** Merges all runs into one, so that their number stays bounded. */
    private void mergeRuns() {
        SpillFile merged = context.spill().create("sort");
        try (MergeOperator all = merge()) {
            context.repeat(() -> {
                Batch batch = all.output();
                if (batch != null) {
                    addTo(merged, batch);
                }
                return !all.finished();
            });
        }
        runs.clear();
        runs.add(merged);
    }

    private boolean wide() {
        return batchRows < Batch.TARGET_ROWS;
    }

    private MergeOperator merge() {
        if (wide()) {
            memory.require(runs.size() * BatchRows.MAX_BYTES);
        }
        List<PageInput> inputs = new ArrayList<>();
        runs.forEach(run -> inputs.add(new SpillInput(run)));
        return new MergeOperator(inputs, types, keys);
    }

    private @Nullable Batch nextSorted(int rows) {
        Batch all = sorted;
        if (all == null) {
            return null;
        }
        int count = Math.min(rows, all.rowCount() - given);
        Batch batch = all.select(Arrays.copyOfRange(order, given, given + count), count);
        given += count;
        if (given == all.rowCount()) {
            sorted = null;
            order = new int[0];
            bufferedBytes = 0;
            memory.trySet(0);
        }
        return batch;
    }

    @Override
    public void finish() {
        finishing = true;
        if (!runs.isEmpty()) {
            spill();
            merge = merge();
        } else if (!buffered.isEmpty()) {
            Batch all = sortBuffered();
            memory.trySet(all.retainedBytes() + BYTES_A_SORTED_ROW * all.rowCount());
        }
    }

    @Override
    public @Nullable Batch output() {
        if (!finishing) {
            return null;
        }
        return merge == null ? nextSorted(batchRows) : merge.output();
    }

    @Override
    public boolean finished() {
        return finishing && sorted == null && (merge == null || merge.finished());
    }

    @Override
    public void close() {
        buffered.clear();
        sorted = null;
        try (memory) {
            if (merge != null) {
                merge.close();
            }
            Closeables.closeAll(runs);
        }
    }
}
