package io.skep.llap.client;

/**
 * The state of a daemon as it last reported it. Schedulers use it as credits. Sizes are in bytes.
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
    /** The status of a daemon that has not reported yet. */
    public static final DaemonStatus UNKNOWN = new DaemonStatus(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}
