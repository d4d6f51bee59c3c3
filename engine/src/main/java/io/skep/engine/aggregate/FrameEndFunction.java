package io.skep.engine.aggregate;

import io.skep.common.concurrent.Interruption;
import io.skep.common.type.SqlType;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.function.entry.Nullability;
import io.skep.engine.plan.WindowCall;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** first_value and last_value of the frame. Nulls are skipped with IGNORE NULLS or if the second argument is true. */
final class FrameEndFunction implements WindowFunction {
    static final List<WindowFunctionEntry> ENTRIES = List.of(entry("first_value", true), entry("last_value", false));

    private final SqlType type;
    private final boolean first;
    private final boolean ignoreNulls;
    private final boolean canSkip;
    private @Nullable Vector firstOfPartition;

    /** @param canSkip whether a second argument may request that nulls are skipped */
    FrameEndFunction(SqlType type, boolean first, boolean ignoreNulls, boolean canSkip) {
        this.type = type;
        this.first = first;
        this.ignoreNulls = ignoreNulls;
        this.canSkip = canSkip;
    }

    private static WindowFunctionEntry entry(String name, boolean first) {
        return new WindowFunctionEntry(
                FunctionMetadata.ofHive(Nullability.BY_VALUE, name),
                WindowFunctionEntry.TypeRule.ofCount(
                        1, 2, arguments -> new WindowFunctionEntry.Types(arguments, arguments.getFirst())),
                true,
                call -> new FrameEndFunction(
                        call.type(),
                        first,
                        call.ignoreNulls(),
                        call.argumentTypes().size() > 1));
    }

    @Override
    public Vector evaluate(Vector[] arguments, WindowRows rows) {
        VectorAppender appender = VectorAppender.of(type);
        Vector carried = rows.before() > 0 && first ? firstOfPartition : null;
        for (int row = 0; row < rows.count(); row++) {
            Interruption.check();
            if (carried != null && rows.partitionStarts()[row] == 0) {
                appender.append(carried, 0);
                continue;
            }
            boolean skip = ignoreNulls || canSkip && isTrue(arguments[1], row);
            int at = position(arguments[0], rows.frameStarts()[row], rows.frameEnds()[row], skip);
            if (at < 0) {
                appender.appendNull();
            } else {
                appender.append(arguments[0], at);
            }
        }
        keepFirst(arguments[0], rows);
        return appender.build();
    }

    private static boolean isTrue(Vector values, int row) {
        return !values.isNull(row) && ((LongVector) values).values()[row] != 0;
    }

    private void keepFirst(Vector values, WindowRows rows) {
        int start = rows.partitionStarts()[rows.count() - 1];
        if (start > 0 || rows.before() == 0) {
            firstOfPartition = values.select(new int[] {start}, 1);
        }
    }

    private int position(Vector values, int start, int end, boolean skip) {
        if (start >= end) {
            return -1;
        }
        int at = first ? start : end - 1;
        while (skip && at >= start && at < end && values.isNull(at)) {
            at += first ? 1 : -1;
        }
        return at >= start && at < end ? at : -1;
    }

    @Override
    public boolean framed() {
        return true;
    }

    @Override
    public WindowPiece piece(WindowCall.Frame frame) {
        return ignoreNulls || canSkip ? WindowPiece.PARTITION : WindowPiece.ofGrowing(frame);
    }
}
