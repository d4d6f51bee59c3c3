package io.skep.common.vector;

/**
 * Where those who decode values get the arrays for them. An array may be longer than it was asked for, and what is in it is
 * undefined. Owned by one thread at a time.
 */
public interface VectorArrays {
    /** New arrays, as long as they are asked for; for any number of threads. */
    VectorArrays NEW = new NewArrays();

    long[] longs(int length);

    double[] doubles(int length);

    int[] ints(int length);

    /** For values on their way into other arrays: valid until the next call of this method. */
    long[] scratch(int length);
}
