package io.skep.ql.compaction;

import io.skep.common.concurrent.Interruption;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.BatchRows;
import io.skep.common.vector.Vector;
import io.skep.engine.exchange.PageInput;
import io.skep.engine.operator.MergeOperator;
import io.skep.engine.plan.SortKey;
import io.skep.engine.rows.Compaction;
import io.skep.engine.rows.Concatenation;
import io.skep.engine.rows.RetainedBytes;
import io.skep.engine.rows.RowSorter;
import io.skep.storage.compaction.CompactedPlace;
import io.skep.storage.compaction.CompactionFiles;
import io.skep.storage.table.Column;
import io.skep.storage.write.PageSink;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Sorts the rows of a rebalance. Rows that do not fit into a run's memory become sorted files of the table's format
 * below a staging folder, which are merged at the end. The caller deletes the folder. Owned by one thread.
 */
final class SortedRows {
    /** The most bytes of a run, if the memory for compactions has as many. */
    static final long RUN_BYTES = 64L << 20;

    /** The most files that are open in a merge. */
    private static final int MAX_RUNS = 32;

    private static final long BYTES_A_ROW = 32;

    private final CompactionFiles io;
    private final CompactedPlace place;
    private final List<SqlType> types;
    private final List<SortKey> keys;
    private final String folder;
    private final long runBytes;
    private final RetainedBytes keptBytes = new RetainedBytes();
    private final List<Batch> buffered = new ArrayList<>();
    private final List<String> runs = new ArrayList<>();
    private long reserved;
    private int files;

    /** @param folder a folder for files, which need not exist */
    SortedRows(CompactionFiles io, CompactedPlace place, List<SortKey> keys, String folder, long runBytes) {
        this.io = io;
        this.place = place;
        this.types = place.table().dataColumns().stream().map(Column::type).toList();
        this.keys = List.copyOf(keys);
        this.folder = folder;
        this.runBytes = runBytes;
    }

    /**
     * Passes rows on in their order.
     *
     * @param rows passes all rows to what it is given
     */
    void pass(Consumer<Consumer<Batch>> rows, Consumer<Batch> target) {
        try {
            rows.accept(this::add);
            if (runs.isEmpty()) {
                sort(target);
                return;
            }
            writeRun();
            while (runs.size() > MAX_RUNS) {
                List<String> first = List.copyOf(runs.subList(0, MAX_RUNS));
                write(sink -> merge(first, sink));
                runs.subList(0, MAX_RUNS).clear();
                first.forEach(io.files()::delete);
            }
            merge(runs, target);
        } finally {
            release();
        }
    }

    private void add(Batch batch) {
        Batch kept = Compaction.of(batch, types);
        // Counted twice, because the rows are copied to one batch before they are sorted.
        long bytes = 2 * keptBytes.of(kept) + BYTES_A_ROW * kept.rowCount();
        if (reserved + bytes > runBytes || !io.memory().tryReserve(bytes)) {
            writeRun();
            io.memory().reserve(bytes);
        }
        reserved += bytes;
        buffered.add(kept);
    }

    private void release() {
        io.memory().release(reserved);
        reserved = 0;
        buffered.clear();
    }

    private void writeRun() {
        if (!buffered.isEmpty()) {
            write(this::sort);
        }
        release();
    }

    /** Sorts the rows of the buffer. */
    private void sort(Consumer<Batch> target) {
        if (buffered.isEmpty()) {
            return;
        }
        Batch all = Concatenation.of(buffered, types);
        buffered.clear();
        int[] order = RowSorter.sort(flatKeys(all), keys);
        int rows = BatchRows.of(types);
        for (int from = 0; from < order.length; from += rows) {
            int count = Math.min(rows, order.length - from);
            target.accept(all.select(Arrays.copyOfRange(order, from, from + count), count));
        }
    }

    private Batch flatKeys(Batch batch) {
        List<Vector> columns = new ArrayList<>(batch.columns());
        keys.forEach(key -> columns.set(key.column(), columns.get(key.column()).flatten()));
        return new Batch(columns, batch.rowCount());
    }

    /** Writes a run. */
    private void write(Consumer<Consumer<Batch>> rows) {
        String path = folder + "/run_" + files++;
        PageSink sink = io.sinks().create(place.table(), path);
        boolean written = false;
        try {
            rows.accept(sink::append);
            written = true;
        } finally {
            if (!written) {
                sink.abort();
            }
        }
        sink.finish();
        runs.add(path);
    }

    private void merge(List<String> paths, Consumer<Batch> target) {
        List<PageInput> inputs = new ArrayList<>();
        boolean owned = false;
        try {
            for (String path : paths) {
                inputs.add(new RunInput(io, place, path));
            }
            try (MergeOperator merge = new MergeOperator(inputs, types, keys)) {
                owned = true;
                while (!merge.finished()) {
                    Interruption.check();
                    merge.blocked().join();
                    Batch batch = merge.output();
                    if (batch != null) {
                        target.accept(batch);
                    }
                }
            }
        } finally {
            if (!owned) {
                inputs.forEach(PageInput::close);
            }
        }
    }
}
