package io.skep.engine.operator;

import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Vector;
import io.skep.engine.aggregate.WindowFunction;
import io.skep.engine.aggregate.WindowRows;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.SortKey;
import io.skep.engine.plan.WindowCall;
import io.skep.engine.rows.Concatenation;
import io.skep.engine.rows.KeptBytes;
import io.skep.engine.rows.RowEquality;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Window functions: sorts its input by partition and order, on disk when it must, and evaluates blocks of whole partitions. A
 * partition has to fit into memory.
 */
public final class WindowOperator implements Operator {
    private static final int BLOCK_ROWS = 4 * Batch.TARGET_ROWS;

    private final PlanNode.Window node;
    private final List<SqlType> types;
    private final List<WindowFunction> functions;
    private final @Nullable SortOperator sort;
    private final OperatorMemory memory;
    private final List<Batch> pending = new ArrayList<>();
    private final KeptBytes keptBytes = new KeptBytes();
    private long pendingRows;
    private long pendingBytes;
    private @Nullable Batch block;
    private int given;
    private boolean finishing;
    private boolean inputEnded;

    /** @param functions of the node's calls */
    public WindowOperator(PlanNode.Window node, List<WindowFunction> functions, OperatorContext context) {
        this.node = node;
        this.types = node.input().outputTypes();
        this.functions = List.copyOf(functions);
        List<SortKey> keys = new ArrayList<>();
        node.partitionColumns().forEach(column -> keys.add(new SortKey(column, true, true)));
        keys.addAll(node.order());
        this.sort = keys.isEmpty() ? null : new SortOperator(types, keys, context);
        this.memory = context.account();
    }

    @Override
    public boolean needsInput() {
        return !finishing;
    }

    @Override
    public void add(Batch batch) {
        if (sort == null) {
            keep(batch);
        } else {
            sort.add(batch);
        }
    }

    private void keep(Batch batch) {
        pending.add(batch);
        pendingRows += batch.rowCount();
        pendingBytes += keptBytes.of(batch);
        memory.set(pendingBytes);
    }

    @Override
    public void finish() {
        finishing = true;
        if (sort == null) {
            inputEnded = true;
        } else {
            sort.finish();
        }
    }

    @Override
    public @Nullable Batch output() {
        if (!finishing) {
            return null;
        }
        Batch current = block;
        if (current != null) {
            int count = Math.min(Batch.TARGET_ROWS, current.rowCount() - given);
            Batch slice = current.slice(given, count);
            given += count;
            block = given == current.rowCount() ? null : current;
            return slice;
        }
        if (sort != null && !inputEnded) {
            read(sort);
        } else if (!pending.isEmpty()) {
            evaluate();
        }
        return null;
    }

    private void read(SortOperator sorted) {
        Batch batch = sorted.output();
        if (batch == null) {
            inputEnded = sorted.finished();
            return;
        }
        int boundary = pendingRows + batch.rowCount() >= BLOCK_ROWS ? lastPartitionStart(batch) : -1;
        if (boundary < 0) {
            keep(batch);
            return;
        }
        if (boundary > 0) {
            keep(batch.slice(0, boundary));
        }
        evaluate();
        keep(batch.slice(boundary, batch.rowCount() - boundary));
    }

    /** The row at which the last partition begins, or -1 when the batch only continues the one before it. */
    private int lastPartitionStart(Batch batch) {
        for (int row = batch.rowCount() - 1; row > 0; row--) {
            if (!samePartition(batch, row - 1, batch, row)) {
                return row;
            }
        }
        if (pending.isEmpty()) {
            return -1;
        }
        Batch last = pending.getLast();
        return samePartition(last, last.rowCount() - 1, batch, 0) ? -1 : 0;
    }

    private boolean samePartition(Batch left, int l, Batch right, int r) {
        for (int column : node.partitionColumns()) {
            if (!RowEquality.equal(left.column(column), l, right.column(column), r)) {
                return false;
            }
        }
        return true;
    }

    /** Evaluates the pending rows, which are whole partitions. */
    private void evaluate() {
        Batch rows = Concatenation.of(pending, types);
        pending.clear();
        pendingRows = 0;
        pendingBytes = 0;
        memory.set(2 * rows.retainedBytes());
        int count = rows.rowCount();
        int[] partitionStarts = new int[count];
        int[] partitionEnds = new int[count];
        int[] peerStarts = new int[count];
        int[] peerEnds = new int[count];
        boundaries(columns(rows, node.partitionColumns()), count, new int[count], partitionStarts, partitionEnds);
        List<Integer> orderColumns = node.order().stream().map(SortKey::column).toList();
        boundaries(columns(rows, orderColumns), count, partitionStarts, peerStarts, peerEnds);
        WindowFrames frames = new WindowFrames(
                count,
                partitionStarts,
                partitionEnds,
                peerStarts,
                peerEnds,
                node.order(),
                columns(rows, orderColumns),
                orderColumns.stream().map(types::get).toList());
        List<Vector> columns = new ArrayList<>(rows.columns());
        for (int i = 0; i < functions.size(); i++) {
            WindowCall call = node.calls().get(i);
            boolean framed = functions.get(i).framed();
            WindowRows window = new WindowRows(
                    count,
                    partitionStarts,
                    partitionEnds,
                    peerStarts,
                    peerEnds,
                    framed ? frames.starts(call.frame()) : partitionStarts,
                    framed ? frames.ends(call.frame()) : partitionEnds);
            columns.add(
                    functions.get(i).evaluate(columns(rows, call.arguments()).toArray(new Vector[0]), window));
        }
        block = new Batch(columns, count);
        given = 0;
    }

    private static List<Vector> columns(Batch rows, List<Integer> indexes) {
        List<Vector> columns = new ArrayList<>();
        indexes.forEach(index -> columns.add(rows.column(index).flatten()));
        return columns;
    }

    /** For each row, where the rows with the same outer start and the same values begin and end. */
    private static void boundaries(List<Vector> columns, int count, int[] outerStarts, int[] starts, int[] ends) {
        int start = 0;
        for (int row = 1; row <= count; row++) {
            if (row < count && outerStarts[row] == outerStarts[row - 1] && sameAsBefore(columns, row)) {
                continue;
            }
            for (int i = start; i < row; i++) {
                starts[i] = start;
                ends[i] = row;
            }
            start = row;
        }
    }

    private static boolean sameAsBefore(List<Vector> columns, int row) {
        for (Vector column : columns) {
            if (!RowEquality.equal(column, row - 1, column, row)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean finished() {
        return finishing && inputEnded && pending.isEmpty() && block == null;
    }

    @Override
    public void close() {
        if (sort != null) {
            sort.close();
        }
        functions.forEach(WindowFunction::close);
        pending.clear();
        block = null;
        memory.close();
    }
}
