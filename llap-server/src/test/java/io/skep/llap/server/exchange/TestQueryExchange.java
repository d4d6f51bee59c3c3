package io.skep.llap.server.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.memory.MemoryPool;
import io.skep.common.query.QueryId;
import io.skep.common.vector.Batch;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.LongVector;
import io.skep.engine.exchange.TaskOutput;
import io.skep.engine.spill.SpillBudget;
import io.skep.engine.spill.SpillSpace;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.server.executor.IoPool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
final class TestQueryExchange {
    private static final TaskAttemptId OUTPUT = new TaskAttemptId(1, 0, 0);
    private final SkepException over = new SkepException(StandardErrorCode.OPERATION_CANCELED, "over");

    @TempDir
    private Path folder;

    private final IoPool io = new IoPool("test", 2, 0);
    private MemoryPool memory = MemoryPool.root("test", 10_000);
    private SpillSpace spill = new SpillSpace(Path.of("/nowhere"), new QueryId("q"), "exchange", 0);
    private QueryExchange exchange = new QueryExchange(memory, spill, io);

    @BeforeEach
    void open() {
        spill = new SpillSpace(folder, new QueryId("q"), "exchange", Long.MAX_VALUE);
        exchange = new QueryExchange(memory, spill, io);
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        exchange.end(over);
        io.whenIdle().join();
        spill.close();
        io.close();
        assertThat(memory.reservedBytes()).isZero();
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void aReaderMayComeBeforeTheProducer() {
        LogReader reader = exchange.open(OUTPUT, 1);
        CompletableFuture<Optional<Batch>> first = reader.next();
        TaskOutput output = exchange.begin(OUTPUT, config(2, false, false));
        output.add(0, batch(0, 1));
        assertThat(first).isNotDone();
        output.add(1, batch(7, 1));
        assertThat(values(first.join().orElseThrow())).containsExactly(7L);
        CompletableFuture<Optional<Batch>> end = reader.next();
        assertThat(end).isNotDone();
        output.finish();
        assertThat(end.join()).isEmpty();
        assertThat(drain(exchange.open(OUTPUT, 0))).containsExactly(0L);
    }

    /**
     * A batch of such rows with the usual row count would need more bytes than an array may have. Here the rows share
     * one text.
     */
    @Test
    void rowsWithLongTextsComeInBatchesOfFewerRows() {
        byte[] text = new byte[3 << 20];
        text[7] = 'x';
        int rows = 10;
        int[] lengths = new int[rows];
        Arrays.fill(lengths, text.length);
        TaskOutput output = exchange.begin(OUTPUT, config(1, false, false));
        output.add(0, Batch.of(rows, new BytesVector(text, new int[rows], lengths, null, rows)));
        output.finish();
        LogReader reader = exchange.open(OUTPUT, 0);
        int read = 0;
        for (Optional<Batch> next = reader.next().join();
                next.isPresent();
                next = reader.next().join()) {
            Batch batch = next.get();
            assertThat(batch.rowCount()).isLessThanOrEqualTo(2);
            for (int row = 0; row < batch.rowCount(); row++) {
                assertThat(((BytesVector) batch.column(0)).bytes(row)).isEqualTo(text);
            }
            read += batch.rowCount();
        }
        assertThat(read).isEqualTo(rows);
    }

    @Test
    void rowsBeyondTheBudgetGoToDiskAndComeBackInOrder() {
        TaskOutput output = exchange.begin(OUTPUT, config(1, false, false));
        for (int i = 0; i < 50; i++) {
            output.add(0, batch(i * 100L, 100));
        }
        output.finish();
        assertThat(memory.reservedBytes()).isLessThanOrEqualTo(10_000);
        assertThat(spill.usedBytes()).isPositive();
        assertThat(drain(exchange.open(OUTPUT, 0)))
                .containsExactlyElementsOf(LongStream.range(0, 5000).boxed().toList());
        assertThat(memory.reservedBytes()).isZero();
    }

    @Test
    void aBroadcastIsKeptOnceForAll() {
        TaskOutput output = exchange.begin(OUTPUT, config(3, true, false));
        List<LogReader> readers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            readers.add(exchange.open(OUTPUT, 0));
            output.add(i, batch(5, 100));
        }
        output.finish();
        long once = batch(5, 100).retainedBytes();
        assertThat(memory.reservedBytes()).isEqualTo(once);
        assertThat(drain(readers.get(0))).hasSize(100);
        assertThat(drain(readers.get(1))).hasSize(100);
        assertThat(memory.reservedBytes()).isEqualTo(once);
        assertThat(drain(readers.get(2))).hasSize(100);
        assertThat(memory.reservedBytes()).isZero();
    }

