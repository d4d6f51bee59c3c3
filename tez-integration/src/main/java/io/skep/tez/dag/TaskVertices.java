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

/** Provides the parts of a DAG's vertices, depending on where their tasks run. */
interface TaskVertices {
    VertexExecutionContext executionContext();

    /**
     * Returns the processor that runs a fragment's tasks, with all parameters that they need.
     *
     * @param pruning determines what tasks report about their rows, and to which vertices
     */
    ProcessorDescriptor processor(Fragment fragment, RuntimePruning pruning);

    /** Returns the nominal resources of a task. */
    Resource resource();

    /** Returns the input that reads the rows of another vertex. */
    InputDescriptor input();

    /** Returns the output that passes rows to another vertex. */
    OutputDescriptor output();

    /** Returns the files for the tasks' processes, by their paths there. */
    Map<String, LocalResource> files();

    /** Configures how processes of the vertex's tasks are started. */
    void start(Vertex vertex);
}
