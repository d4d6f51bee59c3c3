package io.skep.engine.task;

import io.skep.common.query.OperatorKind;
import io.skep.common.query.OperatorTimes;
import io.skep.engine.operator.Operator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/** The time of a task's drivers by kind of operator. Thread-safe. */
final class OperatorClock {
    private final AtomicLongArray nanos = new AtomicLongArray(OperatorKind.values().length);

    /** @param spent time by operator; reset to zero */
    void add(List<Operator> operators, long[] spent) {
        for (int i = 0; i < spent.length; i++) {
            if (spent[i] != 0) {
                nanos.addAndGet(operators.get(i).kind().ordinal(), spent[i]);
                spent[i] = 0;
            }
        }
    }

    OperatorTimes times() {
        return OperatorTimes.of(kind -> nanos.get(kind.ordinal()));
    }
}
