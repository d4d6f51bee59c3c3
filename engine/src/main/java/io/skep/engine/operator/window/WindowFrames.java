package io.skep.engine.operator.window;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.DecimalType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Decimal128Vector;
import io.skep.common.vector.DoubleVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.TimestampVector;
import io.skep.common.vector.Vector;
import io.skep.engine.plan.SortKey;
import io.skep.engine.plan.WindowCall.Bound;
import io.skep.engine.plan.WindowCall.Frame;
import io.skep.engine.plan.WindowCall.Unit;
import java.math.BigDecimal;
import java.util.List;

/** The bounds of window frames of a block of sorted rows. */
final class WindowFrames {
    private final int rows;
    private final int[] partitionStarts;
    private final int[] partitionEnds;
    private final int[] peerStarts;
    private final int[] peerEnds;
    private final List<SortKey> order;
    private final List<Vector> orderColumns;
    private final List<SqlType> orderTypes;

    WindowFrames(
            int rows,
            int[] partitionStarts,
            int[] partitionEnds,
            int[] peerStarts,
            int[] peerEnds,
            List<SortKey> order,
            List<Vector> orderColumns,
            List<SqlType> orderTypes) {
        this.rows = rows;
        this.partitionStarts = partitionStarts;
        this.partitionEnds = partitionEnds;
        this.peerStarts = peerStarts;
        this.peerEnds = peerEnds;
        this.order = order;
        this.orderColumns = orderColumns;
        this.orderTypes = orderTypes;
    }

    int[] starts(Frame frame) {
        return bounds(frame.unit(), frame.start(), true);
    }

    int[] ends(Frame frame) {
        return bounds(frame.unit(), frame.end(), false);
    }

    private int[] bounds(Unit unit, Bound bound, boolean start) {
        return switch (bound) {
            case Bound.UnboundedPreceding b -> partitionStarts;
            case Bound.UnboundedFollowing b -> partitionEnds;
            case Bound.CurrentRow b -> unit == Unit.RANGE ? start ? peerStarts : peerEnds : shifted(0, start);
            case Bound.Offset b -> unit == Unit.RANGE ? range(b.rows(), start) : shifted(b.rows(), start);
        };
    }

    private int[] shifted(long offset, boolean start) {
        int[] bounds = new int[rows];
        for (int row = 0; row < rows; row++) {
            long at = row + offset + (start ? 0 : 1);
            bounds[row] = (int) Math.max(partitionStarts[row], Math.min(partitionEnds[row], at));
        }
        return bounds;
    }

    /**
     * Computes bounds of the rows whose sort key is within an offset of the row's own. The frame of a null contains
     * only its peers.
     */
    private int[] range(long offset, boolean start) {
        if (order.size() != 1) {
            throw new SkepException(
                    StandardErrorCode.SEMANTIC_ERROR, "a RANGE frame with an offset needs exactly one ORDER BY key");
        }
        double[] values = values(orderColumns.getFirst(), orderTypes.getFirst());
        Vector column = orderColumns.getFirst();
        int[] bounds = new int[rows];
        int bound = 0;
        for (int row = 0; row < rows; row++) {
            if (column.isNull(row)) {
                bounds[row] = start ? peerStarts[row] : peerEnds[row];
                continue;
            }
            boolean newPartition = partitionStarts[row] == row || column.isNull(row - 1);
            bound = newPartition ? firstValue(column, row) : bound;
            double limit = values[row] + offset;
            while (bound < partitionEnds[row]
                    && !column.isNull(bound)
                    && (start ? values[bound] < limit : values[bound] <= limit)) {
                bound++;
            }
            bounds[row] = bound;
        }
        return bounds;
    }

    private int firstValue(Vector column, int row) {
        int first = partitionStarts[row];
        while (column.isNull(first)) {
            first++;
        }
        return first;
    }

    /** Returns the sort keys as numbers that increase along the order. */
    private double[] values(Vector column, SqlType type) {
        double sign = order.getFirst().ascending() ? 1 : -1;
        double unit = type instanceof DecimalType decimal ? Math.pow(10, -decimal.scale()) : 1;
        double[] values = new double[rows];
        for (int row = 0; row < rows; row++) {
            values[row] = column.isNull(row) ? 0 : sign * unit * value(column, row);
        }
        return values;
    }

    private static double value(Vector column, int row) {
        return switch (column) {
            case LongVector v -> v.values()[row];
            case DoubleVector v -> v.values()[row];
            case Decimal128Vector v -> new BigDecimal(v.unscaled(row)).doubleValue();
            case TimestampVector v -> v.seconds()[row] + v.nanos()[row] / 1e9;
            default ->
                throw new SkepException(
                        StandardErrorCode.TYPE_MISMATCH,
                        "a RANGE frame with an offset needs a numeric or time ORDER BY key");
        };
    }
}
