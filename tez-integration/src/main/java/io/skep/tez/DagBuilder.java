package io.skep.tez;

import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.plan.codec.PlanCodec;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.engine.schedule.TaskLayout;
import io.skep.llap.client.DaemonConnection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.tez.dag.api.DAG;
import org.apache.tez.dag.api.Edge;
import org.apache.tez.dag.api.EdgeManagerPluginDescriptor;
import org.apache.tez.dag.api.EdgeProperty;
import org.apache.tez.dag.api.InputDescriptor;
import org.apache.tez.dag.api.OutputDescriptor;
import org.apache.tez.dag.api.ProcessorDescriptor;
import org.apache.tez.dag.api.UserPayload;
import org.apache.tez.dag.api.Vertex;
import org.apache.tez.dag.api.VertexManagerPluginDescriptor;

/** A stage graph as a Tez DAG: a vertex for each fragment, an edge for each exchange. */
final class DagBuilder {
    private static final String VERTEX_PREFIX = "Fragment ";

    /** Processors, inputs and outputs are the daemon's own; Tez makes none of them, but wants a name. */
    private static final String IN_DAEMON = "daemon";

    /** The tasks do their work in the daemon; what is asked of YARN is for the waiting only. */
    private static final int TASK_MEGABYTES = 64;

    private DagBuilder() {}

    static String vertexName(int fragment) {
        return VERTEX_PREFIX + fragment;
    }

    static int fragment(String vertexName) {
        return Integer.parseInt(vertexName.substring(VERTEX_PREFIX.length()));
    }

    static DAG build(StageGraphRun run, TaskLayout layout, String planHash, TezDaemons daemons) {
        DAG dag = DAG.create(run.queryId().value()).setExecutionContext(DaemonPlugins.executionContext());
        VertexSettings settings = VertexSettings.of(run.settings());
        RuntimePruning pruning = new RuntimePruning(run, layout, settings.fewerTasks());
        Map<Integer, Vertex> vertices = new HashMap<>();
        for (Fragment fragment : run.graph().fragments()) {
            Vertex vertex = vertex(run, layout, fragment, planHash, daemons, settings, pruning);
            vertices.put(fragment.id(), vertex);
            dag.addVertex(vertex);
            for (int producer : TaskLayout.producers(fragment.root())) {
                Vertex from = vertices.get(producer);
                if (from == null) {
                    throw new IllegalArgumentException(
                            "fragment " + fragment.id() + " reads fragment " + producer + ", which comes after it");
                }
                dag.addEdge(Edge.create(from, vertex, exchange()));
            }
        }
        return dag;
    }

    private static Vertex vertex(
            StageGraphRun run,
            TaskLayout layout,
            Fragment fragment,
            String planHash,
            TezDaemons daemons,
            VertexSettings settings,
            RuntimePruning pruning) {
        List<VertexPayload.TaskShare> tasks = new ArrayList<>();
        for (TaskLayout.TaskPlace place : layout.tasks(fragment.id())) {
            Map<Integer, List<byte[]>> splits = new HashMap<>();
            place.splits()
                    .forEach((scan, list) -> splits.put(
                            scan, list.stream().map(PlanCodec::encodeSplit).toList()));
            tasks.add(new VertexPayload.TaskShare(daemons.ofSlot(place.daemon()), place.drivers(), splits));
        }
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
                tasks);
        ProcessorDescriptor processor =
                ProcessorDescriptor.create(IN_DAEMON).setUserPayload(UserPayload.create(payload.toBytes()));
        return Vertex.create(
                        vertexName(fragment.id()), processor, tasks.size(), Resource.newInstance(TASK_MEGABYTES, 1))
                .setVertexManagerPlugin(VertexManagerPluginDescriptor.create(SizedVertexManager.class.getName())
                        .setUserPayload(terms(run.graph(), fragment, settings, tasks.size())
                                .withPruning(pruning.of(fragment.id()))
                                .encode()));
    }

    /** A vertex whose tasks read partitions of what is sent to it can have fewer of them; others are as planned. */
    private static VertexTerms terms(StageGraph graph, Fragment fragment, VertexSettings settings, int tasks) {
        boolean fixed = fragment.distribution() != Fragment.Distribution.HASH || tasks == 1;
        if (fixed || !settings.fewerTasks()) {
            return VertexTerms.AS_PLANNED;
        }
        Set<Integer> producers = TaskLayout.producers(fragment.root());
        List<Integer> partitioned = graph.fragments().stream()
                .filter(producer -> producers.contains(producer.id()))
                .filter(producer -> !(producer.output() instanceof Fragment.Output.Broadcast))
                .map(Fragment::id)
                .toList();
        return new VertexTerms(
                settings.taskBytes(),
                settings.skewFactor(),
                settings.skewBytes(),
                settings.switchFactor(),
                partitioned,
                partitioned.isEmpty() ? Optional.empty() : Optional.of(fragment),
                Optional.empty());
    }

    private static EdgeProperty exchange() {
        return EdgeProperty.create(
                EdgeManagerPluginDescriptor.create(ExchangeEdgeManager.class.getName()),
                EdgeProperty.DataSourceType.PERSISTED,
                EdgeProperty.SchedulingType.SEQUENTIAL,
                OutputDescriptor.create(IN_DAEMON),
                InputDescriptor.create(IN_DAEMON));
    }
}
