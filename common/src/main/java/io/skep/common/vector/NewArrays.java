package io.skep.common.vector;

/** Allocates a new array for each request. */
final class NewArrays implements VectorArrays {
    @Override
    public long[] longs(int length) {
        return new long[length];
    }

    @Override
    public double[] doubles(int length) {
        return new double[length];
    }

    @Override
    public int[] ints(int length) {
        return new int[length];
    }

    @Override
    public long[] scratch(int length) {
        return new long[length];
    }
}
