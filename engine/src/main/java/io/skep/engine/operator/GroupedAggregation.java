package io.skep.engine.operator;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;
import io.skep.engine.aggregate.Accumulator;
import io.skep.engine.aggregate.AggregateFunction;
import io.skep.engine.plan.AggregateCall;
import io.skep.engine.rows.GroupIndex;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Groups with the states of some aggregates. Owned by one thread. */
final class GroupedAggregation implements AutoCloseable {
    /** An aggregate call with its function. For DISTINCT it also holds the values that each group has seen. */
    private static final class Aggregate {
        private final AggregateCall call;
        private final Accumulator accumulator;
        private final @Nullable GroupIndex seen;

        Aggregate(AggregateCall call, AggregateFunction function) {
            this.call = call;
            this.accumulator = function.newAccumulator();
            this.seen = call.distinct() ? new GroupIndex(seenTypes(call)) : null;
        }

        private static List<SqlType> seenTypes(AggregateCall call) {
            List<SqlType> types = new ArrayList<>();
            types.add(PrimitiveType.INT);
            types.addAll(call.argumentTypes());
            return types;
        }
    }

    private final boolean global;
    private final GroupIndex index;
    private final List<Aggregate> aggregates = new ArrayList<>();
    private int[] groupIds = new int[Batch.TARGET_ROWS];

    /** @param keyTypes types of the group columns; if there are none, one group exists from the beginning */
    GroupedAggregation(List<SqlType> keyTypes, List<AggregateCall> calls, List<AggregateFunction> functions) {
        this.global = keyTypes.isEmpty();
        this.index = new GroupIndex(keyTypes);
        for (int i = 0; i < calls.size(); i++) {
            aggregates.add(new Aggregate(calls.get(i), functions.get(i)));
        }
        if (global) {
            ensureGroups();
        }
    }

    int size() {
        return global ? 1 : index.size();
    }

    /** Adds raw rows. */
    void add(Batch batch, List<Integer> groupColumns) {
        assign(batch, groupColumns);
        for (Aggregate aggregate : aggregates) {
            addRaw(aggregate, batch);
        }
    }

    /**
     * Returns each row as a separate group: copies of its keys, and its states. Must be called on a table without
     * groups.
     *
     * @param stateColumns for rows of states, see {@link #merge}; null for raw rows
     */
    Batch ungrouped(Batch batch, List<Integer> groupColumns, @Nullable List<Integer> stateColumns) {
        int rows = batch.rowCount();
        if (groupIds.length < rows) {
            groupIds = new int[rows];
        }
        for (int i = 0; i < rows; i++) {
            groupIds[i] = i;
        }
        List<Vector> columns = new ArrayList<>();
        groupColumns.forEach(column -> columns.add(batch.column(column).select(groupIds, rows)));
        for (int i = 0; i < aggregates.size(); i++) {
            Aggregate aggregate = aggregates.get(i);
            aggregate.accumulator.ensureGroups(rows);
            if (stateColumns == null) {
                addRaw(aggregate, batch);
            } else {
                addStates(aggregate, batch, stateColumns.get(i));
            }
            columns.add(aggregate.accumulator.states(0, rows));
        }
        return new Batch(columns, rows);
    }

    /** Adds states. The state column of each call is at the call's position in {@code stateColumns}. */
    void merge(Batch batch, List<Integer> groupColumns, List<Integer> stateColumns) {
        assign(batch, groupColumns);
        for (int i = 0; i < stateColumns.size(); i++) {
            Vector states = batch.column(stateColumns.get(i)).flatten();
            aggregates.get(i).accumulator.merge(groupIds, states, batch.rowCount());
        }
    }

    /** Adds the states that pass the filters of the calls. The filters are columns of this batch. */
    void mergeFiltered(Batch batch, List<Integer> groupColumns, List<Integer> stateColumns) {
        assign(batch, groupColumns);
        for (int i = 0; i < stateColumns.size(); i++) {
            addStates(aggregates.get(i), batch, stateColumns.get(i));
        }
    }

    private void addStates(Aggregate aggregate, Batch batch, int column) {
        int rows = batch.rowCount();
        Vector states = batch.column(column);
        if (aggregate.call.filter().isEmpty()) {
            aggregate.accumulator.merge(groupIds, states.flatten(), rows);
            return;
        }
        int[] positions = new int[rows];
        int kept = passed(batch.column(aggregate.call.filter().getAsInt()).flatten(), rows, positions);
        Vector selected = states.select(positions, kept).flatten();
        aggregate.accumulator.merge(select(groupIds, positions, kept), selected, kept);
    }

    private void assign(Batch batch, List<Integer> groupColumns) {
        if (groupIds.length < batch.rowCount()) {
            groupIds = new int[batch.rowCount()];
        }
        if (!global) {
            List<Vector> keys = new ArrayList<>(groupColumns.size());
            for (int column : groupColumns) {
                keys.add(batch.column(column));
            }
            index.assign(keys, batch.rowCount(), groupIds);
            ensureGroups();
        }
    }

