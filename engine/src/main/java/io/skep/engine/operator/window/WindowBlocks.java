package io.skep.engine.operator.window;

import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Vector;
import io.skep.engine.aggregate.WindowFunction;
import io.skep.engine.aggregate.WindowPiece;
import io.skep.engine.aggregate.WindowRows;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.SortKey;
import io.skep.engine.plan.WindowCall;
import io.skep.engine.rows.RowEquality;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Evaluates window functions over consecutive blocks of sorted rows, each consisting of whole pieces. */
final class WindowBlocks implements AutoCloseable {
    private final PlanNode.Window node;
    private final List<SqlType> types;
    private final List<WindowFunction> functions;
    private final List<Integer> orderColumns;
    private final WindowPiece piece;
    private @Nullable Batch lastRow;
    private long lastPartitionRows;

    /** @param functions the functions of the node's calls */
    WindowBlocks(PlanNode.Window node, List<WindowFunction> functions) {
        this.node = node;
        this.types = node.input().outputTypes();
        this.functions = List.copyOf(functions);
        this.orderColumns = node.order().stream().map(SortKey::column).toList();
        WindowPiece most = WindowPiece.ROWS;
        for (int i = 0; i < functions.size(); i++) {
            most = most.or(functions.get(i).piece(node.calls().get(i).frame()));
        }
        this.piece = most;
    }

    /** Whether two consecutive rows must be in the same block. */
    boolean samePiece(Batch left, int l, Batch right, int r) {
        return switch (piece) {
            case ROWS -> false;
            case PEER_GROUPS -> samePartition(left, l, right, r) && same(orderColumns, left, l, right, r);
            case PARTITION -> samePartition(left, l, right, r);
        };
    }

    private boolean samePartition(Batch left, int l, Batch right, int r) {
        return same(node.partitionColumns(), left, l, right, r);
    }

    private static boolean same(List<Integer> columns, Batch left, int l, Batch right, int r) {
        for (int column : columns) {
            if (!RowEquality.equal(left.column(column), l, right.column(column), r)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the rows with one additional column for each function. */
    Batch next(Batch rows) {
        int count = rows.rowCount();
        long before = lastRow != null && samePartition(lastRow, 0, rows, 0) ? lastPartitionRows : 0;
        int[] partitionStarts = new int[count];
        int[] partitionEnds = new int[count];
        int[] peerStarts = new int[count];
        int[] peerEnds = new int[count];
        boundaries(columns(rows, node.partitionColumns()), count, new int[count], partitionStarts, partitionEnds);
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
                    before,
                    partitionStarts,
                    partitionEnds,
                    peerStarts,
                    peerEnds,
                    framed ? frames.starts(call.frame()) : partitionStarts,
                    framed ? frames.ends(call.frame()) : partitionEnds);
            columns.add(
                    functions.get(i).evaluate(columns(rows, call.arguments()).toArray(new Vector[0]), window));
        }
        int lastStart = partitionStarts[count - 1];
        lastPartitionRows = count - lastStart + (lastStart == 0 ? before : 0);
        lastRow = rows.select(new int[] {count - 1}, 1);
        return new Batch(columns, count);
    }

    private static List<Vector> columns(Batch rows, List<Integer> indexes) {
        List<Vector> columns = new ArrayList<>();
        indexes.forEach(index -> columns.add(rows.column(index).flatten()));
        return columns;
    }

    /** Computes, for each row, the bounds of the rows with the same outer start and the same values. */
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

    /** Returns the bytes that the functions keep of earlier rows. */
    long retainedBytes() {
        long bytes = 0;
        for (WindowFunction function : functions) {
            bytes += function.retainedBytes();
        }
        return bytes;
    }

    @Override
    public void close() {
        functions.forEach(WindowFunction::close);
    }
}