    @Test
    void whatIsRetainedCanBeReadAgain() {
        TaskOutput output = exchange.begin(OUTPUT, config(1, false, true));
        for (int i = 0; i < 30; i++) {
            output.add(0, batch(i, 100));
        }
        output.finish();
        List<Long> first = drain(exchange.open(OUTPUT, 0));
        assertThat(first).hasSize(3000);
        assertThat(drain(exchange.open(OUTPUT, 0))).isEqualTo(first);
        assertThat(output.hasReaders()).isTrue();
    }

    @Test
    void nobodyLeftMeansNotWanted() {
        TaskOutput output = exchange.begin(OUTPUT, config(2, false, false));
        LogReader first = exchange.open(OUTPUT, 0);
        first.close();
        assertThat(output.hasReaders()).isTrue();
        exchange.open(OUTPUT, 1).close();
        assertThat(output.hasReaders()).isFalse();
        output.add(0, batch(1, 10));
        assertThat(memory.reservedBytes()).isZero();
    }

    @Test
    void theProducerOfAResultPausesForASlowReader() {
        long one = batch(0, 100).retainedBytes();
        TaskOutput output = exchange.begin(OUTPUT, new OutputConfig(1, 1, false, false, one * 2));
        LogReader reader = exchange.open(OUTPUT, 0);
        for (int i = 0; i < 3; i++) {
            assertThat(output.blocked()).isDone();
            output.add(0, batch(i, 100));
        }
        CompletableFuture<?> blocked = output.blocked();
        assertThat(blocked).isNotDone();
        reader.next().join();
        assertThat(blocked).isDone();
        assertThat(output.blocked()).isDone();
    }

    @Test
    void aFailureReachesReadersThatWaitAndThoseThatCome() {
        LogReader waiting = exchange.open(OUTPUT, 0);
        CompletableFuture<Optional<Batch>> next = waiting.next();
        exchange.begin(OUTPUT, config(2, false, false));
        exchange.fail(OUTPUT, new SkepException(StandardErrorCode.DIVISION_BY_ZERO, "one by zero"));
        assertThatThrownBy(next::join).hasRootCauseMessage("one by zero");
        assertThatThrownBy(() -> exchange.open(OUTPUT, 1).next().join()).hasRootCauseMessage("one by zero");
    }

    @Test
    void theEndReachesEverybody() {
        LogReader waiting = exchange.open(OUTPUT, 0);
        CompletableFuture<Optional<Batch>> next = waiting.next();
        TaskOutput output = exchange.begin(OUTPUT, config(1, false, false));
        exchange.end(over);
        assertThatThrownBy(next::join).hasCause(over);
        assertThat(output.hasReaders()).isFalse();
        output.add(0, batch(1, 1));
        LogReader late = exchange.open(new TaskAttemptId(9, 9, 9), 0);
        assertThatThrownBy(() -> late.next().join()).hasCause(over);
    }

    @Test
    void aDiscardedAttemptLeavesNothing() {
        TaskOutput output = exchange.begin(OUTPUT, config(1, false, true));
        for (int i = 0; i < 30; i++) {
            output.add(0, batch(i, 100));
        }
        exchange.discard(OUTPUT);
        assertThat(memory.reservedBytes()).isZero();
        assertThat(spill.usedBytes()).isZero();
    }

