package io.skep.tez.plugin;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.tez.dag.api.UserPayload;
import org.apache.tez.dag.api.Vertex.VertexExecutionContext;
import org.apache.tez.serviceplugins.api.ContainerLauncherDescriptor;
import org.apache.tez.serviceplugins.api.ServicePluginsDescriptor;
import org.apache.tez.serviceplugins.api.TaskCommunicatorDescriptor;
import org.apache.tez.serviceplugins.api.TaskSchedulerDescriptor;

/**
 * The plug-ins with which an application master runs tasks in place of YARN's containers: {@link DaemonTaskScheduler},
 * {@link DaemonContainerLauncher} and {@link DaemonTaskCommunicator}, under one name.
 *
 * @param slots tasks that run at once
 * @param inProcess whether the master uses the connections of its own process to daemons, see {@link InProcessDaemons}
 * @param rpc settings of a master's own connections
 */
public record DaemonPlugins(int slots, boolean inProcess, Map<String, String> rpc) {
    private static final String NAME = "daemons";

    public DaemonPlugins {
        rpc = Map.copyOf(rpc);
    }

    public static DaemonPlugins inProcess(int slots) {
        return new DaemonPlugins(slots, true, Map.of());
    }

    public ServicePluginsDescriptor descriptor() {
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

    /** Returns the execution context of vertices that run with these plug-ins. */
    public static VertexExecutionContext executionContext() {
        return VertexExecutionContext.create(NAME, NAME, NAME);
    }

    /** Returns the connections to daemons in this process, which is the master's. */
    TaskDaemons daemons() {
        return inProcess ? new InProcessDaemons() : new RemoteTaskDaemons(rpc);
    }

    private UserPayload payload() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(slots);
            out.writeBoolean(inProcess);
            out.writeInt(rpc.size());
            for (Map.Entry<String, String> setting : rpc.entrySet()) {
                out.writeUTF(setting.getKey());
                out.writeUTF(setting.getValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return UserPayload.create(ByteBuffer.wrap(bytes.toByteArray()));
    }

    static DaemonPlugins of(UserPayload payload) {
        ByteBuffer sent = Objects.requireNonNull(payload.getPayload()).duplicate();
        byte[] bytes = new byte[sent.remaining()];
        sent.get(bytes);
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int slots = in.readInt();
            boolean inProcess = in.readBoolean();
            Map<String, String> rpc = new HashMap<>();
            for (int i = in.readInt(); i > 0; i--) {
                rpc.put(in.readUTF(), in.readUTF());
            }
            return new DaemonPlugins(slots, inProcess, rpc);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
