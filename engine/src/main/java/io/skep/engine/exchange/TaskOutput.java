package io.skep.engine.exchange;

import io.skep.common.vector.Batch;
import java.util.concurrent.CompletableFuture;

/** Where a task's rows go, by partition. All drivers of the task share it; thread-safe. */
public interface TaskOutput {
    /** The number of partitions: tasks of the consuming fragment, or 1 towards the client. */
    int partitions();

    /** Done when rows may be added; a producer looks before each {@link #add} but may add in spite of it. */
    CompletableFuture<?> blocked();

    /** Hands rows over; the batch belongs to the output from now on. */
    void add(int partition, Batch batch);

    /** No rows follow. Called once, after the last driver's last row; never for a task that failed. */
    void finish();

    /** False when no reader is left that wants rows, so that the task may end early. */
    boolean wanted();
}
