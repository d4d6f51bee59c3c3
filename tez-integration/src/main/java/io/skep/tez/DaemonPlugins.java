package io.skep.tez;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.tez.dag.api.UserPayload;
import org.apache.tez.dag.api.Vertex.VertexExecutionContext;
import org.apache.tez.serviceplugins.api.ContainerLauncherDescriptor;
import org.apache.tez.serviceplugins.api.ServicePluginsDescriptor;
import org.apache.tez.serviceplugins.api.TaskCommunicatorDescriptor;
import org.apache.tez.serviceplugins.api.TaskSchedulerDescriptor;

/**
 * What an application master runs tasks with, in place of YARN's containers: {@link DaemonTaskScheduler},
 * {@link DaemonContainerLauncher} and {@link DaemonTaskCommunicator}, under one name.
 *
 * @param slots tasks that run at once
 */
record DaemonPlugins(int slots) {
    private static final String NAME = "daemons";

    ServicePluginsDescriptor descriptor() {
        return ServicePluginsDescriptor.create(
                new TaskSchedulerDescriptor[] {
                    TaskSchedulerDescriptor.create(NAME, DaemonTaskScheduler.class.getName())
                            .setUserPayload(payload())
                },
                new ContainerLauncherDescriptor[] {
                    ContainerLauncherDescriptor.create(NAME, DaemonContainerLauncher.class.getName())
                            .setUserPayload(payload())
                },
                new TaskCommunicatorDescriptor[] {
                    TaskCommunicatorDescriptor.create(NAME, DaemonTaskCommunicator.class.getName())
                            .setUserPayload(payload())
                });
    }

    /** Of vertices that run with these plug-ins. */
    static VertexExecutionContext executionContext() {
        return VertexExecutionContext.create(NAME, NAME, NAME);
    }

    private UserPayload payload() {
        return UserPayload.create(ByteBuffer.wrap(Integer.toString(slots).getBytes(StandardCharsets.US_ASCII)));
    }

    static DaemonPlugins of(UserPayload payload) {
        return new DaemonPlugins(Integer.parseInt(
                StandardCharsets.US_ASCII.decode(payload.getPayload()).toString()));
    }
}
