package io.skep.llap.client.container;

import io.skep.common.query.QueryId;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.EncodedPlan;
import java.nio.file.Path;
import java.util.Map;

/** A daemon that accepts no connections. It runs the tasks of its own process and ends with it. Thread-safe. */
public interface ContainerDaemon {
    /** Returns the connection to its tasks and outputs. Plans are registered with {@link #register}. */
    DaemonConnection connection();

    /**
     * Registers a plan for a query. Registering it twice is harmless.
     *
     * @param files local paths of the plan's files, by the names that the plan uses
     */
    void register(QueryId query, EncodedPlan plan, Map<String, Path> files);
}
