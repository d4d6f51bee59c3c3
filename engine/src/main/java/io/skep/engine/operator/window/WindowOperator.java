package io.skep.engine.operator.window;

import io.skep.common.query.OperatorKind;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.BatchRows;
import io.skep.engine.aggregate.WindowFunction;
import io.skep.engine.operator.Operator;
import io.skep.engine.operator.OperatorContext;
import io.skep.engine.operator.OperatorMemory;
import io.skep.engine.operator.SortOperator;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.SortKey;
import io.skep.engine.rows.Compaction;
import io.skep.engine.rows.Concatenation;
import io.skep.engine.rows.RetainedBytes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates window functions. It sorts its input by partition and order, on disk if necessary, and evaluates blocks of
 * whole pieces. A piece is a partition, which must fit into memory, or less if no function needs a whole partition.
 */
public final class WindowOperator implements Operator {
    private final List<SqlType> types;
    private final int blockRows;

    /**
     * The rows of a block if memory is short. Unless the rows are wide, they fit into the memory that an operator holds
     * without a reservation.
     */
    private final int smallBlockRows;

    private final WindowBlocks blocks;
    private final @Nullable SortOperator sort;
    private final OperatorMemory memory;
    private final List<Batch> pending = new ArrayList<>();
    private final RetainedBytes keptBytes = new RetainedBytes();
    private long pendingRows;
    private long pendingBytes;
    private @Nullable Batch rest;
    /** Rows after those that are evaluated next, for which memory has been requested. */
    private @Nullable Batch behind;

    private boolean due;
    private boolean memoryShort;
    private @Nullable Batch block;
    private int given;
    private boolean finishing;
    private boolean inputEnded;

    /** @param functions the functions of the node's calls */
    public WindowOperator(PlanNode.Window node, List<WindowFunction> functions, OperatorContext context) {
        this.types = node.input().outputTypes();
        this.blockRows = BatchRows.of(node.outputTypes());
        this.smallBlockRows = blockRows / 2;
        this.blocks = new WindowBlocks(node, functions);
        List<SortKey> keys = new ArrayList<>();
        node.partitionColumns().forEach(column -> keys.add(new SortKey(column, true, true)));
        keys.addAll(node.order());
        this.sort = keys.isEmpty() ? null : new SortOperator(types, keys, context);
        this.memory = context.account();
    }

    @Override
    public OperatorKind kind() {
        return OperatorKind.WINDOW;
    }

    @Override
    public CompletableFuture<?> blocked() {
        return memory.granted();
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
            int count = Math.min(blockRows, current.rowCount() - given);
            Batch slice = current.slice(given, count);
            given += count;
            block = given == current.rowCount() ? null : current;
            return slice;
        }
        if (due) {
            evaluate();
        } else if (sort != null && !inputEnded) {
            read(sort);
        } else if (!pending.isEmpty()) {
            prepare(null);
        }
        return null;
    }

    private void read(SortOperator sorted) {
        Batch batch = next(sorted);
        if (batch == null) {
            inputEnded = sorted.finished();
            return;
        }
        boolean enough = pendingRows + batch.rowCount() >= (memoryShort ? smallBlockRows : blockRows);
        int boundary = enough ? lastPieceStart(batch) : -1;
        if (boundary < 0) {
            keep(batch);
            return;
        }
        if (boundary > 0) {
            keep(batch.slice(0, boundary));
        }
        prepare(batch.slice(boundary, batch.rowCount() - boundary));
    }

    /** Requests the memory that is needed to concatenate the rows. They are evaluated when it has been granted. */
    private void prepare(@Nullable Batch following) {
        behind = following;
        due = true;
        memory.set(2 * pendingBytes);
    }

    /**
     * Returns sorted rows, as many as there is memory to keep and evaluate. They do not share arrays with the rows that
     * were sorted with them.
     */
    private @Nullable Batch next(SortOperator sorted) {
        Batch batch = rest == null ? sorted.output() : rest;
        rest = null;
        if (batch == null) {
            return null;
        }
        batch = Compaction.of(batch, types);
        memoryShort = !memory.trySet(pendingBytes + 2 * batch.retainedBytes());
        if (!memoryShort || batch.rowCount() <= smallBlockRows) {
            return batch;
        }
        rest = batch.slice(smallBlockRows, batch.rowCount() - smallBlockRows);
        return batch.slice(0, smallBlockRows);
    }

    /** Returns the row at which the last piece begins, or -1 if the batch only continues the previous one. */
    private int lastPieceStart(Batch batch) {
        for (int row = batch.rowCount() - 1; row > 0; row--) {
            if (!blocks.samePiece(batch, row - 1, batch, row)) {
                return row;
            }
        }
        if (pending.isEmpty()) {
            return -1;
        }
        Batch last = pending.getLast();
        return blocks.samePiece(last, last.rowCount() - 1, batch, 0) ? -1 : 0;
    }

    private void evaluate() {
        Batch rows = Concatenation.of(pending, types);
        pending.clear();
        pendingRows = 0;
        pendingBytes = 0;
        memory.set(2 * rows.retainedBytes());
        block = blocks.next(rows);
        given = 0;
        due = false;
        Batch following = behind;
        behind = null;
        if (following != null) {
            keep(following);
        }
    }

    /**
     * The rows of a block are counted twice in the operator's account. The functions' results and the rows that the
     * functions keep are not in it.
     */
    @Override
    public long heldBytes() {
        Batch current = block;
        return blocks.retainedBytes() + (current == null ? 0 : current.retainedBytes());
    }

    @Override
    public void revokeMemory() {
        if (sort != null) {
            sort.revokeMemory();
        }
    }

    @Override
    public boolean finished() {
        return finishing && inputEnded && pending.isEmpty() && block == null;
    }

    @Override
    public void close() {
        pending.clear();
        rest = null;
        behind = null;
        block = null;
        try (memory;
                blocks) {
            if (sort != null) {
                sort.close();
            }
        }
    }
}
