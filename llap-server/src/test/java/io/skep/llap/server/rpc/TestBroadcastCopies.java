package io.skep.llap.server.rpc;

import static io.skep.llap.server.rpc.DaemonSite.OPEN;
import static io.skep.llap.server.rpc.DaemonSite.QUERY;
import static io.skep.llap.server.rpc.DaemonSite.assertCode;
import static io.skep.llap.server.rpc.DaemonSite.at;
import static io.skep.llap.server.rpc.DaemonSite.awaitThat;
import static io.skep.llap.server.rpc.DaemonSite.drain;
import static io.skep.llap.server.rpc.DaemonSite.numbered;
import static io.skep.llap.server.rpc.DaemonSite.plan;
import static io.skep.llap.server.rpc.DaemonSite.remote;
import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.VectorAppender;
import io.skep.engine.plan.Fragment;
import io.skep.engine.spill.BatchCodec;
import io.skep.llap.client.EncodedPlan;
import io.skep.llap.client.OutputLocation;
import io.skep.llap.client.PageStream;
import io.skep.llap.client.PartitionRange;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.client.TaskStats;
import io.skep.llap.client.TaskSubmission;
import io.skep.llap.client.rpc.PageCodec;
import io.skep.llap.client.rpc.RemoteDaemon;
import io.skep.llap.server.rpc.DaemonSite.Served;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests tasks of one daemon that read the broadcast output of another one. */
@Timeout(180)
final class TestBroadcastCopies {
    private static final int TASKS = 8;
    private static final int ROWS = 50_000;
    private static final List<Long> ALL = LongStream.range(0, ROWS).boxed().toList();
    private static final EncodedPlan PLAN = plan(new Fragment.Output.Broadcast(), numbered(ROWS), remote());

    private final AtomicLong sentBytes = new AtomicLong();

    @TempDir
    private Path folder;

    private @Nullable DaemonSite made;

    @BeforeEach
    void start() {
        made = new DaemonSite(
                folder,
                new PageCodec(
                        batch -> {
                            byte[] page = BatchCodec.encode(batch);
                            sentBytes.addAndGet(page.length);
                            return page;
                        },
                        BatchCodec::decode));
    }

    @AfterEach
    void stop() throws Exception {
        site().close();
    }

    private DaemonSite site() {
        return Objects.requireNonNull(made);
    }

    private static TaskSubmission producer(boolean retain) {
        return TaskSubmission.of(QUERY, "plan", new TaskAttemptId(0, 0, 0), TASKS)
                .withRetainedOutput(retain);
    }

    private static TaskSubmission consumer(Served producer, int task, boolean retain) {
        Map<Integer, List<OutputLocation>> inputs =
                Map.of(0, List.of(at(producer.daemon().identity())));
        return TaskSubmission.of(QUERY, "plan", new TaskAttemptId(1, task, 0), 1)
                .withInputs(inputs, PartitionRange.of(task))
                .withRetainedOutput(retain);
    }

    /** Lets all tasks read all rows, one after the other. Returns the number of sent bytes, including results. */
    private long bytesOfAll(Served producer, RemoteDaemon consuming, boolean retain) {
        List<TaskSubmission> tasks = new ArrayList<>();
        for (int task = 0; task < TASKS; task++) {
            tasks.add(consumer(producer, task, retain));
        }
        List<CompletableFuture<TaskStats>> ends = consuming.start(QUERY, PLAN, tasks);
        for (int task = 0; task < TASKS; task++) {
            assertThat(drain(consuming.open(QUERY, new TaskAttemptId(1, task, 0), 0)))
                    .isEqualTo(ALL);
        }
        ends.forEach(end -> assertThat(end.join().outputRows()).isEqualTo(ROWS));
        return sentBytes.get();
    }