    private void ensureGroups() {
        for (Aggregate aggregate : aggregates) {
            aggregate.accumulator.ensureGroups(size());
        }
    }

    private void addRaw(Aggregate aggregate, Batch batch) {
        int rows = batch.rowCount();
        int[] positions = null;
        if (aggregate.call.filter().isPresent()) {
            positions = new int[rows];
            rows = passed(batch.column(aggregate.call.filter().getAsInt()).flatten(), rows, positions);
        }
        Vector[] arguments = new Vector[aggregate.call.arguments().size()];
        for (int i = 0; i < arguments.length; i++) {
            Vector argument = batch.column(aggregate.call.arguments().get(i));
            arguments[i] = (positions == null ? argument : argument.select(positions, rows)).flatten();
        }
        int[] ids = positions == null ? groupIds : select(groupIds, positions, rows);
        GroupIndex seen = aggregate.seen;
        if (seen != null) {
            addUnseen(aggregate.accumulator, seen, ids, arguments, rows);
        } else if (global) {
            aggregate.accumulator.addAll(0, arguments, rows);
        } else {
            aggregate.accumulator.add(ids, arguments, rows);
        }
    }

    private static int passed(Vector condition, int rows, int[] positions) {
        long[] values = ((LongVector) condition).values();
        long[] nulls = condition.nulls();
        int count = 0;
        for (int i = 0; i < rows; i++) {
            positions[count] = i;
            count += values[i] != 0 && !NullMask.isNull(nulls, i) ? 1 : 0;
        }
        return count;
    }

    private static int[] select(int[] values, int[] positions, int count) {
        int[] selected = new int[count];
        for (int i = 0; i < count; i++) {
            selected[i] = values[positions[i]];
        }
        return selected;
    }

    private static void addUnseen(Accumulator accumulator, GroupIndex seen, int[] ids, Vector[] arguments, int rows) {
        List<Vector> columns = new ArrayList<>();
        long[] groups = new long[rows];
        for (int i = 0; i < rows; i++) {
            groups[i] = ids[i];
        }
        columns.add(new LongVector(groups, null, rows));
        columns.addAll(List.of(arguments));
        int known = seen.size();
        int[] numbers = new int[rows];
        seen.assign(columns, rows, numbers);
        int[] positions = new int[rows];
        int count = 0;
        for (int i = 0; i < rows; i++) {
            if (numbers[i] >= known) {
                // New rows are numbered in the order of their first occurrence, unless hash bits collided.
                positions[count++] = i;
            }
        }
        count = firsts(numbers, positions, count, known, seen.size());
        Vector[] selected = new Vector[arguments.length];
        for (int i = 0; i < selected.length; i++) {
            selected[i] = arguments[i].select(positions, count);
        }
        accumulator.add(select(ids, positions, count), selected, count);
    }

    /** Keeps the first row of each new number. */
    private static int firsts(int[] numbers, int[] positions, int count, int known, int size) {
        boolean[] taken = new boolean[size - known];
        int kept = 0;
        for (int i = 0; i < count; i++) {
            int number = numbers[positions[i]] - known;
            if (!taken[number]) {
                taken[number] = true;
                positions[kept++] = positions[i];
            }
        }
        return kept;
    }

    /** Returns keys and states of groups {@code [from, from + count)}. */
    Batch states(int from, int count) {
        return output(from, count, true);
    }

    /** Returns keys and results of groups {@code [from, from + count)}. */
    Batch results(int from, int count) {
        return output(from, count, false);
    }

    private Batch output(int from, int count, boolean states) {
        List<Vector> columns = new ArrayList<>(global ? List.of() : index.keys(from, count));
        for (Aggregate aggregate : aggregates) {
            columns.add(
                    states ? aggregate.accumulator.states(from, count) : aggregate.accumulator.results(from, count));
        }
        return new Batch(columns, count);
    }

    /** Returns the hashes of the keys of groups {@code [from, from + count)}. */
    long[] hashes(int from, int count) {
        long[] hashes = new long[count];
        index.hashes(from, count, hashes);
        return hashes;
    }

    long retainedBytes() {
        long bytes = index.retainedBytes();
        for (Aggregate aggregate : aggregates) {
            bytes += aggregate.accumulator.retainedBytes();
            GroupIndex seen = aggregate.seen;
            bytes += seen == null ? 0 : seen.retainedBytes();
        }
        return bytes;
    }

    boolean distinct() {
        return aggregates.stream().anyMatch(aggregate -> aggregate.seen != null);
    }

    @Override
    public void close() {
        aggregates.forEach(aggregate -> aggregate.accumulator.close());
    }
}
