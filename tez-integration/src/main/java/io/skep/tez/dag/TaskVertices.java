package io.skep.tez.dag;

import io.skep.engine.plan.Fragment;
import io.skep.tez.vertex.RuntimePruning;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.tez.dag.api.InputDescriptor;
import org.apache.tez.dag.api.OutputDescriptor;
import org.apache.tez.dag.api.ProcessorDescriptor;
import org.apache.tez.dag.api.Vertex;
import org.apache.tez.dag.api.Vertex.VertexExecutionContext;

/** What the vertices of a DAG are made of, by where their tasks run. */
interface TaskVertices {
    VertexExecutionContext executionContext();

    /**
     * What runs a fragment's tasks, with all that these have to know.
     *
     * @param pruning what tasks tell of their rows, and to whom
     */
    ProcessorDescriptor processor(Fragment fragment, RuntimePruning pruning);

    /** What a task is said to take. */
    Resource resource();

    /** What reads the rows of another vertex. */
    InputDescriptor input();

    /** What hands rows to another vertex. */
    OutputDescriptor output();

    /** Files that the tasks' processes get, by their paths there. */
    Map<String, LocalResource> files();

    /** Says how processes of the vertex's tasks are started. */
    void start(Vertex vertex);
}
