package io.skep.engine.operator;

import io.skep.common.query.OperatorKind;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.BatchRows;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.engine.exchange.PageInput;
import io.skep.engine.plan.SortKey;
import io.skep.engine.rows.RowOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Merges sorted inputs into one sorted output. A run of rows that all precede the next rows of the other inputs is
 * moved at once. Owns its inputs.
 */
public final class MergeOperator extends SourceOperator {
    /** A run of at least a batch's rows divided by this number is returned as a slice, without copying. */
    private static final int WHOLE_PART = 8;

    /** An input with its current batch and row. */
    private static final class Cursor {
        private final PageInput input;
        private @Nullable CompletableFuture<Optional<Batch>> pending;
        private @Nullable Batch batch;
        private int row;
        private boolean ended;

        Cursor(PageInput input) {
            this.input = input;
        }

        /** Whether the next row, or the end, is known. */
        boolean ready() {
            while (!ended && batch == null) {
                if (pending == null) {
                    pending = input.next();
                }
                if (!pending.isDone()) {
                    return false;
                }
                accept(pending);
                pending = null;
            }
            return true;
        }

        private void accept(CompletableFuture<Optional<Batch>> arrived) {
            Optional<Batch> next = arrived.join();
            if (next.isEmpty()) {
                ended = true;
            } else if (next.get().rowCount() > 0) {
                batch = next.get();
                row = 0;
            }
        }

        Batch current() {
            return java.util.Objects.requireNonNull(batch);
        }

        void advance(int rows) {
            row += rows;
            if (row == current().rowCount()) {
                batch = null;
            }
        }
    }

    private final List<Cursor> cursors = new ArrayList<>();
    private final RowOrder order;
    private final List<VectorAppender> appenders;
    private final int batchRows;
    private int appended;

    public MergeOperator(List<PageInput> inputs, List<SqlType> types, List<SortKey> keys) {
        inputs.forEach(input -> cursors.add(new Cursor(input)));
        this.order = new RowOrder(keys);
        this.batchRows = BatchRows.of(types);
        this.appenders = types.stream().map(VectorAppender::of).toList();
    }

    @Override
    public OperatorKind kind() {
        return OperatorKind.SORT;
    }

    @Override
    public CompletableFuture<?> blocked() {
        for (Cursor cursor : cursors) {
            if (!cursor.ready()) {
                return java.util.Objects.requireNonNull(cursor.pending);
            }
        }
        return NOT_BLOCKED;
    }

    @Override
    public @Nullable Batch output() {
        while (appended < batchRows) {
            // All are asked, so that they fetch at the same time.
            cursors.removeIf(cursor -> cursor.ready() && cursor.ended);
            if (!blocked().isDone()) {
                return null;
            }
            // Each has a row now or has ended, also while the others were asked.
            cursors.removeIf(cursor -> cursor.ended);
            if (cursors.isEmpty()) {
                break;
            }
            Batch whole = move();
            if (whole != null) {
                return whole;
            }
        }
        return flush();
    }

    /**
     * Moves the next run of rows to the output. A long run is returned as a slice if no rows precede it in the output.
     */
    private @Nullable Batch move() {
        Cursor least = least(null);
        Batch batch = least.current();
        int stretch = cursors.size() == 1 ? batch.rowCount() - least.row : stretch(least, least(least));
        if (stretch >= batchRows / WHOLE_PART) {
            if (appended > 0) {
                return flush();
            }
            Batch slice = batch.slice(least.row, stretch);
            least.advance(stretch);
            return slice;
        }
        for (int column = 0; column < appenders.size(); column++) {
            Vector values = batch.column(column);
            VectorAppender appender = appenders.get(column);
            for (int i = 0; i < stretch; i++) {
                appender.append(values, least.row + i);
            }
        }
        appended += stretch;
        least.advance(stretch);
        return null;
    }

    private int stretch(Cursor least, Cursor second) {
        Batch batch = least.current();
        int to = least.row + 1;
        while (to < batch.rowCount() && order.compare(batch, to, second.current(), second.row) <= 0) {
            to++;
        }
        return to - least.row;
    }

    private Cursor least(@Nullable Cursor except) {
        Cursor least = null;
        for (Cursor cursor : cursors) {
            if (cursor != except
                    && (least == null || order.compare(cursor.current(), cursor.row, least.current(), least.row) < 0)) {
                least = cursor;
            }
        }
        return java.util.Objects.requireNonNull(least);
    }

    private @Nullable Batch flush() {
        if (appended == 0) {
            return null;
        }
        Batch batch = new Batch(appenders.stream().map(VectorAppender::build).toList(), appended);
        appended = 0;
        return batch;
    }

    @Override
    public boolean finished() {
        return appended == 0 && cursors.stream().allMatch(cursor -> cursor.ended);
    }

    @Override
    public void close() {
        cursors.forEach(cursor -> cursor.input.close());
    }
}
