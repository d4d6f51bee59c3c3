package io.skep.tez.vertex;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.schedule.SkewSplittableInputs;
import io.skep.engine.schedule.SwappedJoins;
import io.skep.llap.client.PartitionRange;
import io.skep.tez.wire.SplitShare;
import io.skep.tez.wire.TaskReport;
import io.skep.tez.wire.VertexNames;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.tez.dag.api.InputDescriptor;
import org.apache.tez.dag.api.VertexManagerPlugin;
import org.apache.tez.dag.api.VertexManagerPluginContext;
import org.apache.tez.dag.api.VertexManagerPluginContext.ScheduleTaskRequest;
import org.apache.tez.dag.api.event.VertexState;
import org.apache.tez.dag.api.event.VertexStateUpdate;
import org.apache.tez.runtime.api.Event;
import org.apache.tez.runtime.api.TaskAttemptIdentifier;
import org.apache.tez.runtime.api.events.CustomProcessorEvent;
import org.apache.tez.runtime.api.events.VertexManagerEvent;

/**
 * Schedules a vertex's tasks when all tasks of the preceding vertices have completed. Daemons keep the outputs. So no
 * producer waits for a consumer, and no consumer occupies a slot that a producer needs. At that point the size of the
 * input is known. The vertex gets as many tasks as the input is worth, but at most the planned number. A partition that
 * is much larger than others gets several tasks. Each task receives an event with its part of the input. A vertex that
 * scans and may prune splits also waits for the fragments that provide the values (see {@link RuntimePruning}). Guarded
 * by itself.
 */
public final class AdaptiveVertexManager extends VertexManagerPlugin {
    @GuardedBy("this")
    private final Map<String, Set<Integer>> completed = new HashMap<>();

    @GuardedBy("this")
    private final Set<Integer> succeeded = new HashSet<>();

    private final OutputSizes sizes = new OutputSizes();
    private final ProducedValues values = new ProducedValues();

    @GuardedBy("this")
    private VertexManagerPayload payload = VertexManagerPayload.AS_PLANNED;

    @GuardedBy("this")
    private boolean started;

    @GuardedBy("this")
    private boolean scheduled;

    public AdaptiveVertexManager(VertexManagerPluginContext context) {
        super(context);
    }

    @Override
    public synchronized void initialize() {
        payload = VertexManagerPayload.decode(getContext().getUserPayload());
        if (payload.changesTasks()) {
            getContext().vertexReconfigurationPlanned();
        }
    }

    @Override
    public synchronized void onVertexStarted(List<TaskAttemptIdentifier> completions) {
        started = true;
        completions.forEach(this::count);
        awaited()
                .forEach(fragment -> getContext()
                        .registerForVertexStateUpdates(VertexNames.of(fragment), EnumSet.of(VertexState.SUCCEEDED)));
        scheduleIfReady();
    }

    @Override
    public synchronized void onSourceTaskCompleted(TaskAttemptIdentifier attempt) {
        count(attempt);
        scheduleIfReady();
    }

    @GuardedBy("this")
    private void count(TaskAttemptIdentifier attempt) {
        completed
                .computeIfAbsent(
                        attempt.getTaskIdentifier().getVertexIdentifier().getName(), name -> new HashSet<>())
                .add(attempt.getTaskIdentifier().getIdentifier());
    }

    /** A task sends this event before its end, so it arrives before the end is counted. */
    @Override
    public synchronized void onVertexManagerEventReceived(VertexManagerEvent event) {
        var task = event.getProducerAttemptIdentifier().getTaskIdentifier();
        int fragment = VertexNames.fragment(task.getVertexIdentifier().getName());
        switch (TaskReport.decode(event.getUserPayload())) {
            case TaskReport.Sizes news -> sizes.put(fragment, task.getIdentifier(), news.sizes());
            case TaskReport.Values news -> values.put(fragment, task.getIdentifier(), news.columns());
        }
    }

