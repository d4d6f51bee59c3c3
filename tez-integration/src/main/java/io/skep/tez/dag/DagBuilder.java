package io.skep.tez.dag;

import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.engine.schedule.TaskLayout;
import io.skep.tez.vertex.AdaptiveVertexManager;
import io.skep.tez.vertex.ExchangeEdgeManager;
import io.skep.tez.vertex.RuntimePruning;
import io.skep.tez.vertex.VertexManagerPayload;
import io.skep.tez.wire.VertexNames;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.tez.dag.api.DAG;
import org.apache.tez.dag.api.Edge;
import org.apache.tez.dag.api.EdgeManagerPluginDescriptor;
import org.apache.tez.dag.api.EdgeProperty;
import org.apache.tez.dag.api.Vertex;
import org.apache.tez.dag.api.VertexManagerPluginDescriptor;

/** Builds the Tez DAG of a stage graph: a vertex for each fragment, an edge for each exchange. */
final class DagBuilder {
    private DagBuilder() {}

    static DAG build(StageGraphRun run, TaskLayout layout, TaskVertices tasks) {
        DAG dag = DAG.create(run.queryId().value())
                .setExecutionContext(tasks.executionContext())
                .addTaskLocalFiles(tasks.files());
        VertexConfig settings = VertexConfig.of(run.settings());
        RuntimePruning pruning = new RuntimePruning(run, layout, settings.fewerTasks());
        Map<Integer, Vertex> vertices = new HashMap<>();
        for (Fragment fragment : run.graph().fragments()) {
            Vertex vertex =
                    vertex(run.graph(), fragment, layout.tasks(fragment.id()).size(), tasks, settings, pruning);
            vertices.put(fragment.id(), vertex);
            dag.addVertex(vertex);
            for (int producer : TaskLayout.producers(fragment.root())) {
                Vertex from = vertices.get(producer);
                if (from == null) {
                    throw new IllegalArgumentException(
                            "fragment " + fragment.id() + " reads fragment " + producer + ", which comes after it");
                }
                dag.addEdge(Edge.create(from, vertex, exchange(tasks)));
            }
        }
        return dag;
    }

    private static Vertex vertex(
            StageGraph graph,
            Fragment fragment,
            int count,
            TaskVertices tasks,
            VertexConfig settings,
            RuntimePruning pruning) {
        Vertex vertex = Vertex.create(
                        VertexNames.of(fragment.id()), tasks.processor(fragment, pruning), count, tasks.resource())
                .setVertexManagerPlugin(VertexManagerPluginDescriptor.create(AdaptiveVertexManager.class.getName())
                        .setUserPayload(payload(graph, fragment, settings, count)
                                .withPruning(pruning.of(fragment.id()))
                                .encode()));
        tasks.start(vertex);
        return vertex;
    }

    /**
     * Returns what a vertex manager receives. A vertex whose tasks read partitions of its input may get fewer tasks.
     * Other vertices run as planned.
     */
    private static VertexManagerPayload payload(StageGraph graph, Fragment fragment, VertexConfig settings, int tasks) {
        boolean fixed = fragment.distribution() != Fragment.Distribution.HASH || tasks == 1;
        if (fixed || !settings.fewerTasks()) {
            return VertexManagerPayload.AS_PLANNED;
        }
        Set<Integer> producers = TaskLayout.producers(fragment.root());
        List<Integer> partitioned = graph.fragments().stream()
                .filter(producer -> producers.contains(producer.id()))
                .filter(producer -> !(producer.output() instanceof Fragment.Output.Broadcast))
                .map(Fragment::id)
                .toList();
        return new VertexManagerPayload(
                settings.taskBytes(),
                settings.skewFactor(),
                settings.skewBytes(),
                settings.switchFactor(),
                partitioned,
                partitioned.isEmpty() ? Optional.empty() : Optional.of(fragment),
                Optional.empty());
    }

    private static EdgeProperty exchange(TaskVertices tasks) {
        return EdgeProperty.create(
                EdgeManagerPluginDescriptor.create(ExchangeEdgeManager.class.getName()),
                EdgeProperty.DataSourceType.PERSISTED,
                EdgeProperty.SchedulingType.SEQUENTIAL,
                tasks.output(),
                tasks.input());
    }
}
