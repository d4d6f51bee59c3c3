package io.skep.tez.container;

import io.skep.common.error.ErrorKind;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.OutputLocation;
import io.skep.llap.client.PageStream;
import io.skep.llap.client.PartitionRange;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.client.TaskStats;
import io.skep.llap.client.TaskSubmission;
import io.skep.tez.vertex.TaskInput;
import io.skep.tez.wire.ContainerVertex;
import io.skep.tez.wire.FailureText;
import io.skep.tez.wire.PageFrames;
import io.skep.tez.wire.SplitShare;
import io.skep.tez.wire.StatsCounters;
import io.skep.tez.wire.TaskReport;
import io.skep.tez.wire.VertexNames;
import io.skep.tez.wire.VertexPayload;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.tez.runtime.api.AbstractLogicalIOProcessor;
import org.apache.tez.runtime.api.Event;
import org.apache.tez.runtime.api.LogicalInput;
import org.apache.tez.runtime.api.LogicalOutput;
import org.apache.tez.runtime.api.ProcessorContext;
import org.apache.tez.runtime.api.TaskFailureType;
import org.apache.tez.runtime.api.events.CustomProcessorEvent;
import org.apache.tez.runtime.api.events.VertexManagerEvent;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a fragment's task in a container. It waits until the locations of its inputs are known, runs the task
 * in the container's daemon, and writes its rows where others fetch them. Run by one thread of Tez; {@link #abort} and
 * events come from others.
 */
public final class FragmentProcessor extends AbstractLogicalIOProcessor {
    /** How many lost outputs a task may meet before that counts as its failure. */
    private static final int MAX_LOSSES = 8;

    private final Semaphore changes = new Semaphore(0);
    private final CompletableFuture<Optional<TaskStats>> aborted = new CompletableFuture<>();
    private volatile @Nullable TaskInput share;

    public FragmentProcessor(ProcessorContext context) {
        super(context);
    }

    @Override
    public void initialize() {}

    /** Handles the one event that the vertex manager sends to the task: its part of the inputs. */
    @Override
    public void handleEvents(List<Event> events) {
        for (Event event : events) {
            if (event instanceof CustomProcessorEvent told) {
                share = TaskInput.decode(told.getPayload());
            }
        }
        changes.release();
    }

    @Override
    public void run(Map<String, LogicalInput> inputs, Map<String, LogicalOutput> outputs) throws Exception {
        Map<String, ExchangeInput> read = new HashMap<>();
        inputs.forEach((producer, input) -> read.put(producer, (ExchangeInput) input));
        Attempt attempt = new Attempt(read, outputs);
        try {
            // Tez closes the file systems of the user that it creates for a task, while the daemon keeps its own.
            UserGroupInformation.getLoginUser().doAs((PrivilegedExceptionAction<@Nullable Void>) attempt::run);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw e;
        } catch (SkepException e) {
            throw reported(read, e);
        } catch (RuntimeException | IOException e) {
            throw reported(read, new SkepException(StandardErrorCode.INTERNAL_ERROR, "unexpected failure: " + e, e));
        }
    }

    /**
     * Reports a failure to Tez. An error that a second attempt would meet again is final. The loss of an output is not
     * the task's fault and does not count, up to a limit.
     */
    private SkepException reported(Map<String, ExchangeInput> inputs, SkepException failure) {
        if (aborted.isDone()) {
            return failure;
        }
        String text = FailureText.encode(failure);
        boolean lost = failure.code() == StandardErrorCode.OUTPUT_LOST;
        if (lost && getContext().getTaskAttemptNumber() < MAX_LOSSES) {
            // Tez may have learned of the loss from another consumer. In that case no input contains the output.
            failure.subject()
                    .ifPresent(holder -> inputs.values()
                            .forEach(input -> input.reportLost(holder, String.valueOf(failure.getMessage()))));
            getContext().killSelf(failure, text);
        } else {
            TaskFailureType type =
                    failure.code().kind() == ErrorKind.USER ? TaskFailureType.FATAL : TaskFailureType.NON_FATAL;
            getContext().reportFailure(type, failure, text);
        }
        return failure;
    }

    @Override
    public void abort() {
        aborted.complete(Optional.empty());
        changes.release();
    }

    @Override
    public void close() {}

    /** The work of one attempt. */
    private final class Attempt {
        private final ContainerVertex vertex = ContainerVertex.fromBytes(
                Objects.requireNonNull(getContext().getUserPayload().getPayload()));
        private final QueryId query = new QueryId(vertex.query());
        private final TaskAttemptId output = new TaskAttemptId(
                vertex.fragment(), getContext().getTaskIndex(), getContext().getTaskAttemptNumber());
        private final Map<String, ExchangeInput> inputs;
        private final Map<String, LogicalOutput> outputs;

        Attempt(Map<String, ExchangeInput> inputs, Map<String, LogicalOutput> outputs) {
            this.inputs = inputs;
            this.outputs = outputs;
        }