    /** The values that its tasks report have arrived before. */
    @Override
    public synchronized void onVertexStateUpdated(VertexStateUpdate update) {
        if (update.getVertexState() == VertexState.SUCCEEDED) {
            succeeded.add(VertexNames.fragment(update.getVertexName()));
            scheduleIfReady();
        }
    }

    /** Returns the fragments that report values to this vertex and send it no rows. */
    @GuardedBy("this")
    private Set<Integer> awaited() {
        Set<Integer> awaited = new HashSet<>();
        payload.pruning().ifPresent(pruning -> awaited.addAll(pruning.fragments()));
        getContext()
                .getInputVertexEdgeProperties()
                .keySet()
                .forEach(name -> awaited.remove(VertexNames.fragment(name)));
        return awaited;
    }

    @GuardedBy("this")
    private void scheduleIfReady() {
        if (!started || scheduled) {
            return;
        }
        Map<Integer, Integer> producers = new HashMap<>();
        for (String producer : getContext().getInputVertexEdgeProperties().keySet()) {
            int tasks = getContext().getVertexNumTasks(producer);
            if (completed.getOrDefault(producer, Set.of()).size() < tasks) {
                return;
            }
            producers.put(VertexNames.fragment(producer), tasks);
        }
        if (succeeded.containsAll(awaited())) {
            scheduled = true;
            schedule(inputs(producers));
        }
    }

    @GuardedBy("this")
    private List<TaskInput> inputs(Map<Integer, Integer> producers) {
        int planned = getContext().getVertexNumTasks(getContext().getVertexName());
        if (payload.pruning().isPresent()) {
            return pruned(payload.pruning().get());
        }
        return payload.fragment()
                .flatMap(fragment -> sizes.outputs(payload.partitioned(), producers, planned)
                        .map(outputs -> fitted(fragment.root(), outputs, planned)))
                .orElseGet(() -> IntStream.range(0, planned)
                        .mapToObj(PartitionRange::of)
                        .map(TaskInput::new)
                        .toList());
    }

    private List<TaskInput> pruned(SplitPruning pruning) {
        List<SplitShare> shares = pruning.shares(filter -> values.of(
                filter.fragments(),
                filter.source(),
                fragment -> getContext().getVertexNumTasks(VertexNames.of(fragment))));
        return IntStream.range(0, shares.size())
                .mapToObj(task -> new TaskInput(PartitionRange.of(task)).withSplits(shares.get(task)))
                .toList();
    }

    @GuardedBy("this")
    private List<TaskInput> fitted(PlanNode root, List<OutputSizes.Output> outputs, int planned) {
        Set<Integer> mirrored = JoinSideSwitch.joinsToMirror(root, outputs, payload.switchFactor());
        Set<Integer> sliceable = SkewSplittableInputs.of(SwappedJoins.in(root, mirrored));
        boolean allPartitioned = payload.partitioned().containsAll(sliceable);
        return TaskInputs.of(outputs, allPartitioned ? sliceable : Set.of(), planned, payload).stream()
                .map(input -> input.withMirrored(mirrored))
                .toList();
    }

    @GuardedBy("this")
    private void schedule(List<TaskInput> inputs) {
        VertexManagerPluginContext context = getContext();
        if (payload.changesTasks()) {
            if (inputs.size() != context.getVertexNumTasks(context.getVertexName())) {
                context.reconfigureVertex(inputs.size(), null, null);
            }
            context.doneReconfiguringVertex();
        }
        boolean told = payload.pruning().isPresent()
                || !context.getInputVertexEdgeProperties().isEmpty();
        List<ScheduleTaskRequest> requests = new ArrayList<>();
        for (int task = 0; task < inputs.size(); task++) {
            if (told) {
                context.sendEventToProcessor(
                        List.of(CustomProcessorEvent.create(inputs.get(task).encode())), task);
            }
            requests.add(ScheduleTaskRequest.create(task, null));
        }
        context.scheduleTasks(requests);
    }

    @Override
    public void onRootVertexInitialized(String inputName, InputDescriptor input, List<Event> events) {}
}
