package io.skep.bench.kernel;

import io.skep.common.vector.Batch;
import io.skep.common.vector.Vector;
import io.skep.engine.plan.SortKey;
import io.skep.engine.rows.RowHash;
import io.skep.engine.rows.RowSorter;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Measures what joins, aggregations and sorts do with whole rows. */
@State(Scope.Thread)
public class RowsBenchmark {
    private static final int SORTED = 65_536;

    @Param({"bigint", "double", "decimal(30,2)", "text", "dictionary", "bigint, text"})
    public String columns = "";

    private List<Vector> hashed = List.of();
    private Batch sorted = new Batch(List.of(), 0);
    private List<SortKey> keys = List.of();
    private final long[] hashes = new long[Batch.TARGET_ROWS];

    @Setup
    public void fill() {
        hashed = vectors(Batch.TARGET_ROWS);
        List<Vector> flat = vectors(SORTED).stream().map(Vector::flatten).toList();
        sorted = new Batch(flat, SORTED);
        keys = java.util.stream.IntStream.range(0, flat.size())
                .mapToObj(column -> new SortKey(column, true, true))
                .toList();
    }

    private List<Vector> vectors(int rows) {
        SampleVectors vectors = new SampleVectors(rows);
        return switch (columns) {
            case "bigint" -> List.of(vectors.longs(Long.MAX_VALUE));
            case "double" -> List.of(vectors.doubles());
            case "decimal(30,2)" -> List.of(vectors.decimals());
            case "text" -> List.of(vectors.texts(3));
            case "dictionary" -> List.of(vectors.dictionary(100));
            case "bigint, text" -> List.of(vectors.longs(100), vectors.texts(3));
            default -> throw new IllegalArgumentException(columns);
        };
    }

    @Benchmark
    @OperationsPerInvocation(Batch.TARGET_ROWS)
    public long[] hash() {
        RowHash.hash(hashed, Batch.TARGET_ROWS, hashes);
        return hashes;
    }

    @Benchmark
    @OperationsPerInvocation(SORTED)
    public int[] sort() {
        return RowSorter.sort(sorted, keys);
    }
}
