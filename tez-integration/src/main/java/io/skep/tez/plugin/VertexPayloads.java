package io.skep.tez.plugin;

import io.skep.tez.wire.VertexPayload;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.tez.dag.records.TezVertexID;
import org.apache.tez.runtime.api.impl.TaskSpec;

/** The payloads of a DAG's vertices. Each is decoded once for all its tasks. Thread-safe. */
final class VertexPayloads {
    private final Map<TezVertexID, VertexPayload> known = new ConcurrentHashMap<>();

    VertexPayload of(TaskSpec task) {
        return known.computeIfAbsent(
                task.getTaskAttemptID().getVertexID(),
                id -> VertexPayload.fromBytes(Objects.requireNonNull(
                        task.getProcessorDescriptor().getUserPayload().getPayload())));
    }

    void clear() {
        known.clear();
    }
}
