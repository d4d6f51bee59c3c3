package io.skep.engine.operator.join;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.ConstantVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.PlanNode.JoinKind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The specification of a join, for its build side and its probe side.
 *
 * @param used output columns that any downstream operator reads; the others are returned as nulls
 */
record JoinSpec(
        JoinKind kind,
        List<SqlType> leftTypes,
        List<SqlType> rightTypes,
        List<Integer> leftKeys,
        List<Integer> rightKeys,
        List<Boolean> nullSafe,
        Optional<Expression> residual,
        BitSet used) {
    static JoinSpec of(PlanNode.Join join, BitSet used) {
        return new JoinSpec(
                join.kind(),
                join.left().outputTypes(),
                join.right().outputTypes(),
                join.leftKeys(),
                join.rightKeys(),
                join.nullSafe(),
                join.residual(),
                used);
    }

    /** Whether left rows without a match are returned. */
    boolean keepsLeft() {
        return kind == JoinKind.LEFT || kind == JoinKind.FULL || kind == JoinKind.ANTI;
    }

    /** Whether right rows without a match are returned. */
    boolean keepsRight() {
        return kind == JoinKind.RIGHT || kind == JoinKind.FULL;
    }

    /** Whether the join returns pairs of rows, and not only left rows. */
    boolean outputsPairs() {
        return kind != JoinKind.SEMI && kind != JoinKind.ANTI;
    }

    /**
     * Returns the types of build rows on disk. They include a column for whether a row has matched, if that matters.
     */
    List<SqlType> spilledTypes() {
        if (!keepsRight()) {
            return rightTypes;
        }
        List<SqlType> types = new ArrayList<>(rightTypes);
        types.add(PrimitiveType.BOOLEAN);
        return types;
    }

    /**
     * Returns build rows in the form in which they are spilled.
     *
     * @param matched by row, or null if no row has matched
     */
    Batch toSpillFormat(Batch rows, boolean @Nullable [] matched, int from) {
        if (!keepsRight()) {
            return rows;
        }
        long[] flags = new long[matched == null ? 1 : rows.rowCount()];
        for (int i = 0; matched != null && i < flags.length; i++) {
            flags[i] = matched[from + i] ? 1 : 0;
        }
        Vector column = new LongVector(flags, null, flags.length);
        List<Vector> columns = new ArrayList<>(rows.columns());
        columns.add(matched == null ? new ConstantVector(column, rows.rowCount()) : column);
        return new Batch(columns, rows.rowCount());
    }

    List<Vector> leftKeys(Batch batch) {
        return flat(batch, leftKeys);
    }

    List<Vector> rightKeys(Batch batch) {
        return flat(batch, rightKeys);
    }

    private static List<Vector> flat(Batch batch, List<Integer> columns) {
        List<Vector> keys = new ArrayList<>(columns.size());
        for (int column : columns) {
            keys.add(batch.column(column).flatten());
        }
        return keys;
    }
}