        @Nullable
        Void run() throws IOException, InterruptedException {
            ContainerProcess process = ContainerProcess.of(getContext(), vertex);
            process.enter(getContext(), vertex);
            Optional<Map<Integer, List<OutputLocation>>> found = await();
            if (found.isEmpty()) {
                throw givenUp();
            }
            DaemonConnection daemon = process.daemon();
            try {
                Optional<TaskStats> stats = await(daemon.submit(submission(process, found.get())));
                deliver(process, stats.orElseThrow(this::givenUp));
            } finally {
                daemon.cancel(query, output, "the task attempt is over").join();
            }
            return null;
        }

        private SkepException givenUp() {
            return new SkepException(StandardErrorCode.OPERATION_CANCELED, "Tez has ended the task attempt");
        }

        /** Returns the locations by producing fragment, or nothing when the attempt was given up. */
        private Optional<Map<Integer, List<OutputLocation>>> await() throws InterruptedException {
            inputs.values().forEach(input -> input.listen(changes::release));
            while (!aborted.isDone()) {
                Map<Integer, List<OutputLocation>> known = new HashMap<>();
                inputs.forEach((producer, input) ->
                        input.locations().ifPresent(locations -> known.put(VertexNames.fragment(producer), locations)));
                if (known.size() == inputs.size() && (isToldNothing() || share != null)) {
                    return Optional.of(known);
                }
                changes.acquire();
            }
            return Optional.empty();
        }

        /** Whether the task receives no event: it reads no other vertex, and exactly its planned splits. */
        private boolean isToldNothing() {
            return inputs.isEmpty() && !vertex.pruned();
        }

        private TaskInput input() {
            TaskInput told = share;
            return told == null ? new TaskInput(PartitionRange.of(output.task())) : told;
        }

        private TaskSubmission submission(ContainerProcess process, Map<Integer, List<OutputLocation>> locations)
                throws IOException {
            TaskInput input = input();
            Map<Integer, List<OutputLocation>> mine = new HashMap<>();
            locations.forEach((fragment, all) -> mine.put(fragment, input.of(fragment, all)));
            // The part of the planned task that this one replaces.
            ContainerVertex.Share part =
                    vertex.tasks().get(input.splits().map(SplitShare::task).orElse(output.task()));
            byte[] splits = process.folder(vertex).splits(part.offset(), part.length());
            VertexPayload.TaskShare read =
                    VertexPayload.TaskShare.read(new DataInputStream(new ByteArrayInputStream(splits)));
            return new TaskSubmission(
                    query,
                    vertex.planHash(),
                    vertex.fragment(),
                    output.task(),
                    output.attempt(),
                    vertex.outputPartitions(),
                    SplitShare.encoded(read.splits(), input.splits()),
                    mine,
                    input.partitions(),
                    input.mirroredJoins(),
                    vertex.reported(),
                    true,
                    part.drivers(),
                    vertex.settings());
        }

        /** Returns nothing when the attempt was given up. */
        private Optional<TaskStats> await(CompletableFuture<TaskStats> running) throws InterruptedException {
            try {
                return CompletableFuture.anyOf(running.thenApply(Optional::of), aborted)
                                        .get()
                                instanceof Optional<?> stats
                        ? stats.map(TaskStats.class::cast)
                        : Optional.empty();
            } catch (ExecutionException e) {
                throw unwrapped(e.getCause());
            }
        }

        private void deliver(ContainerProcess process, TaskStats stats) throws IOException {
            DaemonConnection daemon = process.daemon();
            try {
                if (vertex.root()) {
                    try (PageStream rows = daemon.open(query, output, 0)) {
                        process.folder(vertex).writeResult(output.attempt(), out -> PageFrames.writeAll(out, rows));
                    }
                } else {
                    int partitions = vertex.broadcast() ? 1 : vertex.outputPartitions();
                    DaemonIdentity place = ShuffleFiles.write(
                            getContext(), partitions, partition -> daemon.open(query, output, partition));
                    outputs.values()
                            .forEach(edge -> ((ExchangeOutput) edge)
                                    .complete(new OutputLocation(place, output), stats.output()));
                }
            } catch (CompletionException e) {
                throw unwrapped(e.getCause());
            }
            getContext()
                    .sendEvents(vertex.listeners().stream()
                            .<Event>map(listener -> VertexManagerEvent.create(
                                    VertexNames.of(listener), TaskReport.encode(stats.values())))
                            .toList());
            long unread = input().splits().map(SplitShare::unread).orElse(0L);
            StatsCounters.add(getContext().getCounters(), vertex.fragment(), stats, unread);
        }

        private SkepException unwrapped(@Nullable Throwable cause) {
            return cause instanceof SkepException known
                    ? known
                    : new SkepException(
                            StandardErrorCode.INTERNAL_ERROR,
                            "unexpected failure: " + cause,
                            Objects.requireNonNullElseGet(cause, IllegalStateException::new));
        }
    }
}
