package io.skep.tez.plugin;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.tez.dag.api.event.VertexStateUpdate;
import org.apache.tez.dag.records.TezTaskAttemptID;
import org.apache.tez.runtime.api.impl.TaskSpec;
import org.apache.tez.serviceplugins.api.ContainerEndReason;
import org.apache.tez.serviceplugins.api.TaskAttemptEndReason;
import org.apache.tez.serviceplugins.api.TaskCommunicator;
import org.apache.tez.serviceplugins.api.TaskCommunicatorContext;
import org.jspecify.annotations.Nullable;

/**
 * Submits task attempts to daemons. Each attempt runs in a virtual thread of its own ({@link DaemonAttempt}), because
 * the application master calls from the thread that handles all its events. Thread-safe.
 */
public final class DaemonTaskCommunicator extends TaskCommunicator {
    /** Far below the five minutes after which Tez declares a silent task or container dead. */
    private static final long ALIVE_SECONDS = 20;

    /** No process connects to it. The application master only passes it on to containers that it starts. */
    private static final InetSocketAddress NO_ADDRESS = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final Set<ContainerId> containers = ConcurrentHashMap.newKeySet();
    private final Map<TezTaskAttemptID, DaemonAttempt> running = new ConcurrentHashMap<>();
    private final VertexPayloads payloads = new VertexPayloads();
    private final TaskDaemons daemons;
    private final ScheduledExecutorService alive = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("tez-alive").factory());

    public DaemonTaskCommunicator(TaskCommunicatorContext context) {
        super(context);
        this.daemons = DaemonPlugins.of(context.getInitialUserPayload()).daemons();
    }

    @Override
    public void start() {
        var _ = alive.scheduleAtFixedRate(this::tellAlive, ALIVE_SECONDS, ALIVE_SECONDS, TimeUnit.SECONDS);
    }

    private void tellAlive() {
        containers.forEach(getContext()::containerAlive);
        running.keySet().forEach(getContext()::taskAlive);
    }

    @Override
    public void shutdown() {
        alive.shutdownNow();
        running.values().forEach(attempt -> attempt.giveUp("the Tez session ends"));
        daemons.close();
    }

    @Override
    public void registerRunningContainer(ContainerId container, String host, int port) {
        containers.add(container);
    }

    @Override
    public void registerContainerEnd(ContainerId container, ContainerEndReason reason, @Nullable String diagnostics) {
        containers.remove(container);
        running.values().stream()
                .filter(attempt -> attempt.container().equals(container))
                .forEach(attempt -> attempt.giveUp("Tez has stopped the task's container"));
    }

    @Override
    public void registerRunningTaskAttempt(
            ContainerId container,
            TaskSpec task,
            Map<String, LocalResource> resources,
            @Nullable Credentials credentials,
            boolean credentialsChanged,
            int priority) {
        TezTaskAttemptID id = task.getTaskAttemptID();
        getContext().taskSubmitted(id, container);
        getContext().taskStartedRemotely(id);
        DaemonAttempt attempt = new DaemonAttempt(
                getContext(), container, task, () -> payloads.of(task), daemons, () -> running.remove(id));
        running.put(id, attempt);
        Thread.ofVirtual().name("tez-" + id).start(attempt);
    }

    @Override
    public void unregisterRunningTaskAttempt(
            TezTaskAttemptID id, TaskAttemptEndReason reason, @Nullable String diagnostics) {
        DaemonAttempt attempt = running.remove(id);
        if (attempt != null) {
            attempt.giveUp("Tez has ended the task attempt");
        }
    }

    @Override
    public InetSocketAddress getAddress() {
        return NO_ADDRESS;
    }

    @Override
    public void onVertexStateUpdated(VertexStateUpdate update) {}

    @Override
    public void dagComplete(int dag) {
        payloads.clear();
        daemons.dagCompleted();
    }

    @Override
    public @Nullable Object getMetaInfo() {
        return null;
    }
}
