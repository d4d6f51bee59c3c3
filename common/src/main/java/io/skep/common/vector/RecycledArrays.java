package io.skep.common.vector;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Arrays for the vectors of successive batches, reused when a batch is not read any more. New arrays for each batch
 * would walk through all memory that the collector clears at a time, so each value would be written to memory and read
 * again. Reused arrays stay in the processor's cache. The decoder of a batch reports what became of the previous one:
 * {@link #takeBack} if no consumer has received its arrays, {@link #handOut} if one has.
 *
 * <p>A vector that is read too late returns a wrong answer. To make tests detect this, arrays are overwritten before
 * reuse when assertions are enabled.
 */
public final class RecycledArrays implements VectorArrays {
    /** The length of arrays that are reused. */
    private static final int LENGTH = Batch.TARGET_ROWS;

    /** The number of arrays kept per batch and type. The processor's cache has no room for more anyway. */
    private static final int MOST = 32;

    static final long GARBAGE = 0xDEAD_BEEF_DEAD_BEEFL;

    /** The arrays of batches that may still be read, the oldest first. */
    private final Deque<BatchArrays> handedOut = new ArrayDeque<>();

    private final boolean comeBack;
    /**
     * Shorter arrays are allocated, so that a consumer that keeps a batch does not hold more memory than the batch
     * needs.
     */
    private final int least;

    private BatchArrays current = new BatchArrays();
    private long[] scratch = new long[0];

    private RecycledArrays(boolean comeBack, int atOnce) {
        this.comeBack = comeBack;
        this.least = comeBack ? 1 : LENGTH;
        for (int i = 0; i < atOnce; i++) {
            handedOut.add(new BatchArrays());
        }
    }

    /**
     * Creates arrays for batches that consumers may read for any time. Only arrays that no consumer has received are
     * reused.
     */
    public static RecycledArrays untilHandedOut() {
        return new RecycledArrays(false, 0);
    }

    /** @param atOnce how many batches that have been handed out are still read when the next one is decoded */
    public static RecycledArrays of(int atOnce) {
        return new RecycledArrays(true, atOnce);
    }

    /** Records that a consumer has received the arrays that were returned since the last call. */
    public void handOut() {
        if (comeBack) {
            handedOut.add(current);
            current = handedOut.remove();
            takeBack();
        } else {
            current = new BatchArrays();
        }
    }

    /** Reuses the arrays that were returned since the last call, which are not read any more. */
    public void takeBack() {
        assert overwritten();
        current.longs.reset();
        current.doubles.reset();
        current.ints.reset();
    }

    private boolean overwritten() {
        current.longs.given().forEach(array -> Arrays.fill(array, GARBAGE));
        current.doubles.given().forEach(array -> Arrays.fill(array, Double.longBitsToDouble(GARBAGE)));
        current.ints.given().forEach(array -> Arrays.fill(array, (int) GARBAGE));
        return true;
    }

    @Override
    public long[] longs(int length) {
        return recyclable(length) ? current.longs.take() : new long[length];
    }

    @Override
    public double[] doubles(int length) {
        return recyclable(length) ? current.doubles.take() : new double[length];
    }

    @Override
    public int[] ints(int length) {
        return recyclable(length) ? current.ints.take() : new int[length];
    }

    private boolean recyclable(int length) {
        return length >= least && length <= LENGTH;
    }

    @Override
    public long[] scratch(int length) {
        if (scratch.length < length) {
            scratch = new long[length];
        }
        return scratch;
    }

    /** The arrays of one batch. */
    private static final class BatchArrays {
        private final Kept<long[]> longs = new Kept<>(long[]::new);
        private final Kept<double[]> doubles = new Kept<>(double[]::new);
        private final Kept<int[]> ints = new Kept<>(int[]::new);
    }

    /** The arrays of one batch and type. */
    private static final class Kept<A> {
        private final IntFunction<A> maker;
        private final List<A> arrays = new ArrayList<>();
        private int given;

        Kept(IntFunction<A> maker) {
            this.maker = maker;
        }

        A take() {
            if (given < arrays.size()) {
                return arrays.get(given++);
            }
            A array = maker.apply(LENGTH);
            if (given < MOST) {
                arrays.add(array);
                given++;
            }
            return array;
        }

        void reset() {
            given = 0;
        }

        List<A> given() {
            return arrays.subList(0, given);
        }
    }
}
