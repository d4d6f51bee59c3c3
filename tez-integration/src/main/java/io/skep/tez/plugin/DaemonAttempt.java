package io.skep.tez.plugin;

import io.skep.common.error.ErrorKind;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.OutputLocation;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.client.TaskStats;
import io.skep.llap.client.TaskSubmission;
import io.skep.tez.wire.FailureText;
import io.skep.tez.wire.OutputAddress;
import io.skep.tez.wire.SplitShare;
import io.skep.tez.wire.StatsCounters;
import io.skep.tez.wire.TaskReport;
import io.skep.tez.wire.VertexNames;
import io.skep.tez.wire.VertexPayload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.tez.common.counters.TezCounters;
import org.apache.tez.dag.api.TezException;
import org.apache.tez.dag.records.TezTaskAttemptID;
import org.apache.tez.runtime.api.Event;
import org.apache.tez.runtime.api.TaskFailureType;
import org.apache.tez.runtime.api.events.DataMovementEvent;
import org.apache.tez.runtime.api.events.TaskAttemptCompletedEvent;
import org.apache.tez.runtime.api.events.TaskAttemptFailedEvent;
import org.apache.tez.runtime.api.events.TaskAttemptKilledEvent;
import org.apache.tez.runtime.api.events.TaskStatusUpdateEvent;
import org.apache.tez.runtime.api.events.VertexManagerEvent;
import org.apache.tez.runtime.api.impl.EventMetaData;
import org.apache.tez.runtime.api.impl.EventMetaData.EventProducerConsumerType;
import org.apache.tez.runtime.api.impl.OutputSpec;
import org.apache.tez.runtime.api.impl.TaskSpec;
import org.apache.tez.runtime.api.impl.TezEvent;
import org.apache.tez.serviceplugins.api.TaskCommunicatorContext;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a fragment's task. It collects the locations of its inputs, submits the task to the daemon, waits for
 * its end and reports it to the application master. Run by one thread; {@link #giveUp} is called by others.
 */
final class DaemonAttempt implements Runnable {
    /** How many lost daemons a task may meet before that counts as its failure. */
    private static final int MAX_LOSSES = 8;

    /** How many daemons it may meet that its own daemon has lost and this process has not. Each costs a timeout. */
    private static final int MAX_CUTS = 2;

    private final ContainerId container;
    private final TaskSpec task;
    private final Supplier<VertexPayload> payload;
    private final TaskDaemons daemons;
    private final Runnable afterwards;
    private final AttemptInputs inputs;
    private final CompletableFuture<String> givenUp = new CompletableFuture<>();

    /** @param afterwards called at the end, on success and failure */
    DaemonAttempt(
            TaskCommunicatorContext context,
            ContainerId container,
            TaskSpec task,
            Supplier<VertexPayload> payload,
            TaskDaemons daemons,
            Runnable afterwards) {
        this.container = container;
        this.task = task;
        this.payload = payload;
        this.daemons = daemons;
        this.afterwards = afterwards;
        this.inputs = new AttemptInputs(context, container, task);
    }

    ContainerId container() {
        return container;
    }

    /** Ends the attempt in any state. Nothing more is reported about it. */
    void giveUp(String reason) {
        givenUp.complete(reason);
    }

    @Override
    public void run() {
        try {
            attempt();
        } catch (SkepException e) {
            report(e);
        } catch (RuntimeException | IOException | TezException e) {
            report(new SkepException(StandardErrorCode.INTERNAL_ERROR, "unexpected failure: " + e, e));
        } finally {
            afterwards.run();
        }
    }

    private void attempt() throws IOException, TezException {
        VertexPayload vertex = payload.get();
        List<DaemonConnection> connections = daemons.of(vertex);
        Optional<AttemptInputs.Found> found =
                inputs.await(vertex.pruned(), identity -> isLost(connections, identity), givenUp);
        if (found.isEmpty()) {
            return;
        }
        QueryId query = new QueryId(vertex.query());
        TezTaskAttemptID id = task.getTaskAttemptID();
        TaskAttemptId output =
                new TaskAttemptId(vertex.fragment(), id.getTaskID().getId(), id.getId());
        DaemonConnection daemon =
                choose(connections, planned(vertex, output, found.get()).daemon() + output.attempt());
        CompletableFuture<TaskStats> running = daemon.submit(submission(vertex, query, output, found.get()));
        var _ = givenUp.thenAccept(reason -> {
            // A task that has finished is given up as well, but other tasks read its output.
            if (!running.isDone()) {
                var _ = daemon.cancel(query, output, reason);
            }
        });
        TaskStats stats = await(running);
        if (!givenUp.isDone()) {
            complete(vertex, found.get(), stats, new OutputLocation(daemon.identity(), output));
        }
    }

    private static boolean isLost(List<DaemonConnection> daemons, DaemonIdentity identity) {
        return daemons.stream()
                .filter(daemon -> daemon.identity().incarnation().equals(identity.incarnation()))
                .allMatch(DaemonConnection::isLost);
    }

    /**
     * Returns the daemon that the attempt was meant for, or the next one that is not lost. Each attempt is meant for
     * another daemon.
     */
    private static DaemonConnection choose(List<DaemonConnection> daemons, int meant) {
        for (int i = 0; i < daemons.size(); i++) {
            DaemonConnection daemon = daemons.get((meant + i) % daemons.size());
            if (!daemon.isLost()) {
                return daemon;
            }
        }
        throw new SkepException(StandardErrorCode.DAEMON_LOST, "all daemons that the query ran on are lost");
    }

    private static TaskStats await(CompletableFuture<TaskStats> running) {
        try {
            return running.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof SkepException failure ? failure : e;
        }
    }

    private static TaskSubmission submission(
            VertexPayload vertex, QueryId query, TaskAttemptId output, AttemptInputs.Found found) {
        VertexPayload.TaskShare share = planned(vertex, output, found);
        Map<Integer, List<OutputLocation>> inputs = new HashMap<>();
        found.locations().forEach((producer, addresses) -> {
            int fragment = VertexNames.fragment(producer);
            inputs.put(fragment, found.input().of(fragment, addresses));
        });
        return new TaskSubmission(
                query,
                vertex.planHash(),
                output.fragment(),
                output.task(),
                output.attempt(),
                vertex.outputPartitions(),
                SplitShare.encoded(share.splits(), found.input().splits()),
                inputs,
                found.input().partitions(),
                found.input().mirroredJoins(),
                vertex.reported(),
                true,
                share.drivers(),
                vertex.settings());
    }

    /** Returns the part of the planned task that this one replaces. */
    private static VertexPayload.TaskShare planned(
            VertexPayload vertex, TaskAttemptId output, AttemptInputs.Found found) {
        return vertex.tasks().get(found.input().splits().map(SplitShare::task).orElse(output.task()));
    }

    /** Sends the location of the rows before the end of the task, because the end lets the consumers begin. */
    private void complete(VertexPayload vertex, AttemptInputs.Found found, TaskStats stats, OutputLocation location)
            throws IOException, TezException {
        TezCounters counters = new TezCounters();
        long unread = found.input().splits().map(SplitShare::unread).orElse(0L);
        StatsCounters.add(counters, vertex.fragment(), stats, unread);
        List<TezEvent> events = new ArrayList<>();
        for (OutputSpec edge : task.getOutputs()) {
            events.add(event(
                    DataMovementEvent.create(0, OutputAddress.encode(location)),
                    EventProducerConsumerType.OUTPUT,
                    edge.getDestinationVertexName()));
            if (stats.output().partitions() > 0) {
                events.add(event(
                        VertexManagerEvent.create(edge.getDestinationVertexName(), TaskReport.encode(stats.output())),
                        EventProducerConsumerType.OUTPUT,
                        edge.getDestinationVertexName()));
            }
        }
        for (int listener : vertex.listeners()) {
            events.add(event(
                    VertexManagerEvent.create(VertexNames.of(listener), TaskReport.encode(stats.values())),
                    EventProducerConsumerType.PROCESSOR,
                    null));
        }
        events.add(event(new TaskStatusUpdateEvent(counters, 1, null, true), EventProducerConsumerType.SYSTEM, null));
        inputs.heartbeat(events);
        inputs.heartbeat(List.of(event(new TaskAttemptCompletedEvent(), EventProducerConsumerType.SYSTEM, null)));
    }

    private void report(SkepException failure) {
        if (givenUp.isDone()) {
            return;
        }
        try {
            inputs.heartbeat(List.of(event(end(failure), EventProducerConsumerType.PROCESSOR, null)));
        } catch (IOException | TezException e) {
            failure.addSuppressed(e);
            throw failure;
        }
    }

    /**
     * Classifies a failure. An error is final if a second attempt would meet it again, or if rows may have been
     * delivered. The loss of a daemon is not the task's fault. Up to a limit it does not count, as long as there are
     * other daemons. When two daemons do not reach each other, the query as a whole must avoid one of them.
     */
    private Event end(SkepException failure) {
        String text = FailureText.encode(failure);
        List<DaemonConnection> connections = daemons.of(payload.get());
        int attempt = task.getTaskAttemptID().getId();
        boolean lost = failure.code() == StandardErrorCode.DAEMON_LOST;
        if (failure.code().kind() == ErrorKind.USER
                || payload.get().root()
                || connections.stream().allMatch(DaemonConnection::isLost)
                || (lost && attempt >= MAX_CUTS && isThere(connections, failure.subject()))) {
            return new TaskAttemptFailedEvent(text, TaskFailureType.FATAL);
        }
        boolean killed = lost && attempt < MAX_LOSSES;
        return killed ? new TaskAttemptKilledEvent(text) : new TaskAttemptFailedEvent(text, TaskFailureType.NON_FATAL);
    }

    private static boolean isThere(List<DaemonConnection> daemons, Optional<String> place) {
        return place.isPresent()
                && daemons.stream()
                        .filter(daemon -> !daemon.isLost())
                        .anyMatch(daemon -> daemon.identity()
                                .endpoint()
                                .map(Object::toString)
                                .equals(place));
    }

    private TezEvent event(Event event, EventProducerConsumerType source, @Nullable String edge) {
        return new TezEvent(event, new EventMetaData(source, task.getVertexName(), edge, task.getTaskAttemptID()));
    }
}
