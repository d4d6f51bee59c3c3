package io.skep.common.query;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The executor time that each kind of operator used, in nanoseconds.
 *
 * @param nanos one for each {@link OperatorKind}, in its order
 */
public record OperatorTimes(List<Long> nanos) {
    public static final OperatorTimes NONE = of(kind -> 0);

    public OperatorTimes {
        nanos = List.copyOf(nanos);
        if (nanos.size() != OperatorKind.values().length) {
            throw new IllegalArgumentException(nanos.size() + " times for " + OperatorKind.values().length + " kinds");
        }
    }

    public static OperatorTimes of(ToLongFunction<OperatorKind> nanos) {
        return new OperatorTimes(Arrays.stream(OperatorKind.values())
                .map(kind -> nanos.applyAsLong(kind))
                .toList());
    }

    public long of(OperatorKind kind) {
        return nanos.get(kind.ordinal());
    }

    /** Returns the kinds that used any time. */
    public List<OperatorKind> kinds() {
        return Arrays.stream(OperatorKind.values()).filter(kind -> of(kind) > 0).toList();
    }

    public long total() {
        return nanos.stream().mapToLong(Long::longValue).sum();
    }

    public OperatorTimes plus(OperatorTimes other) {
        return of(kind -> of(kind) + other.of(kind));
    }
}
