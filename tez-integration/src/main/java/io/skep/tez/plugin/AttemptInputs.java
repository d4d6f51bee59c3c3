package io.skep.tez.plugin;

import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.OutputLocation;
import io.skep.llap.client.PartitionRange;
import io.skep.tez.vertex.TaskInput;
import io.skep.tez.wire.OutputAddress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.tez.dag.api.TezException;
import org.apache.tez.runtime.api.Event;
import org.apache.tez.runtime.api.events.CustomProcessorEvent;
import org.apache.tez.runtime.api.events.DataMovementEvent;
import org.apache.tez.runtime.api.events.InputFailedEvent;
import org.apache.tez.runtime.api.events.InputReadErrorEvent;
import org.apache.tez.runtime.api.impl.EventMetaData;
import org.apache.tez.runtime.api.impl.InputSpec;
import org.apache.tez.runtime.api.impl.TaskSpec;
import org.apache.tez.runtime.api.impl.TezEvent;
import org.apache.tez.serviceplugins.api.TaskCommunicatorContext;
import org.apache.tez.serviceplugins.api.TaskHeartbeatRequest;
import org.apache.tez.serviceplugins.api.TaskHeartbeatResponse;
import org.jspecify.annotations.Nullable;

/**
 * An attempt's communication with the application master. Sends the attempt's events and receives those that contain
 * the locations of the producers' outputs. Owned by the attempt's thread.
 */
final class AttemptInputs {
    private static final int MAX_EVENTS = 10_000;
    private static final long PAUSE_NANOS = 1_000_000;

    /** Tez requires the name of the reporting machine, but does not use it. */
    private static final String LOCALHOST = "localhost";

    private final TaskCommunicatorContext context;
    private final ContainerId container;
    private final TaskSpec task;
    private final Map<String, @Nullable OutputLocation[]> locations = new HashMap<>();
    private final List<TezEvent> losses = new ArrayList<>();
    private @Nullable TaskInput share;
    private int nextEvent;
    private int nextRoutedEvent;

    /**
     * The locations of the rows, and the part of them that the task reads.
     *
     * @param locations by producing vertex, in the order of its tasks
     */
    record Found(Map<String, List<OutputLocation>> locations, TaskInput input) {}

    AttemptInputs(TaskCommunicatorContext context, ContainerId container, TaskSpec task) {
        this.context = context;
        this.container = container;
        this.task = task;
        for (InputSpec input : task.getInputs()) {
            locations.put(input.getSourceVertexName(), new OutputLocation[input.getPhysicalEdgeCount()]);
        }
    }

    /**
     * Waits until the outputs of all producing tasks and the task's part of them are known. A task is started after its
     * producers have finished, so the wait is short. It is longer if a lost daemon held some outputs. The application
     * master then receives a report and runs the producing tasks again.
     *
     * @param splits whether the vertex manager assigns the splits that it reads
     * @param lost whether the outputs of a daemon are gone
     * @param givenUp ends the waiting
     * @return nothing when the attempt was given up
     */
    Optional<Found> await(boolean splits, Predicate<DaemonIdentity> lost, CompletableFuture<String> givenUp)
            throws IOException, TezException {
        while (!complete(splits)) {
            List<TezEvent> told = List.copyOf(losses);
            losses.clear();
            if (!heartbeat(told, lost) || givenUp.isDone()) {
                return Optional.empty();
            }
            if (!complete(splits)) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        Map<String, List<OutputLocation>> known = new HashMap<>();
        locations.forEach((producer, outputs) -> known.put(
                producer, Arrays.stream(outputs).map(Objects::requireNonNull).toList()));
        return Optional.of(new Found(known, input()));
    }

    /** A task that reads no other vertex, and exactly its planned splits, receives no event. */
    private TaskInput input() {
        TaskInput told = share;
        return told == null
                ? new TaskInput(
                        PartitionRange.of(task.getTaskAttemptID().getTaskID().getId()))
                : told;
    }

    private boolean complete(boolean splits) {
        boolean told = share != null || locations.isEmpty() && !splits;
        return told && locations.values().stream().flatMap(Arrays::stream).noneMatch(Objects::isNull);
    }

    /**
     * Sends events of the attempt.
     *
     * @return false when the application master has ended the attempt
     */
    boolean heartbeat(List<TezEvent> events) throws IOException, TezException {
        return heartbeat(events, daemon -> false);
    }

    private boolean heartbeat(List<TezEvent> events, Predicate<DaemonIdentity> lost) throws IOException, TezException {
        TaskHeartbeatResponse response = context.heartbeat(new TaskHeartbeatRequest(
                container.toString(), task.getTaskAttemptID(), events, nextEvent, nextRoutedEvent, MAX_EVENTS));
        if (response.isShouldDie()) {
            return false;
        }
        nextEvent = response.getNextFromEventId();
        nextRoutedEvent = response.getNextPreRoutedEventId();
        if (response.getEvents() != null) {
            response.getEvents().forEach(event -> take(event, lost));
        }
        return true;
    }

    private void take(TezEvent routed, Predicate<DaemonIdentity> lost) {
        Event event = routed.getEvent();
        if (event instanceof CustomProcessorEvent told) {
            share = TaskInput.decode(told.getPayload());
            return;
        }
        String producer = routed.getDestinationInfo().getEdgeVertexName();
        @Nullable OutputLocation[] outputs = locations.get(producer);
        if (outputs == null) {
            return;
        }
        if (event instanceof DataMovementEvent moved) {
            OutputLocation location = OutputAddress.decode(moved.getUserPayload());
            boolean gone = lost.test(location.daemon());
            outputs[moved.getTargetIndex()] = gone ? null : location;
            if (gone) {
                losses.add(loss(producer, moved));
            }
        } else if (event instanceof InputFailedEvent failed) {
            outputs[failed.getTargetIndex()] = null;
        }
    }

    /**
     * Creates the loss report. It is marked as an error at the source. So Tez acts on it at once, without weighing it
     * against reports of other consumers.
     */
    private TezEvent loss(String producer, DataMovementEvent output) {
        return new TezEvent(
                InputReadErrorEvent.create(
                        "the daemon that held the rows is lost",
                        output.getTargetIndex(),
                        output.getVersion(),
                        false,
                        true,
                        LOCALHOST),
                new EventMetaData(
                        EventMetaData.EventProducerConsumerType.INPUT,
                        task.getVertexName(),
                        producer,
                        task.getTaskAttemptID()));
    }
}
