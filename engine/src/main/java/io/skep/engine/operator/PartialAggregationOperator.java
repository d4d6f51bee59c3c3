package io.skep.engine.operator;

import io.skep.common.query.OperatorKind;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.BatchRows;
import io.skep.engine.aggregate.AggregateFunction;
import io.skep.engine.plan.AggregateCall;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Aggregates raw rows, or states of smaller groups, to states of groups, as far as that reduces the number of rows. It
 * outputs its table when the table has grown large or memory is refused or revoked. If nearly every row was a separate
 * group, it stops grouping.
 */
public final class PartialAggregationOperator implements Operator {
    private static final long MAX_TABLE_BYTES = 16 << 20;
    private static final int SAMPLE_ROWS = 50_000;
    private static final double USELESS = 0.75;

    private final List<SqlType> keyTypes;
    private final List<Integer> groupColumns;
    private final List<AggregateCall> calls;
    private final List<AggregateFunction> functions;
    private final @Nullable List<Integer> stateColumns;
    private final OperatorMemory memory;
    private final int batchRows;
    /** Rows that become separate groups. */
    private final BatchSlices rest;

    private GroupedAggregation groups;
    private long rowsInTable;
    private int given;
    private boolean flushing;
    private boolean ungrouped;
    private @Nullable Batch pending;
    private boolean finishing;
    private boolean anyOutput;

    /** @param stateColumns columns with the states of the calls, for input from a previous step; null for raw rows */
    public PartialAggregationOperator(
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
        this.memory = context.revocableAccount();
        this.groups = newGroups();
        List<SqlType> types = new ArrayList<>(keyTypes);
        functions.forEach(function -> types.add(function.stateType()));
        this.batchRows = BatchRows.of(types);
        this.rest = new BatchSlices(types);
    }

    private GroupedAggregation newGroups() {
        return new GroupedAggregation(keyTypes, calls, functions);
    }

    @Override
    public OperatorKind kind() {
        return OperatorKind.AGGREGATION;
    }

    @Override
    public InputRetention inputRetention() {
        return InputRetention.COPIES;
    }

    @Override
    public boolean needsInput() {
        return !finishing && !flushing && pending == null && rest.isEmpty();
    }

    @Override
    public void add(Batch batch) {
        if (ungrouped) {
            rest.setBatch(batch);
            pending = ungroupedNext();
            return;
        }
        if (stateColumns == null) {
            groups.add(batch, groupColumns);
        } else {
            groups.mergeFiltered(batch, groupColumns, stateColumns);
        }
        rowsInTable += batch.rowCount();
        if (keyTypes.isEmpty()) {
            return;
        }
        long bytes = groups.retainedBytes();
        boolean large = bytes > MAX_TABLE_BYTES || !memory.trySet(bytes);
        boolean useless = rowsInTable >= SAMPLE_ROWS && groups.size() > USELESS * rowsInTable;
        ungrouped = useless;
        flushing = large || useless;
    }

    private @Nullable Batch ungroupedNext() {
        Batch rows = rest.next();
        if (rows == null) {
            return null;
        }
        Batch states = groups.ungrouped(rows, groupColumns, stateColumns);
        groups.close();
        groups = newGroups();
        return states;
    }

    /** Flushes the groups. Their memory is released when the downstream operator has consumed them. */
    @Override
    public void revokeMemory() {
        if (memory.isRevocationRequested()) {
            flushing |= groups.size() > 0;
            memory.declineRevocation();
        }
    }

    @Override
    public @Nullable Batch output() {
        Batch ready = pending;
        if (ready != null) {
            pending = null;
            return ready;
        }
        if (!rest.isEmpty()) {
            return ungroupedNext();
        }
        if (!flushing && !finishing || given == groups.size()) {
            return null;
        }
        int count = Math.min(batchRows, groups.size() - given);
        Batch batch = groups.states(given, count);
        given += count;
        anyOutput = true;
        if (given == groups.size()) {
            restart();
        }
        return batch;
    }

    private void restart() {
        groups.close();
        flushing = false;
        given = 0;
        rowsInTable = 0;
        groups = newGroups();
        if (finishing && keyTypes.isEmpty()) {
            given = groups.size();
        }
        memory.trySet(0);
    }

    @Override
    public long heldBytes() {
        Batch waiting = pending;
        return rest.heldBytes() + (waiting == null ? 0 : waiting.retainedBytes());
    }

    @Override
    public void finish() {
        finishing = true;
    }

    @Override
    public boolean finished() {
        return finishing
                && pending == null
                && rest.isEmpty()
                && given == groups.size()
                && (anyOutput || !keyTypes.isEmpty());
    }

    @Override
    public void close() {
        try (memory) {
            groups.close();
        }
    }
}
