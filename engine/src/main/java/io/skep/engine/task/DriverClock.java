package io.skep.engine.task;

import io.skep.engine.operator.Operator;
import io.skep.engine.operator.OperatorStatsCollector;
import java.util.List;

/** Measures the operators of one driver. Owned by the thread that runs the driver. */
final class DriverClock {
    private final List<Operator> operators;
    private final List<OperatorStatsCollector> owners;
    private final OperatorClock task;
    private final long[] nanos;
    private final long[] rows;
    private long chargedUntil;

    /** @param owners the collector of the node to which each operator belongs */
    DriverClock(List<Operator> operators, List<OperatorStatsCollector> owners, OperatorClock task) {
        this.operators = List.copyOf(operators);
        this.owners = List.copyOf(owners);
        this.task = task;
        this.nanos = new long[operators.size()];
        this.rows = new long[operators.size()];
    }

    List<Operator> operators() {
        return operators;
    }

    /** Begins to measure, at a time of {@link System#nanoTime}. */
    void start(long now) {
        chargedUntil = now;
    }

    /** Charges the time since the last call to one operator, including the work between operators. */
    void charge(int operator) {
        long now = System.nanoTime();
        nanos[operator] += now - chargedUntil;
        chargedUntil = now;
    }

    /** Counts rows that an operator has passed to the next one. */
    void count(int operator, int passed) {
        rows[operator] += passed;
    }

    /** Adds what was measured to the statistics of the task. Rows count where they leave a node. */
    void flush() {
        for (int i = 0; i < nanos.length; i++) {
            if (nanos[i] == 0 && rows[i] == 0) {
                continue;
            }
            boolean leaves = i + 1 == nanos.length || owners.get(i) != owners.get(i + 1);
            owners.get(i).add(nanos[i], leaves ? rows[i] : 0);
            rows[i] = 0;
        }
        task.add(operators, nanos);
    }
}
