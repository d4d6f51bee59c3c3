package io.skep.bench.kernel;

import io.skep.common.vector.Batch;
import io.skep.common.vector.BytesVector;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Some of the expressions as handwritten loops over existing arrays, as a baseline for the kernels. */
@State(Scope.Thread)
public class PlainLoopBenchmark {
    private static final int ROWS = Batch.TARGET_ROWS;

    private long[] a = new long[0];
    private double[] d = new double[0];
    private byte[] text = new byte[0];
    private final int[] positions = new int[ROWS];
    private final long[] longs = new long[ROWS];
    private final double[] doubles = new double[ROWS];

    @Setup
    public void fill() {
        SampleVectors vectors = new SampleVectors(ROWS);
        a = vectors.longs(1000).values();
        d = vectors.doubles().values();
        BytesVector texts = vectors.texts(6);
        text = texts.data();
    }

    /** Evaluates {@code a < 500} to row numbers. */
    @Benchmark
    @OperationsPerInvocation(ROWS)
    public int lessThan() {
        int count = 0;
        for (int i = 0; i < ROWS; i++) {
            positions[count] = i;
            count += a[i] < 500 ? 1 : 0;
        }
        return count;
    }

    /** Evaluates {@code a * 3} into a reused array. */
    @Benchmark
    @OperationsPerInvocation(ROWS)
    public long[] multiply() {
        for (int i = 0; i < ROWS; i++) {
            longs[i] = a[i] * 3;
        }
        return longs;
    }

    /** Evaluates {@code d * d} into a reused array. */
    @Benchmark
    @OperationsPerInvocation(ROWS)
    public double[] square() {
        for (int i = 0; i < ROWS; i++) {
            doubles[i] = d[i] * d[i];
        }
        return doubles;
    }

    /** Reads the bytes of all texts once, which is the minimum work of a search. */
    @Benchmark
    @OperationsPerInvocation(ROWS)
    public int readTexts() {
        int sum = 0;
        for (byte value : text) {
            sum += value;
        }
        return sum;
    }
}
