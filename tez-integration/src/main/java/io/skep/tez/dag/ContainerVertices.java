package io.skep.tez.dag;

import io.skep.engine.plan.Fragment;
import io.skep.tez.container.ExchangeInput;
import io.skep.tez.container.ExchangeOutput;
import io.skep.tez.container.FragmentProcessor;
import io.skep.tez.session.ContainerSite;
import io.skep.tez.vertex.RuntimePruning;
import io.skep.tez.wire.ContainerConfig;
import io.skep.tez.wire.ContainerVertex;
import java.util.Map;
import org.apache.hadoop.yarn.api.ApplicationConstants;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.tez.dag.api.InputDescriptor;
import org.apache.tez.dag.api.OutputDescriptor;
import org.apache.tez.dag.api.ProcessorDescriptor;
import org.apache.tez.dag.api.UserPayload;
import org.apache.tez.dag.api.Vertex;
import org.apache.tez.dag.api.Vertex.VertexExecutionContext;

/**
 * Vertices whose tasks run in containers of YARN, with Tez's own scheduler, launcher and communicator.
 *
 * @param payloads by fragment
 */
record ContainerVertices(ContainerSite site, ContainerConfig settings, Map<Integer, ContainerVertex> payloads)
        implements TaskVertices {
    ContainerVertices {
        payloads = Map.copyOf(payloads);
    }

    @Override
    public VertexExecutionContext executionContext() {
        return VertexExecutionContext.createExecuteInContainers(true);
    }

    @Override
    public ProcessorDescriptor processor(Fragment fragment, RuntimePruning pruning) {
        ContainerVertex payload = payloads.get(fragment.id());
        if (payload == null) {
            throw new IllegalArgumentException("there is no payload for fragment " + fragment.id());
        }
        return ProcessorDescriptor.create(FragmentProcessor.class.getName())
                .setUserPayload(UserPayload.create(payload.withPruning(
                                pruning.reported(fragment.id()),
                                pruning.listeners(fragment.id()),
                                pruning.of(fragment.id()).isPresent())
                        .toBytes()));
    }

    @Override
    public Resource resource() {
        return Resource.newInstance(settings.megabytes(), settings.cores());
    }

    @Override
    public InputDescriptor input() {
        return InputDescriptor.create(ExchangeInput.class.getName());
    }

    @Override
    public OutputDescriptor output() {
        return OutputDescriptor.create(ExchangeOutput.class.getName());
    }

    @Override
    public Map<String, LocalResource> files() {
        return site.contents().resources();
    }

    @Override
    public void start(Vertex vertex) {
        vertex.setTaskLaunchCmdOpts(settings.flags(site.javaOptions()))
                .setTaskEnvironment(Map.of(ApplicationConstants.Environment.CLASSPATH.name(), site.classPath()));
    }
}
