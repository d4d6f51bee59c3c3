package io.skep.engine.exchange;

import io.skep.common.vector.Batch;
import java.util.concurrent.CompletableFuture;

/** The destination of a task's rows, by partition. Shared by all drivers of the task. Thread-safe. */
public interface TaskOutput {
    /**
     * Returns the number of partitions: the number of tasks of the consuming fragment, or 1 for output to the client.
     */
    int partitions();

    /**
     * Returns a future that is done when rows may be added. A producer checks it before each {@link #add}, but may add
     * rows even if it is not done.
     */
    CompletableFuture<?> blocked();

    /** Passes rows to the output, which owns the batch from then on. */
    void add(int partition, Batch batch);

    /**
     * Signals that no more rows follow. Called once, after the last row of the last driver. Never called for a task
     * that failed.
     */
    void finish();

    /** Whether any reader still wants rows. If not, the task may stop early. */
    boolean hasReaders();
}