    private void aBroadcastIsSentOnce(boolean retain, long exchangeBytes) {
        Served one = site().serve("a", 0, OPEN, exchangeBytes);
        Served other = site().serve("b", 0, OPEN, exchangeBytes);
        RemoteDaemon producing = site().connect(one, OPEN);
        producing.register(QUERY, PLAN);
        CompletableFuture<TaskStats> produced = producing.submit(producer(retain));
        RemoteDaemon consuming = site().connect(other, OPEN);
        long bytes = bytesOfAll(one, consuming, retain);
        assertThat(produced.join().outputRows()).isEqualTo(ROWS);
        // The rows are sent once to the daemon, and once by each task to this test. With a stream per task, they would
        // be sent twice as often.
        assertThat(bytes).isBetween(TASKS * bytesOfOne(), (TASKS + 2L) * bytesOfOne());
    }

    /** The size of the pages of all rows. */
    private static long bytesOfOne() {
        long bytes = 0;
        for (int from = 0; from < ROWS; from += Batch.TARGET_ROWS) {
            VectorAppender appender = VectorAppender.of(PrimitiveType.BIGINT);
            int to = Math.min(ROWS, from + Batch.TARGET_ROWS);
            LongStream.range(from, to).forEach(appender::appendLong);
            bytes += BatchCodec.encode(new Batch(List.of(appender.build()), to - from)).length;
        }
        return bytes;
    }

    @Test
    void tasksOfADaemonShareWhatItHasFetched() {
        aBroadcastIsSentOnce(false, 8 << 20);
        // Neither side keeps the rows until the query ends, because all expected readers have read them.
        awaitThat(() -> site().exchangeBytes() == 0);
    }

    @Test
    void itIsKeptWhereTasksMayRunAgain() {
        aBroadcastIsSentOnce(true, 8 << 20);
        assertThat(site().exchangeBytes()).isGreaterThan(2L * ROWS * 8L);
        RemoteDaemon consuming = site().connect(site().served(1), OPEN);
        long before = sentBytes.get();
        TaskSubmission again = consumer(site().served(0), 0, true);
        TaskSubmission second = TaskSubmission.of(QUERY, "plan", new TaskAttemptId(1, 0, 1), 1)
                .withInputs(again.inputs(), PartitionRange.of(0))
                .withRetainedOutput(true);
        consuming.register(QUERY, PLAN);
        var _ = consuming.submit(second);
        assertThat(drain(consuming.open(QUERY, new TaskAttemptId(1, 0, 1), 0))).isEqualTo(ALL);
        // Only the result is sent.
        assertThat(sentBytes.get() - before).isLessThan(bytesOfOne() * 3 / 2);
        consuming.finishQuery(QUERY, "over").join();
    }

    @Test
    void whatMemoryDoesNotTakeGoesToDisk() {
        aBroadcastIsSentOnce(false, 100_000);
    }

    @Test
    void tasksThatAreThereOneAfterTheOtherFetchAgain() {
        Served one = site().serve("a");
        RemoteDaemon producing = site().connect(one, OPEN);
        producing.register(QUERY, PLAN);
        var _ = producing.submit(producer(false));
        RemoteDaemon consuming = site().connect(site().serve("b"), OPEN);
        consuming.register(QUERY, PLAN);
        for (int task = 0; task < TASKS; task++) {
            CompletableFuture<TaskStats> end = consuming.submit(consumer(one, task, false));
            assertThat(drain(consuming.open(QUERY, new TaskAttemptId(1, task, 0), 0)))
                    .isEqualTo(ALL);
            assertThat(end.join().outputRows()).isEqualTo(ROWS);
        }
        awaitThat(() -> site().exchangeBytes() == 0);
    }

    @Test
    void allWhoReadFailWithTheProducersDaemon() throws Exception {
        Served one = site().serve("a");
        RemoteDaemon producing = site().connect(one, OPEN);
        // The producing task is never started, so readers wait.
        producing.register(QUERY, PLAN);
        RemoteDaemon consuming = site().connect(site().serve("b"), OPEN);
        List<CompletableFuture<TaskStats>> waiting =
                consuming.start(QUERY, PLAN, List.of(consumer(one, 0, false), consumer(one, 1, false)));
        PageStream result = consuming.open(QUERY, new TaskAttemptId(1, 0, 0), 0);
        one.server().close();
        waiting.forEach(task -> assertCode(StandardErrorCode.DAEMON_LOST, task));
        assertCode(StandardErrorCode.DAEMON_LOST, result.next());
    }
}
