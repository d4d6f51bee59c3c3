package io.skep.llap.server.external;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.engine.operator.Failures;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.plan.codec.PlanCodec;
import io.skep.llap.client.EncodedPlan;
import io.skep.llap.client.LazyEncoded;
import io.skep.llap.client.PartitionRange;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.client.TaskStats;
import io.skep.llap.client.TaskSubmission;
import io.skep.llap.client.external.ReadTicket;
import io.skep.llap.server.LlapDaemon;
import io.skep.llap.server.arrow.ArrowStream;
import io.skep.llap.server.arrow.ArrowTypes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.flight.FlightProducer;
import org.apache.arrow.vector.types.pojo.Schema;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the fragments of tickets on a daemon. Each read is a query of its own there, with one task that one executor at
 * a time works on, so that the rows have the same order each time. Thread-safe.
 */
public final class FragmentReads {
    private static final Logger LOG = LoggerFactory.getLogger(FragmentReads.class);

    private final LlapDaemon daemon;
    private final ExternalStreams streams;
    private final ReadLog log;

    public FragmentReads(LlapDaemon daemon, ExternalStreams streams, ReadLog log) {
        this.daemon = daemon;
        this.streams = streams;
        this.log = log;
    }

    /**
     * Starts a read. Returns when the log has its line, and does not wait for rows.
     *
     * @param address of the reader
     */
    public void start(
            ReadTicket ticket, ReadTicket.Fragment work, String address, FlightProducer.ServerStreamListener listener) {
        log.record(Optional.of(ticket), address, Optional.empty());
        StageGraph graph = PlanCodec.decode(work.plan());
        if (graph.fragments().size() != 1 || !graph.resources().isEmpty()) {
            throw new SkepException(
                    StandardErrorCode.NOT_SUPPORTED, "a ticket's plan has one fragment and no files of functions");
        }
        Schema schema = ArrowTypes.schema(graph.columnNames(), graph.columnTypes());
        QueryId id = new QueryId(ticket.query() + "-read-" + UUID.randomUUID());
        TaskAttemptId task = new TaskAttemptId(graph.root().id(), 0, 0);
        LOG.info("External read {} of user {}", id, ticket.user());
        streams.begin(end -> {
            Runnable over = () -> {
                end.run();
                var _ = daemon.finishQuery(id, "the external read has ended");
            };
            try {
                daemon.register(id, new EncodedPlan(id.value(), LazyEncoded.of(graph, work::plan)));
                CompletableFuture<TaskStats> result = daemon.submit(submission(id, task, work));
                ArrowStream stream =
                        new ArrowStream(daemon.open(id, task, 0), schema, graph.columnTypes(), listener, streams, over);
                var _ = result.whenComplete((_, error) -> {
                    if (error != null) {
                        stream.fail(Failures.asSkepException(error));
                    }
                });
                return stream;
            } catch (RuntimeException | Error e) {
                over.run();
                throw e;
            }
        });
    }

    private static TaskSubmission submission(QueryId id, TaskAttemptId task, ReadTicket.Fragment work) {
        Map<Integer, List<LazyEncoded>> splits = new HashMap<>();
        work.splits()
                .forEach((scan, encoded) -> splits.put(
                        scan, encoded.stream().map(LazyEncoded::ofBytes).toList()));
        return new TaskSubmission(
                id,
                id.value(),
                task.fragment(),
                task.task(),
                task.attempt(),
                1,
                splits,
                Map.of(),
                PartitionRange.of(0),
                Set.of(),
                List.of(),
                false,
                1,
                work.settings());
    }
}
