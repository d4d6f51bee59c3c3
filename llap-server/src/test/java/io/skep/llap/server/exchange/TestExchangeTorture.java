package io.skep.llap.server.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.memory.MemoryPool;
import io.skep.common.query.QueryId;
import io.skep.common.vector.Batch;
import io.skep.common.vector.LongVector;
import io.skep.engine.exchange.TaskOutput;
import io.skep.engine.spill.SpillSpace;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.server.executor.IoPool;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs producers and readers concurrently, with a budget so small that most rows go through files. */
@Timeout(60)
final class TestExchangeTorture {
    private static final int PARTITIONS = 3;
    private static final int BATCHES = 300;

    @TempDir
    private Path folder;

    @RepeatedTest(5)
    void nothingIsLostOrDoubled() throws Exception {
        MemoryPool memory = MemoryPool.root("test", 5_000);
        TaskAttemptId id = new TaskAttemptId(0, 0, 0);
        long seed = System.nanoTime();
        try (IoPool io = new IoPool("test", 2, 0);
                SpillSpace spill = new SpillSpace(folder, new QueryId("q"), "exchange", Long.MAX_VALUE);
                ExecutorService threads = Executors.newFixedThreadPool(6)) {
            QueryExchange exchange = new QueryExchange(memory, spill, io);
            TaskOutput output = exchange.begin(id, new OutputConfig(PARTITIONS, 1, false, false, Long.MAX_VALUE));
            List<Future<Long>> readers = new ArrayList<>();
            for (int partition = 0; partition < PARTITIONS; partition++) {
                LogReader reader = exchange.open(id, partition);
                readers.add(threads.submit(() -> sum(reader)));
            }
            List<Callable<Long>> producers = new ArrayList<>();
            for (int producer = 0; producer < 3; producer++) {
                Random random = new Random(seed + producer);
                producers.add(() -> produce(output, random));
            }
            long expected = 0;
            for (Future<Long> done : threads.invokeAll(producers)) {
                expected += done.get();
            }
            output.finish();
            long got = 0;
            for (Future<Long> reader : readers) {
                got += reader.get();
            }
            assertThat(got).as("seed %s", seed).isEqualTo(expected);
            assertThat(memory.reservedBytes()).isZero();
            exchange.end(new SkepException(StandardErrorCode.OPERATION_CANCELED, "over"));
        }
        assertThat(memory.reservedBytes()).isZero();
    }

    private static long produce(TaskOutput output, Random random) {
        long sum = 0;
        for (int i = 0; i < BATCHES; i++) {
            long[] values = random.longs(1 + random.nextInt(50), 0, 1_000_000).toArray();
            for (long value : values) {
                sum += value;
            }
            output.add(
                    random.nextInt(PARTITIONS), Batch.of(values.length, new LongVector(values, null, values.length)));
        }
        return sum;
    }

    private static long sum(LogReader reader) {
        long sum = 0;
        for (Optional<Batch> next = reader.next().join();
                next.isPresent();
                next = reader.next().join()) {
            LongVector vector = (LongVector) next.get().column(0).flatten();
            for (int i = 0; i < vector.length(); i++) {
                sum += vector.value(i);
            }
        }
        reader.close();
        return sum;
    }
}
