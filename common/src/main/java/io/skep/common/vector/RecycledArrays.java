package io.skep.common.vector;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Arrays for the vectors of batch after batch, used again where nobody looks at a batch any more. Arrays that are made anew for each
 * batch walk through all memory that the collector clears at a time, so that each value is written to memory and read
 * again; those that are used again stay in the processor's cache. Whoever decodes a batch says what became of the one
 * before: {@link #takeBack} if nobody has got its arrays, {@link #handOut} if somebody has.
 *
 * <p>A vector that is looked at too late gives a wrong answer. So that tests find that out, what is to be used again is first
 * overwritten where assertions are enabled.
 */
public final class RecycledArrays implements VectorArrays {
    /** The length of arrays that are used again. */
    private static final int LENGTH = Batch.TARGET_ROWS;

    /** Arrays of a batch and type that are kept; beyond, the processor's cache has no room for them anyway. */
    private static final int MOST = 32;

    static final long GARBAGE = 0xDEAD_BEEF_DEAD_BEEFL;

    /** Of the batches that may be looked at, the oldest first. */
    private final Deque<BatchArrays> handedOut = new ArrayDeque<>();

    private final boolean comeBack;
    /** Shorter ones are made anew: whoever keeps a batch should not pay for more than it has. */
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

    /** For batches that are looked at as long as anybody likes: only what nobody has got is used again. */
    public static RecycledArrays untilHandedOut() {
        return new RecycledArrays(false, 0);
    }

    /** @param atOnce how many batches that have been handed out are still looked at when the next one is decoded */
    public static RecycledArrays of(int atOnce) {
        return new RecycledArrays(true, atOnce);
    }

    /** Somebody has the arrays that were given since the last call. */
    public void handOut() {
        if (comeBack) {
            handedOut.add(current);
            current = handedOut.remove();
            takeBack();
        } else {
            current = new BatchArrays();
        }
    }

    /** Nobody looks at the arrays that were given since the last call. */
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

    /** Of one batch. */
    private static final class BatchArrays {
        private final Kept<long[]> longs = new Kept<>(long[]::new);
        private final Kept<double[]> doubles = new Kept<>(double[]::new);
        private final Kept<int[]> ints = new Kept<>(int[]::new);
    }

    /** Of one batch and type. */
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
