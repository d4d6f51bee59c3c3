package io.skep.engine.plan;

import io.skep.common.type.SqlType;
import java.util.List;

/**
 * One window function: an aggregate, ranking or navigation function of the registry over columns of the input. Constant
 * arguments (offsets, defaults, bucket counts) are columns too.
 */
public record WindowCall(
        String function,
        boolean distinct,
        boolean ignoreNulls,
        List<Integer> arguments,
        List<SqlType> argumentTypes,
        Frame frame,
        SqlType type) {
    public WindowCall {
        arguments = List.copyOf(arguments);
        argumentTypes = List.copyOf(argumentTypes);
    }

    public enum Unit {
        ROWS,
        RANGE
    }

    /** A frame. Bounds are relative to the current row. RANGE offsets are in units of the single sort key. */
    public record Frame(Unit unit, Bound start, Bound end) {}

    public sealed interface Bound {
        record UnboundedPreceding() implements Bound {}

        record UnboundedFollowing() implements Bound {}

        record CurrentRow() implements Bound {}

        /** Negative offsets precede, positive follow. */
        record Offset(long rows) implements Bound {}
    }
}