    /** The number of partitions does not matter. */
    @Test
    void anOutputThatIsSpilledIsOneFile() throws IOException {
        TaskOutput output = exchange.begin(OUTPUT, config(64, false, true));
        for (int round = 0; round < 20; round++) {
            for (int partition = 0; partition < 64; partition++) {
                output.add(partition, batch(partition * 1000L + round * 10L, 10));
            }
        }
        output.finish();
        assertThat(spill.usedBytes()).isPositive();
        try (Stream<Path> files = Files.walk(folder)) {
            assertThat(files.filter(Files::isRegularFile)).hasSize(1);
        }
        for (int partition = 0; partition < 64; partition++) {
            assertThat(drain(exchange.open(OUTPUT, partition)))
                    .containsExactlyElementsOf(LongStream.range(partition * 1000L, partition * 1000L + 200)
                            .boxed()
                            .toList());
        }
    }

    @Test
    void theDiskThatItTakesIsLimited() {
        SpillBudget daemon = new SpillBudget("all", 8_000, "setting.of.all");
        try (SpillSpace one = space("one", new SpillBudget("one", 5_000, "setting.of.one"), daemon);
                SpillSpace two = space("two", new SpillBudget("two", 5_000, "setting.of.two"), daemon)) {
            assertThatThrownBy(() -> fill(one, "one")).isInstanceOfSatisfying(SkepException.class, e -> {
                assertThat(e.code()).isEqualTo(StandardErrorCode.DISK_FULL);
                assertThat(e.hint().orElseThrow()).contains("setting.of.one");
            });
            assertThatThrownBy(() -> fill(two, "two"))
                    .isInstanceOfSatisfying(
                            SkepException.class,
                            e -> assertThat(e.hint().orElseThrow()).contains("setting.of.all"));
            assertThat(daemon.usedBytes()).isEqualTo(one.usedBytes() + two.usedBytes());
        }
        assertThat(daemon.usedBytes()).isZero();
    }

    private SpillSpace space(String query, SpillBudget own, SpillBudget daemon) {
        return new SpillSpace(folder, new QueryId(query), "exchange", List.of(own, daemon));
    }

    private void fill(SpillSpace space, String query) {
        QueryExchange other = new QueryExchange(MemoryPool.root(query, 1), space, io);
        TaskOutput output = other.begin(OUTPUT, config(1, false, true));
        for (int i = 0; i < 100; i++) {
            output.add(0, batch(i, 100));
        }
    }

    @Test
    void sharedBytesAreCutDownToTheRows() {
        byte[] shared = new byte[1 << 20];
        BytesVector few = new BytesVector(shared, new int[] {5, 900}, new int[] {3, 4}, null, 2);
        TaskOutput output = exchange.begin(OUTPUT, config(1, false, false));
        output.add(0, Batch.of(2, few));
        assertThat(memory.reservedBytes()).isBetween(1L, 500L);
    }

    private static OutputConfig config(int partitions, boolean broadcast, boolean retained) {
        return new OutputConfig(partitions, 1, broadcast, retained, Long.MAX_VALUE);
    }

    private static Batch batch(long first, int rows) {
        return Batch.of(
                rows, new LongVector(LongStream.range(first, first + rows).toArray(), null, rows));
    }

    private static List<Long> values(Batch batch) {
        LongVector vector = (LongVector) batch.column(0).flatten();
        return LongStream.of(vector.values()).limit(batch.rowCount()).boxed().toList();
    }

    private static List<Long> drain(LogReader reader) {
        List<Long> all = new ArrayList<>();
        for (Optional<Batch> next = reader.next().join();
                next.isPresent();
                next = reader.next().join()) {
            all.addAll(values(next.get()));
        }
        reader.close();
        return all;
    }
}
