package io.skep.tez;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.tez.dag.api.InputDescriptor;
import org.apache.tez.dag.api.VertexManagerPlugin;
import org.apache.tez.dag.api.VertexManagerPluginContext;
import org.apache.tez.dag.api.VertexManagerPluginContext.ScheduleTaskRequest;
import org.apache.tez.runtime.api.Event;
import org.apache.tez.runtime.api.TaskAttemptIdentifier;
import org.apache.tez.runtime.api.events.VertexManagerEvent;

/**
 * Schedules a vertex's tasks when all tasks of the vertices before it have completed. Outputs are kept by the daemons, so no
 * producer waits for a consumer, and no consumer takes a slot that a producer needs. Guarded by itself.
 */
public final class ProducersFirstVertexManager extends VertexManagerPlugin {
    private final Map<String, Set<Integer>> completed = new HashMap<>();
    private boolean started;
    private boolean scheduled;

    public ProducersFirstVertexManager(VertexManagerPluginContext context) {
        super(context);
    }

    @Override
    public void initialize() {}

    @Override
    public synchronized void onVertexStarted(List<TaskAttemptIdentifier> completions) {
        started = true;
        completions.forEach(this::count);
        scheduleIfReady();
    }

    @Override
    public synchronized void onSourceTaskCompleted(TaskAttemptIdentifier attempt) {
        count(attempt);
        scheduleIfReady();
    }

    private void count(TaskAttemptIdentifier attempt) {
        completed
                .computeIfAbsent(
                        attempt.getTaskIdentifier().getVertexIdentifier().getName(), name -> new HashSet<>())
                .add(attempt.getTaskIdentifier().getIdentifier());
    }

    private void scheduleIfReady() {
        if (!started || scheduled) {
            return;
        }
        for (String producer : getContext().getInputVertexEdgeProperties().keySet()) {
            if (completed.getOrDefault(producer, Set.of()).size() < getContext().getVertexNumTasks(producer)) {
                return;
            }
        }
        scheduled = true;
        List<ScheduleTaskRequest> requests = new ArrayList<>();
        int tasks = getContext().getVertexNumTasks(getContext().getVertexName());
        for (int task = 0; task < tasks; task++) {
            requests.add(ScheduleTaskRequest.create(task, null));
        }
        getContext().scheduleTasks(requests);
    }

    @Override
    public void onVertexManagerEventReceived(VertexManagerEvent event) {}

    @Override
    public void onRootVertexInitialized(String inputName, InputDescriptor input, List<Event> events) {}
}
