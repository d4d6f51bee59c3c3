package io.skep.llap.client.container;

import java.nio.file.Path;
import java.util.Map;

/**
 * The resources of a container.
 *
 * @param executors threads that run operators
 * @param bytes memory of the whole process
 * @param spillFolder folder for files of running tasks; it is deleted with the container
 * @param site settings of the cluster's file systems
 */
public record ContainerConfig(int executors, long bytes, Path spillFolder, Map<String, String> site) {
    public ContainerConfig {
        site = Map.copyOf(site);
        if (executors < 1 || bytes < 1) {
            throw new IllegalArgumentException("a container has a core and memory: " + executors + ", " + bytes);
        }
    }
}
