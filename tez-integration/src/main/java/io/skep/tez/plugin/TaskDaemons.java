package io.skep.tez.plugin;

import io.skep.llap.client.DaemonConnection;
import io.skep.tez.wire.VertexPayload;
import java.util.List;

/** How the tasks of an application master reach the daemons of their query. Thread-safe. */
interface TaskDaemons extends AutoCloseable {
    /** Those of a vertex's query, in the order of the numbers that its tasks have for them; always the same connections. */
    List<DaemonConnection> of(VertexPayload vertex);

    /** A DAG has ended: nothing is kept of it. */
    void forget();

    @Override
    void close();
}
