package io.skep.engine.operator;

import io.skep.common.lifecycle.Closeables;
import io.skep.common.query.OperatorKind;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.BatchRows;
import io.skep.engine.aggregate.AggregateFunction;
import io.skep.engine.plan.AggregateCall;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Aggregates raw rows or states to results, one row per group. If memory is refused or revoked, all states are spilled
 * to files, partitioned by the hash of the keys. At the end the partitions are merged one after the other. A partition
 * that is too large is partitioned further.
 */
public final class FinalAggregationOperator implements Operator {
    private static final int MAX_LEVEL = 6;

    private final List<SqlType> keyTypes;
    private final List<Integer> groupColumns;
    private final List<AggregateCall> calls;
    private final List<AggregateFunction> functions;
    private final @Nullable List<Integer> stateColumns;
    private final OperatorContext context;
    private final OperatorMemory memory;
    /** The rows of a batch of results, and of a batch of states, which has as many columns. */
    private final int batchRows;

    private final List<Integer> spilledKeys = new ArrayList<>();
    private final List<Integer> spilledStates = new ArrayList<>();
    private final List<SpillPartitions.Part> waiting = new ArrayList<>();
    private GroupedAggregation groups;
    private @Nullable SpillPartitions partitions;
    private SpillPartitions.@Nullable Part part;
    private int level;
    private int given;
    private boolean finishing;
    private boolean done;

    /** @param stateColumns columns with the states of the calls, for input from a partial step; null for raw rows */
    public FinalAggregationOperator(
            List<SqlType> keyTypes,
            List<Integer> groupColumns,
            List<AggregateCall> calls,
            List<AggregateFunction> functions,
            @Nullable List<Integer> stateColumns,
            OperatorContext context) {
        this.keyTypes = List.copyOf(keyTypes);
        this.groupColumns = List.copyOf(groupColumns);
        this.calls = List.copyOf(calls);
        this.functions = List.copyOf(functions);
        this.stateColumns = stateColumns;
        this.context = context;
        this.memory = context.revocableAccount();
        this.groups = newGroups();
        List<SqlType> types = new ArrayList<>(keyTypes);
        functions.forEach(function -> types.add(function.stateType()));
        this.batchRows = BatchRows.of(types);
        for (int i = 0; i < keyTypes.size(); i++) {
            spilledKeys.add(i);
        }
        for (int i = 0; i < calls.size(); i++) {
            spilledStates.add(keyTypes.size() + i);
        }
    }

    private GroupedAggregation newGroups() {
        return new GroupedAggregation(keyTypes, calls, functions);
    }

    @Override
    public OperatorKind kind() {
        return OperatorKind.AGGREGATION;
    }

    @Override
    public CompletableFuture<?> blocked() {
        return memory.granted();
    }

    @Override
    public InputRetention inputRetention() {
        return InputRetention.COPIES;
    }

    @Override
    public boolean needsInput() {
        return !finishing;
    }

    @Override
    public void add(Batch batch) {
        if (stateColumns == null) {
            groups.add(batch, groupColumns);
        } else {
            groups.merge(batch, groupColumns, stateColumns);
        }
        account();
    }

    private void account() {
        if (memory.trySet(groups.retainedBytes())) {
            return;
        }
        if (canSpill()) {
            spill();
        } else {
            memory.set(groups.retainedBytes());
        }
    }

    private boolean canSpill() {
        return !keyTypes.isEmpty() && !groups.distinct() && level <= MAX_LEVEL;
    }

    /** Spills the groups whose results have not been returned yet, in the same way as when memory is refused. */
    @Override
    public void revokeMemory() {
        if (!memory.isRevocationRequested()) {
            return;
        }
        if (canSpill() && given < groups.size()) {
            spill();
            if (finishing && part == null) {
                endOfInput();
            }
        }
        memory.declineRevocation();
    }

    private void spill() {
        SpillPartitions target = partitions;
        if (target == null) {
            target = new SpillPartitions(context.spill(), "aggregate", level);
            partitions = target;
        }
        for (int from = given; from < groups.size(); from += batchRows) {
            int count = Math.min(batchRows, groups.size() - from);
            target.add(groups.states(from, count), groups.hashes(from, count));
        }
        restart();
    }

    private void restart() {
        groups.close();
        groups = newGroups();
        given = 0;
        memory.trySet(0);
    }

    @Override
    public void finish() {
        finishing = true;
        endOfInput();
    }

    /** Called when all rows of the task, or of one partition, are in the table or in files. */
    private void endOfInput() {
        SpillPartitions spilled = partitions;
        if (spilled != null) {
            if (given < groups.size()) {
                spill();
            }
            waiting.addAll(spilled.finish());
            partitions = null;
        }
    }

    @Override
    public @Nullable Batch output() {
        if (!finishing || done) {
            return null;
        }
        if (part != null) {
            read(part);
            return null;
        }
        if (given < groups.size()) {
            int count = Math.min(batchRows, groups.size() - given);
            Batch batch = groups.results(given, count);
            given += count;
            return batch;
        }
        restart();
        if (waiting.isEmpty()) {
            done = true;
        } else {
            part = waiting.removeLast();
            level = part.level() + 1;
        }
        return null;
    }

    /** Merges the next rows of a partition. */
    private void read(SpillPartitions.Part current) {
        Batch batch = current.next();
        if (batch == null) {
            current.close();
            part = null;
            endOfInput();
        } else {
            groups.merge(batch, spilledKeys, spilledStates);
            account();
        }
    }

    @Override
    public boolean finished() {
        return done;
    }

    @Override
    public void close() {
        try (memory) {
            groups.close();
            if (part != null) {
                part.close();
            }
            if (partitions != null) {
                Closeables.closeAll(partitions.finish());
            }
            Closeables.closeAll(waiting);
        }
    }
}
