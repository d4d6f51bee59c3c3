package io.skep.common.vector;

/**
 * Provides arrays to code that decodes values. An array may be longer than requested, and its content is undefined.
 * Owned by one thread at a time.
 */
public interface VectorArrays {
    /** Allocates new arrays of the requested length. Thread-safe. */
    VectorArrays NEW = new NewArrays();

    long[] longs(int length);

    double[] doubles(int length);

    int[] ints(int length);

    /** Returns an array for intermediate values, valid until the next call of this method. */
    long[] scratch(int length);
}
