package io.skep.tez.plugin;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.tez.serviceplugins.api.TaskAttemptEndReason;
import org.apache.tez.serviceplugins.api.TaskScheduler;
import org.apache.tez.serviceplugins.api.TaskSchedulerContext;
import org.jspecify.annotations.Nullable;

/**
 * Assigns tasks to the daemons' slots, those of the highest priority first. Tez can run a task only in a container, so
 * each slot is a container that costs nothing to start. The container runs tasks one after the other, over all DAGs of
 * the session, until a task fails on it. Guarded by itself; calls of the context only queue work.
 */
public final class DaemonTaskScheduler extends TaskScheduler {
    private static final String HOST = "localhost";

    /** The nominal size of the containers, which is not accounted anywhere. */
    private static final int CONTAINER_MEGABYTES = 64;

    private final int slots;
    private final ApplicationAttemptId containersOf;
    private final Queue<Request> waiting =
            new PriorityQueue<>(Comparator.comparingInt(Request::priority).thenComparingLong(Request::number));

    @GuardedBy("this")
    private final Map<Object, Held> running = new HashMap<>();

    @GuardedBy("this")
    private final Deque<Container> idle = new ArrayDeque<>();

    @GuardedBy("this")
    private long requests;

    @GuardedBy("this")
    private long containers;

    /** @param priority a smaller number goes first, as in Tez */
    private record Request(Object task, int priority, long number, Object cookie) {}

    /** @param priority of the task that runs in the container */
    private record Held(Container container, int priority) {}

    public DaemonTaskScheduler(TaskSchedulerContext context) {
        super(context);
        slots = DaemonPlugins.of(context.getInitialUserPayload()).slots();
        ApplicationAttemptId attempt = context.getApplicationAttemptId();
        // Different from YARN's, so that the containers of two schedulers are not confused.
        ApplicationId application = ApplicationId.newInstance(
                context.getCustomClusterIdentifier(), attempt.getApplicationId().getId());
        containersOf = ApplicationAttemptId.newInstance(application, attempt.getAttemptId());
    }

    @Override
    public Resource getAvailableResources() {
        int free;
        synchronized (this) {
            free = Math.max(0, slots - running.size());
        }
        return Resource.newInstance(free * CONTAINER_MEGABYTES, free);
    }

    @Override
    public Resource getTotalResources() {
        return Resource.newInstance(slots * CONTAINER_MEGABYTES, slots);
    }

    @Override
    public int getClusterNodeCount() {
        return 1;
    }

    @Override
    public void blacklistNode(NodeId node) {}

    @Override
    public void unblacklistNode(NodeId node) {}

    @Override
    public void allocateTask(
            Object task,
            Resource capability,
            String[] hosts,
            String[] racks,
            Priority priority,
            Object signature,
            Object cookie) {
        add(task, priority, cookie);
    }

    @Override
    public void allocateTask(
            Object task,
            Resource capability,
            ContainerId container,
            Priority priority,
            Object signature,
            Object cookie) {
        add(task, priority, cookie);
    }

    private synchronized void add(Object task, Priority priority, Object cookie) {
        waiting.add(new Request(task, priority.getPriority(), requests++, cookie));
        assign();
    }

    @GuardedBy("this")
    private void assign() {
        while (!waiting.isEmpty() && (running.size() < slots || unblocksRunningTasks(waiting.element()))) {
            Request request = waiting.remove();
            Container container = idle.isEmpty() ? newContainer() : idle.pop();
            running.put(request.task(), new Held(container, request.priority()));
            getContext().taskAllocated(request.task(), request.cookie(), container);
        }
    }

    /**
     * Whether a producer must run again because its rows were lost, while consumers that wait for them occupy all
     * slots.
     */
    @GuardedBy("this")
    private boolean unblocksRunningTasks(Request request) {
        return running.values().stream().allMatch(held -> held.priority() > request.priority());
    }

    @GuardedBy("this")
    private Container newContainer() {
        return Container.newInstance(
                ContainerId.newContainerId(containersOf, ++containers),
                NodeId.newInstance(HOST, 0),
                HOST + ":0",
                Resource.newInstance(CONTAINER_MEGABYTES, 1),
                Priority.newInstance(0),
                null);
    }

    /** The application master stops a container whose task did not succeed. */
    @Override
    public synchronized boolean deallocateTask(
            Object task, boolean succeeded, @Nullable TaskAttemptEndReason reason, @Nullable String diagnostics) {
        waiting.removeIf(request -> request.task().equals(task));
        Held held = running.remove(task);
        if (held == null) {
            return false;
        }
        if (succeeded) {
            idle.push(held.container());
        }
        assign();
        return true;
    }

    @Override
    public synchronized @Nullable Object deallocateContainer(ContainerId container) {
        idle.removeIf(free -> free.getId().equals(container));
        Object task = null;
        for (Map.Entry<Object, Held> entry : running.entrySet()) {
            if (entry.getValue().container().getId().equals(container)) {
                task = entry.getKey();
            }
        }
        if (task != null) {
            running.remove(task);
            assign();
        }
        getContext().containerBeingReleased(container);
        return task;
    }

    @Override
    public synchronized int getHeldContainersCount() {
        return running.size() + idle.size();
    }

    @Override
    public void setShouldUnregister() {}

    @Override
    public boolean hasUnregistered() {
        return true;
    }

    @Override
    public void dagComplete() {}
}
