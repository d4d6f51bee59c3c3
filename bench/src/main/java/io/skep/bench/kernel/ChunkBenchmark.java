package io.skep.bench.kernel;

import io.skep.common.vector.Batch;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorArrays;
import io.skep.llap.server.chunk.ChunkEncoder;
import io.skep.llap.server.chunk.ChunkReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Measures the cache's encodings. A row group's column is written, read batch by batch, and read with a tenth of its
 * rows.
 */
@State(Scope.Thread)
public class ChunkBenchmark {
    private static final int ROWS = 64 * Batch.TARGET_ROWS;
    private static final int WARM_UP = 500;

    @Param({
        "7 bits",
        "13 bits",
        "32 bits",
        "64 bits",
        "nulls",
        "runs of 50",
        "constant",
        "double",
        "decimal(30,2)",
        "text",
        "dictionary"
    })
    public String content = "";

    private Vector column = new SampleVectors(0).longs(1);
    private final Arena arena = Arena.ofConfined();
    private MemorySegment chunk = MemorySegment.NULL;
    private MemorySegment onHeap = MemorySegment.NULL;
    private final int[] tenth = new int[Batch.TARGET_ROWS / 10];

    @Setup
    public void encode() {
        SampleVectors vectors = new SampleVectors(ROWS);
        column = switch (content) {
            case "7 bits" -> vectors.longs(1L << 7);
            case "13 bits" -> vectors.longs(1L << 13);
            case "32 bits" -> vectors.longs(1L << 32);
            case "64 bits" -> vectors.longs(Long.MAX_VALUE);
            case "nulls" -> vectors.nullableLongs(1L << 13);
            case "runs of 50" -> vectors.runs(50);
            case "constant" -> vectors.runs(ROWS);
            case "double" -> vectors.doubles();
            case "decimal(30,2)" -> vectors.decimals();
            case "text" -> vectors.texts(6);
            case "dictionary" -> vectors.dictionary(100);
            default -> throw new IllegalArgumentException(content);
        };
        byte[] encoded = ChunkEncoder.encode(List.of(column));
        chunk = arena.allocate(encoded.length, Long.BYTES);
        onHeap = MemorySegment.ofArray(encoded);
        chunk.copyFrom(onHeap);
        // As in a server whose cache has had no room for some chunks.
        for (int i = 0; i < WARM_UP; i++) {
            read(chunk);
            read(onHeap);
        }
        for (int i = 0; i < tenth.length; i++) {
            tenth[i] = i * 10;
        }
    }

    @Benchmark
    @OperationsPerInvocation(ROWS)
    public byte[] write() {
        return ChunkEncoder.encode(List.of(column));
    }

    @Benchmark
    @OperationsPerInvocation(ROWS)
    public long read() {
        return read(chunk);
    }

    @Benchmark
    @OperationsPerInvocation(ROWS)
    public long readOnHeap() {
        return read(onHeap);
    }

    private static long read(MemorySegment chunk) {
        ChunkReader reader = new ChunkReader(chunk);
        long rows = 0;
        for (int from = 0; from < ROWS; from += Batch.TARGET_ROWS) {
            rows += reader.decode(from, Batch.TARGET_ROWS).length();
        }
        return rows;
    }

    /** The time is per row of the batch, including rows that are not read. */
    @Benchmark
    @OperationsPerInvocation(ROWS)
    public long readTenth() {
        ChunkReader reader = new ChunkReader(chunk);
        long rows = 0;
        for (int from = 0; from < ROWS; from += Batch.TARGET_ROWS) {
            rows += reader.decode(from, Batch.TARGET_ROWS, tenth, tenth.length, VectorArrays.NEW)
                    .length();
        }
        return rows;
    }

    @TearDown
    public void free() {
        arena.close();
    }
}
