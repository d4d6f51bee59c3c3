package io.skep.tez;

import io.skep.common.error.ErrorKind;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.OutputId;
import io.skep.llap.client.OutputLocation;
import io.skep.llap.client.Parcel;
import io.skep.llap.client.TaskFigures;
import io.skep.llap.client.TaskSubmission;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.tez.runtime.api.AbstractLogicalIOProcessor;
import org.apache.tez.runtime.api.Event;
import org.apache.tez.runtime.api.LogicalInput;
import org.apache.tez.runtime.api.LogicalOutput;
import org.apache.tez.runtime.api.ProcessorContext;
import org.apache.tez.runtime.api.TaskFailureType;

/**
 * A task of a fragment as Tez sees it: hands the fragment's task over to the daemon and waits for its end. A task that Tez kills
 * is given up in the daemon too.
 */
public final class FragmentProcessor extends AbstractLogicalIOProcessor {
    public FragmentProcessor(ProcessorContext context) {
        super(context);
    }

    @Override
    public void initialize() {}

    @Override
    public void handleEvents(List<Event> events) {}

    @Override
    public void run(Map<String, LogicalInput> inputs, Map<String, LogicalOutput> outputs) throws Exception {
        for (LogicalInput input : inputs.values()) {
            input.start();
        }
        for (LogicalOutput output : outputs.values()) {
            output.start();
        }
        VertexPayload payload = VertexPayload.fromBytes(
                Objects.requireNonNull(getContext().getUserPayload().getPayload()));
        QueryId query = new QueryId(payload.query());
        OutputId attempt = new OutputId(
                payload.fragment(), getContext().getTaskIndex(), getContext().getTaskAttemptNumber());
        try {
            DaemonConnection daemon = InProcessDaemons.find(
                    payload.daemons(), payload.tasks().get(attempt.task()).daemon());
            TaskFigures figures =
                    await(daemon, query, attempt, daemon.submit(submission(payload, query, attempt, inputs)));
            FigureCounters.add(getContext().getCounters(), payload.fragment(), figures);
            outputs.values()
                    .forEach(output ->
                            ((ExchangeOutput) output).complete(new OutputLocation(daemon.identity(), attempt)));
        } catch (SkepException e) {
            report(e, payload.root());
        }
    }

    private TaskSubmission submission(
            VertexPayload payload, QueryId query, OutputId attempt, Map<String, LogicalInput> inputs)
            throws InterruptedException {
        Map<Integer, List<OutputLocation>> locations = new HashMap<>();
        for (Map.Entry<String, LogicalInput> input : inputs.entrySet()) {
            locations.put(DagBuilder.fragment(input.getKey()), ((ExchangeInput) input.getValue()).awaitLocations());
        }
        VertexPayload.TaskShare share = payload.tasks().get(attempt.task());
        return new TaskSubmission(
                query,
                payload.planHash(),
                payload.fragment(),
                attempt.task(),
                attempt.attempt(),
                payload.outputPartitions(),
                parcels(share.splits()),
                locations,
                true,
                share.drivers(),
                payload.settings());
    }

    private static Map<Integer, List<Parcel>> parcels(Map<Integer, List<byte[]>> splits) {
        Map<Integer, List<Parcel>> parcels = new HashMap<>();
        splits.forEach((scan, bytes) ->
                parcels.put(scan, bytes.stream().map(Parcel::ofBytes).toList()));
        return parcels;
    }

    private static TaskFigures await(
            DaemonConnection daemon, QueryId query, OutputId attempt, CompletableFuture<TaskFigures> running)
            throws InterruptedException {
        try {
            return running.get();
        } catch (InterruptedException e) {
            daemon.cancel(query, attempt, "Tez has killed the task attempt").join();
            throw e;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof SkepException failure
                    ? failure
                    : new SkepException(StandardErrorCode.INTERNAL_ERROR, "unexpected failure: " + e.getCause(), e);
        }
    }

    /** An error that a second attempt would meet again, or that comes when rows may have gone out, is final. */
    private void report(SkepException failure, boolean root) {
        boolean last = root || failure.code().kind() == ErrorKind.USER;
        getContext()
                .reportFailure(
                        last ? TaskFailureType.FATAL : TaskFailureType.NON_FATAL, failure, FailureText.encode(failure));
    }

    @Override
    public void close() {}
}
