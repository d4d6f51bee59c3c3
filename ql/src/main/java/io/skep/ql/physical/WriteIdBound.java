package io.skep.ql.physical;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Datum;
import io.skep.engine.plan.Expression;
import io.skep.ql.rel.HiveOperators;
import io.skep.storage.table.TableLayout;
import io.skep.storage.table.VirtualColumn;
import java.util.List;

/**
 * Extracts the lowest write id that conditions such as {@code ROW__ID.writeid > 7} leave, so that files of earlier
 * transactions need not be read.
 */
final class WriteIdBound {
    private static final Expression FIRST_FIELD_POSITION =
            new Expression.Constant(new Datum.OfLong(0), PrimitiveType.INT);

    private WriteIdBound() {}

    /** Returns 0 where no condition has such a form. */
    static long lowest(List<Expression> conjuncts, TableLayout layout) {
        int rowId = layout.ordinal(VirtualColumn.ROW_ID);
        return conjuncts.stream()
                .mapToLong(conjunct -> lowest(conjunct, rowId))
                .max()
                .orElse(0);
    }

    private static long lowest(Expression conjunct, int rowId) {
        if (!(conjunct instanceof Expression.Call call)
                || call.arguments().size() != 2
                || !isWriteId(call.arguments().get(0), rowId)
                || !(call.arguments().get(1) instanceof Expression.Constant constant)
                || !(constant.value() instanceof Datum.OfLong bound)) {
            return 0;
        }
        return switch (call.function()) {
            case ">" -> bound.value() == Long.MAX_VALUE ? bound.value() : bound.value() + 1;
            case ">=", "=" -> bound.value();
            default -> 0;
        };
    }

    private static boolean isWriteId(Expression value, int rowId) {
        return value instanceof Expression.Call call
                && call.function().equals(HiveOperators.FIELD)
                && call.arguments().get(0) instanceof Expression.InputColumn column
                && column.index() == rowId
                && call.arguments().get(1).equals(FIRST_FIELD_POSITION);
    }
}
