package io.skep.engine.aggregate;

import io.skep.common.type.SqlType;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;

/** first_value and last_value of the frame; a true second argument, like IGNORE NULLS, passes over nulls. */
record FrameEndFunction(SqlType type, boolean first, boolean ignoreNulls) implements WindowFunction {
    @Override
    public Vector evaluate(Vector[] arguments, WindowRows rows) {
        VectorAppender appender = VectorAppender.of(type);
        for (int row = 0; row < rows.count(); row++) {
            boolean skip = ignoreNulls
                    || arguments.length > 1
                            && !arguments[1].isNull(row)
                            && ((LongVector) arguments[1]).values()[row] != 0;
            int at = position(arguments[0], rows.frameStarts()[row], rows.frameEnds()[row], skip);
            if (at < 0) {
                appender.appendNull();
            } else {
                appender.append(arguments[0], at);
            }
        }
        return appender.build();
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
}
