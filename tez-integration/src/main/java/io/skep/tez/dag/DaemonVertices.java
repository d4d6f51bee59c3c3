package io.skep.tez.dag;

import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.codec.PlanCodec;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.engine.schedule.TaskLayout;
import io.skep.llap.client.DaemonConnection;
import io.skep.tez.plugin.DaemonPlugins;
import io.skep.tez.vertex.RuntimePruning;
import io.skep.tez.wire.VertexPayload;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.tez.dag.api.InputDescriptor;
import org.apache.tez.dag.api.OutputDescriptor;
import org.apache.tez.dag.api.ProcessorDescriptor;
import org.apache.tez.dag.api.UserPayload;
import org.apache.tez.dag.api.Vertex;
import org.apache.tez.dag.api.Vertex.VertexExecutionContext;

/** Vertices whose tasks run in daemons. Tez starts no process for them. */
record DaemonVertices(StageGraphRun run, TaskLayout layout, String planHash, TezDaemons daemons)
        implements TaskVertices {
    /** Processors, inputs and outputs are the daemon's own. Tez creates none of them, but requires a name. */
    private static final String IN_DAEMON = "daemon";

    /** The tasks do their work in the daemon. The memory requested from YARN is only for waiting. */
    private static final int TASK_MEGABYTES = 64;

    @Override
    public VertexExecutionContext executionContext() {
        return DaemonPlugins.executionContext();
    }

    @Override
    public ProcessorDescriptor processor(Fragment fragment, RuntimePruning pruning) {
        VertexPayload payload = new VertexPayload(
                daemons.key(),
                daemons.connections().stream().map(DaemonConnection::identity).toList(),
                run.queryId().value(),
                planHash,
                fragment.id(),
                fragment.id() == run.graph().root().id(),
                layout.outputPartitions(run.graph(), fragment.id()),
                run.settings(),
                pruning.reported(fragment.id()),
                pruning.listeners(fragment.id()),
                pruning.of(fragment.id()).isPresent(),
                layout.tasks(fragment.id()).stream()
                        .map(place -> share(place, daemons.ofSlot(place.daemon())))
                        .toList());
        return ProcessorDescriptor.create(IN_DAEMON).setUserPayload(UserPayload.create(payload.toBytes()));
    }

    static VertexPayload.TaskShare share(TaskLayout.TaskPlace place, int daemon) {
        Map<Integer, List<byte[]>> splits = new HashMap<>();
        place.splits()
                .forEach((scan, list) -> splits.put(
                        scan, list.stream().map(PlanCodec::encodeSplit).toList()));
        return new VertexPayload.TaskShare(daemon, place.drivers(), splits);
    }

    @Override
    public Resource resource() {
        return Resource.newInstance(TASK_MEGABYTES, 1);
    }

    @Override
    public InputDescriptor input() {
        return InputDescriptor.create(IN_DAEMON);
    }

    @Override
    public OutputDescriptor output() {
        return OutputDescriptor.create(IN_DAEMON);
    }

    @Override
    public Map<String, LocalResource> files() {
        return Map.of();
    }

    @Override
    public void start(Vertex vertex) {}
}
