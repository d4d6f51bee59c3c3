package io.skep.llap.client.container;

import io.skep.common.query.QueryId;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.EncodedPlan;
import java.nio.file.Path;
import java.util.Map;

/** A daemon that nobody connects to: it runs the tasks of the process that it is in, and ends with it. Thread-safe. */
public interface ContainerDaemon {
    /** Its tasks and outputs. Plans are registered with {@link #register}. */
    DaemonConnection connection();

    /**
     * Makes a plan known for a query. Twice is harmless.
     *
     * @param files where files of the plan are, by the names that it has for them
     */
    void register(QueryId query, EncodedPlan plan, Map<String, Path> files);
}
