package io.skep.engine.aggregate;

import io.skep.common.concurrent.Interruption;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.function.entry.Nullability;
import java.util.ArrayList;
import java.util.List;

/**
 * lead and lag: the value at a distance of some rows within the partition. The second argument is the distance; it
 * defaults to one. If there is no such row, the result is the third argument.
 *
 * @param direction 1 for lead, -1 for lag
 */
record ShiftFunction(SqlType type, int direction, boolean ignoreNulls) implements WindowFunction {
    static final List<WindowFunctionEntry> ENTRIES = List.of(entry("lead", 1), entry("lag", -1));

    private static WindowFunctionEntry entry(String name, int direction) {
        return new WindowFunctionEntry(
                FunctionMetadata.ofHive(Nullability.BY_VALUE, name),
                WindowFunctionEntry.TypeRule.ofCount(1, 3, ShiftFunction::types),
                false,
                call -> new ShiftFunction(call.type(), direction, call.ignoreNulls()));
    }

    private static WindowFunctionEntry.Types types(List<SqlType> arguments) {
        List<SqlType> parameters = new ArrayList<>(arguments);
        if (arguments.size() > 1) {
            parameters.set(1, PrimitiveType.INT);
        }
        if (arguments.size() > 2) {
            parameters.set(2, arguments.getFirst());
        }
        return new WindowFunctionEntry.Types(parameters, arguments.getFirst());
    }

    @Override
    public Vector evaluate(Vector[] arguments, WindowRows rows) {
        VectorAppender appender = VectorAppender.of(type);
        for (int row = 0; row < rows.count(); row++) {
            Interruption.check();
            long distance = arguments.length > 1 ? ((LongVector) arguments[1]).values()[row] : 1;
            int target = target(arguments[0], rows, row, distance);
            if (target >= 0) {
                appender.append(arguments[0], target);
            } else if (arguments.length > 2) {
                appender.append(arguments[2], row);
            } else {
                appender.appendNull();
            }
        }
        return appender.build();
    }

    /** Returns the target row, or a negative number if it is outside of the partition. */
    private int target(Vector values, WindowRows rows, int row, long distance) {
        int start = rows.partitionStarts()[row];
        int end = rows.partitionEnds()[row];
        if (!ignoreNulls || distance == 0) {
            long target = row + direction * distance;
            return target >= start && target < end ? (int) target : -1;
        }
        long left = distance;
        for (int at = row + direction; at >= start && at < end; at += direction) {
            if (!values.isNull(at) && --left == 0) {
                return at;
            }
        }
        return -1;
    }

    @Override
    public boolean framed() {
        return false;
    }
}
