package io.skep.llap.client;

import java.util.Arrays;

/**
 * About how large each partition of a task's output is. A size takes a byte: its logarithm, which is off by a tenth at most.
 * Immutable.
 */
public final class PartitionSizes {
    /** Of an output whose sizes nobody wants. */
    public static final PartitionSizes NONE = new PartitionSizes(new byte[0]);

    /** So that the largest size goes into a byte. */
    private static final double STEPS_PER_DOUBLING = 4;

    private final byte[] steps;

    private PartitionSizes(byte[] steps) {
        this.steps = steps;
    }

    /** @param bytes of each partition */
    public static PartitionSizes of(long[] bytes) {
        byte[] steps = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            steps[i] = bytes[i] < 1 ? 0 : (byte) (1 + Math.round(STEPS_PER_DOUBLING * log2((double) bytes[i])));
        }
        return new PartitionSizes(steps);
    }

    private static double log2(double value) {
        return Math.log(value) / Math.log(2);
    }

    public int partitions() {
        return steps.length;
    }

    /** The size of a partition in bytes; 0 only of one without rows. */
    public long bytes(int partition) {
        int step = Byte.toUnsignedInt(steps[partition]);
        return step == 0 ? 0 : Math.round(Math.pow(2, (step - 1) / STEPS_PER_DOUBLING));
    }

    public byte[] encode() {
        return steps.clone();
    }

    public static PartitionSizes decode(byte[] encoded) {
        return new PartitionSizes(encoded.clone());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PartitionSizes sizes && Arrays.equals(steps, sizes.steps);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(steps);
    }

    @Override
    public String toString() {
        return "PartitionSizes" + Arrays.toString(steps);
    }
}
