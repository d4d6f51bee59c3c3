package io.skep.engine.operator.scan;

import io.skep.storage.table.Split;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The splits of a task's scan. Drivers take them one at a time, so that fast drivers process more. Thread-safe. */
public final class SplitQueue {
    private final Queue<Split> splits;
    private final int size;

    public SplitQueue(List<Split> splits) {
        this.splits = new ConcurrentLinkedQueue<>(splits);
        this.size = splits.size();
    }

    public Optional<Split> next() {
        return Optional.ofNullable(splits.poll());
    }

    /** Returns the initial number of splits. */
    public int size() {
        return size;
    }
}
