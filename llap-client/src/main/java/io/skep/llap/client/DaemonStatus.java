package io.skep.llap.client;

/**
 * What a daemon says of itself, some moments ago; schedulers take it as credits. Sizes in bytes.
 *
 * @param busy executors at work
 * @param queuedSteps steps of tasks that wait for an executor
 * @param reservedBytes heap that queries have reserved
 * @param memoryBytes heap that queries may reserve
 */
public record DaemonStatus(
        int busy,
        int queuedSteps,
        int queries,
        int tasks,
        long reservedBytes,
        long memoryBytes,
        long cacheBytes,
        long cacheCapacityBytes,
        long cacheHits,
        long cacheMisses) {
    /** Before it has said anything. */
    public static final DaemonStatus UNKNOWN = new DaemonStatus(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}
