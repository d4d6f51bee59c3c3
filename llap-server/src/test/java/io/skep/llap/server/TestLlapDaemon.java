package io.skep.llap.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Datum;
import io.skep.common.vector.LongVector;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.plan.codec.PlanCodec;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.EncodedPlan;
import io.skep.llap.client.LazyEncoded;
import io.skep.llap.client.OutputLocation;
import io.skep.llap.client.PageStream;
import io.skep.llap.client.PartitionRange;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.client.TaskStats;
import io.skep.llap.client.TaskSubmission;
import io.skep.storage.scan.PageSourceFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class TestLlapDaemon {
    private static final QueryId QUERY = new QueryId("q1");
    private static final DaemonIdentity IDENTITY = new DaemonIdentity(0, "first", 2);

    @TempDir
    private Path folder;

    private Optional<LlapDaemon> started = Optional.empty();

    @BeforeEach
    void start() {
        LlapConfig config = new LlapConfig(
                2, 8, 2, 1_000_000, 16 << 20, 1 << 20, 16, 64 << 20, 32 << 20, 8 << 20, 1L << 30, 1L << 30, 1L << 30,
                1L << 30, 1 << 20, 4096, 0, List.of(), folder);
        DaemonResources resources = new DaemonResources(config, split -> {
            throw new IllegalStateException("this test reads no files");
        });
        PageSourceFactory none = (request, split, memory) -> {
            throw new IllegalStateException("this test reads no files");
        };
        DaemonStorage storage = new DaemonStorage(none, none, (table, path) -> {
            throw new IllegalStateException("this test writes no files");
        });
        started = Optional.of(new LlapDaemon(IDENTITY, config, resources, storage, peer -> daemon()));
    }

    private LlapDaemon daemon() {
        return started.orElseThrow();
    }

    @AfterEach
    void stop() {
        daemon().finishQuery(QUERY, "test over").join();
        assertThat(daemon().snapshot().leftovers()).isEmpty();
        daemon().close();
    }

    @Test
    void aTaskDeliversItsRowsAndFigures() {
        StageGraph graph = graph(List.of(), valuesFragment(0, 1, 5000, new Fragment.Output.Gather()));
        String plan = register(graph);
        CompletableFuture<TaskStats> stats = daemon().submit(submission(plan, 0, 0, 1, Map.of()));
        assertThat(drain(daemon().open(QUERY, new TaskAttemptId(0, 0, 0), 0))).hasSize(5000);
        assertThat(stats.join().outputRows()).isEqualTo(5000);
    }

    @Test
    void tasksFeedEachOtherThroughTheExchangeInWhateverOrderTheyCome() {
        Fragment producer = valuesFragment(0, 0, 3000, new Fragment.Output.Hash(List.of(0)));
        Fragment middle = new Fragment(1, remote(0), Fragment.Distribution.HASH, new Fragment.Output.Gather());
        Fragment root = new Fragment(2, remote(1), Fragment.Distribution.SINGLE, new Fragment.Output.Gather());
        String plan = register(graph(List.of(), producer, middle, root));
        var _ = daemon().submit(submission(plan, 2, 0, 1, Map.of(1, List.of(at(1, 0), at(1, 1)))));
        var _ = daemon().submit(submission(plan, 1, 1, 1, Map.of(0, List.of(at(0, 0)))));
        var _ = daemon().submit(submission(plan, 1, 0, 1, Map.of(0, List.of(at(0, 0)))));
        PageStream result = daemon().open(QUERY, new TaskAttemptId(2, 0, 0), 0);
        var _ = daemon().submit(submission(plan, 0, 0, 2, Map.of()));
        List<Long> rows = drain(result);
        assertThat(rows)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(0, 3000).boxed().toList());
    }

    @Test
    void aFailingTaskFailsItsReaders() {
        Fragment bad = new Fragment(
                0,
                new PlanNode.Filter(
                        values(0, 10), new Expression.Call("no_such_function", List.of(), PrimitiveType.BOOLEAN)),
                Fragment.Distribution.SINGLE,
                new Fragment.Output.Gather());
        String plan = register(graph(List.of(), bad));
        CompletableFuture<TaskStats> stats = daemon().submit(submission(plan, 0, 0, 1, Map.of()));
        PageStream stream = daemon().open(QUERY, new TaskAttemptId(0, 0, 0), 0);
        assertThatThrownBy(() -> stream.next().join()).hasCauseInstanceOf(SkepException.class);
        assertThatThrownBy(stats::join).hasCauseInstanceOf(SkepException.class);
    }

    @Test
    void endingCancelsWhatWaitsForInput() {
        Fragment producer = valuesFragment(0, 0, 10, new Fragment.Output.Gather());
        Fragment root = new Fragment(1, remote(0), Fragment.Distribution.SINGLE, new Fragment.Output.Gather());
        String plan = register(graph(List.of(), producer, root));
        CompletableFuture<TaskStats> waiting = daemon().submit(submission(plan, 1, 0, 1, Map.of(0, List.of(at(0, 0)))));
        CompletableFuture<Optional<Batch>> next =
                daemon().open(QUERY, new TaskAttemptId(1, 0, 0), 0).next();
        daemon().finishQuery(QUERY, "cancelled by the user").join();
        assertThatThrownBy(waiting::join).hasMessageContaining("cancelled by the user");
        assertThatThrownBy(next::join).hasMessageContaining("cancelled by the user");
        assertThatThrownBy(() ->
                        daemon().submit(submission(plan, 0, 0, 1, Map.of())).join())
                .hasRootCauseInstanceOf(SkepException.class);
    }

    @Test
    void aSlowClientPausesTheQueryAndACloseFreesIt() {
        String plan = register(graph(List.of(), valuesFragment(0, 0, 100_000, new Fragment.Output.Gather())));
        CompletableFuture<TaskStats> stats = daemon().submit(submission(plan, 0, 0, 1, Map.of()));
        PageStream stream = daemon().open(QUERY, new TaskAttemptId(0, 0, 0), 0);
        assertThat(stream.next().join()).isPresent();
        assertThat(stats).isNotDone();
        stream.close();
        assertThat(stats.join().outputRows()).isLessThan(100_000);
    }

    @Test
    void anAttemptThatIsGivenUpCanBeRunAgain() {
        Fragment producer = valuesFragment(0, 0, 100, new Fragment.Output.Gather());
        Fragment root = new Fragment(1, remote(0), Fragment.Distribution.SINGLE, new Fragment.Output.Gather());
        String plan = register(graph(List.of(), producer, root));
        CompletableFuture<TaskStats> first = daemon().submit(submission(plan, 1, 0, 1, Map.of(0, List.of(at(0, 0)))));
        daemon().cancel(QUERY, new TaskAttemptId(1, 0, 0), "given up").join();
        assertThatThrownBy(first::join)
                .hasCauseInstanceOf(SkepException.class)
                .cause()
                .extracting(e -> ((SkepException) e).code())
                .isEqualTo(StandardErrorCode.OPERATION_CANCELED);
    }

    @Test
    void unknownPlansAreRefused() {
        register(graph(List.of(), valuesFragment(0, 1, 1, new Fragment.Output.Gather())));
        assertThatThrownBy(() -> daemon().submit(submission("nonsense", 0, 0, 1, Map.of()))
                        .join())
                .hasMessageContaining("nonsense");
    }

    private String register(StageGraph graph) {
        byte[] bytes = PlanCodec.encode(graph);
        String hash = PlanCodec.hash(bytes);
        daemon().register(QUERY, new EncodedPlan(hash, LazyEncoded.ofBytes(bytes)));
        return hash;
    }

    private static TaskSubmission submission(
            String plan, int fragment, int task, int partitions, Map<Integer, List<OutputLocation>> inputs) {
        return TaskSubmission.of(QUERY, plan, new TaskAttemptId(fragment, task, 0), partitions)
                .withInputs(inputs, PartitionRange.of(task));
    }

    private static OutputLocation at(int fragment, int task) {
        return new OutputLocation(IDENTITY, new TaskAttemptId(fragment, task, 0));
    }

    private static StageGraph graph(List<String> resources, Fragment... fragments) {
        return new StageGraph(List.of(fragments), List.of("n"), List.of(PrimitiveType.BIGINT), resources, 10);
    }

    private static Fragment valuesFragment(int id, long first, int rows, Fragment.Output output) {
        return new Fragment(id, values(first, rows), Fragment.Distribution.SINGLE, output);
    }

    private static PlanNode values(long first, int rows) {
        List<List<Datum>> data = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            data.add(List.of(new Datum.OfLong(first + i)));
        }
        return new PlanNode.Values(List.of(PrimitiveType.BIGINT), data);
    }

    private static PlanNode remote(int fragment) {
        return new PlanNode.RemoteSource(List.of(fragment), List.of(PrimitiveType.BIGINT), List.of());
    }

    private static List<Long> drain(PageStream stream) {
        List<Long> rows = new ArrayList<>();
        for (Optional<Batch> next = stream.next().join();
                next.isPresent();
                next = stream.next().join()) {
            LongVector vector = (LongVector) next.get().column(0).flatten();
            LongStream.of(vector.values()).limit(next.get().rowCount()).forEach(rows::add);
        }
        stream.close();
        return rows;
    }

    /** The late submission follows enough other ended queries that the daemon does not remember the end of its own. */
    @Test
    void tasksThatComeLateForAQueryThatHasEndedMakeNoNewOne() {
        String plan = register(graph(List.of(), valuesFragment(0, 1, 10, new Fragment.Output.Gather())));
        daemon().finishQuery(QUERY, "over").join();
        for (int i = 0; i < 10_001; i++) {
            daemon().finishQuery(new QueryId("other" + i), "over").join();
        }
        assertThatThrownBy(() ->
                        daemon().submit(submission(plan, 0, 0, 1, Map.of())).join())
                .cause()
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.OPERATION_CANCELED));
        assertThat(daemon().queries()).isEmpty();
    }
}
