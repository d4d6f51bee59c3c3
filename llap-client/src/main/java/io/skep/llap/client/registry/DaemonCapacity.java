package io.skep.llap.client.registry;

/**
 * The capacity of a daemon.
 *
 * @param executors how many tasks run at once
 * @param memoryBytes heap that queries may reserve
 * @param cacheBytes memory for columns of files
 */
public record DaemonCapacity(int executors, long memoryBytes, long cacheBytes) {
    public DaemonCapacity {
        if (executors < 1 || memoryBytes < 0 || cacheBytes < 0) {
            throw new IllegalArgumentException(
                    executors + " executors, " + memoryBytes + " and " + cacheBytes + " bytes are no capacity");
        }
    }
}
