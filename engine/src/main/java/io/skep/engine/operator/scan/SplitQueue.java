package io.skep.engine.operator.scan;

import io.skep.storage.table.Split;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The splits of a task's scan; its drivers take them one at a time, so that the fast ones take more. Thread-safe. */
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

    /** How many splits there were at the beginning. */
    public int size() {
        return size;
    }
}
