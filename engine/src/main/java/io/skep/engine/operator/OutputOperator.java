package io.skep.engine.operator;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.query.OperatorKind;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Vector;
import io.skep.engine.exchange.TaskOutput;
import io.skep.engine.filter.ColumnValues;
import io.skep.engine.filter.ValueCollector;
import io.skep.engine.plan.Fragment;
import io.skep.engine.rows.RowHash;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Passes a task's rows to its output, to the partitions that the fragment's kind of output requires. */
public final class OutputOperator implements Operator {
    /** The state that a task's drivers share. */
    public static final class Shared {
        private final TaskOutput output;
        private final Fragment.Output kind;
        private final AtomicInteger unfinished;
        private final AtomicLong rows = new AtomicLong();
        private final AtomicInteger turn = new AtomicInteger();
        private final Map<Integer, SqlType> reported;

        @GuardedBy("this")
        private final Map<Integer, ColumnValues> values = new HashMap<>();

        /** @param reported columns whose values are collected, with their types */
        public Shared(TaskOutput output, Fragment.Output kind, int drivers, Map<Integer, SqlType> reported) {
            this.output = output;
            this.kind = kind;
            this.unfinished = new AtomicInteger(drivers);
            this.reported = Map.copyOf(reported);
        }

        /** Returns the values of the columns whose values are collected. Complete when the task has finished. */
        public synchronized Map<Integer, ColumnValues> values() {
            return Map.copyOf(values);
        }

        private synchronized void add(int column, ColumnValues some) {
            values.merge(column, some, ColumnValues::and);
        }

        public long rows() {
            return rows.get();
        }

        public boolean finished() {
            return unfinished.get() == 0;
        }
    }

    private final Shared shared;
    private final RowPartitioner partitioner;
    private final Map<Integer, ValueCollector> collectors = new HashMap<>();
    private boolean finished;

    public OutputOperator(Shared shared) {
        this.shared = shared;
        this.partitioner = new RowPartitioner(shared.output.partitions());
        shared.reported.forEach((column, type) -> collectors.put(column, new ValueCollector(type)));
    }

    @Override
    public OperatorKind kind() {
        return OperatorKind.EXCHANGE;
    }

    @Override
    public CompletableFuture<?> blocked() {
        return shared.output.hasReaders() ? shared.output.blocked() : NOT_BLOCKED;
    }

    @Override
    public boolean needsInput() {
        return !finished;
    }

    @Override
    public void add(Batch batch) {
        TaskOutput output = shared.output;
        shared.rows.addAndGet(batch.rowCount());
        collectors.forEach((column, collector) -> collector.add(batch.column(column), batch.rowCount()));
        int partitions = output.partitions();
        switch (shared.kind) {
            case Fragment.Output.Gather g -> output.add(0, batch);
            case Fragment.Output.RoundRobin r ->
                output.add(Math.floorMod(shared.turn.getAndIncrement(), partitions), batch);
            case Fragment.Output.Broadcast b -> {
                for (int i = 0; i < partitions; i++) {
                    output.add(i, batch);
                }
            }
            case Fragment.Output.Hash hash -> hash(batch, hash.columns());
        }
    }

    private void hash(Batch batch, List<Integer> columns) {
        if (shared.output.partitions() == 1) {
            shared.output.add(0, batch);
            return;
        }
        List<Vector> keys = new ArrayList<>();
        columns.forEach(column -> keys.add(batch.column(column)));
        long[] hashes = new long[batch.rowCount()];
        RowHash.hash(keys, batch.rowCount(), hashes);
        partitioner.split(batch, hashes, shared.output::add);
    }

    @Override
    public @Nullable Batch output() {
        return null;
    }

    @Override
    public void finish() {
        if (!finished) {
            finished = true;
            collectors.forEach((column, collector) -> shared.add(column, collector.values()));
            if (shared.unfinished.decrementAndGet() == 0) {
                shared.output.finish();
            }
        }
    }

    @Override
    public boolean finished() {
        if (!finished && !shared.output.hasReaders()) {
            // Rows that no reader wants were not examined.
            collectors.keySet().forEach(column -> shared.add(column, ColumnValues.ANY));
            finish();
        }
        return finished;
    }
}
