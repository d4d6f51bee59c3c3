package io.skep.tez.plugin;

import io.skep.llap.client.DaemonConnection;
import io.skep.tez.wire.VertexPayload;
import java.util.List;

/** The connections of an application master's tasks to the daemons of their query. Thread-safe. */
interface TaskDaemons extends AutoCloseable {
    /**
     * Returns the daemons of a vertex's query, in the order of the numbers that its tasks use for them. The connections
     * are always the same.
     */
    List<DaemonConnection> of(VertexPayload vertex);

    /** Called when a DAG has ended, to release everything that belongs to it. */
    void dagCompleted();

    @Override
    void close();
}
