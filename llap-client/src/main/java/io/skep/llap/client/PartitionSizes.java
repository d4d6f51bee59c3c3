package io.skep.llap.client;

import java.util.Arrays;

/**
 * The approximate size of each partition of a task's output. A size is stored in one byte as its logarithm, with an
 * error of at most a tenth. Immutable.
 */
public final class PartitionSizes {
    /** The sizes of an output that no consumer needs sizes for. */
    public static final PartitionSizes NONE = new PartitionSizes(new byte[0]);

    /** Chosen so that the largest size fits in a byte. */
    private static final double STEPS_PER_DOUBLING = 4;

    private final byte[] steps;

    private PartitionSizes(byte[] steps) {
        this.steps = steps;
    }

    /** @param bytes the size of each partition */
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

    /** Returns the size of a partition in bytes. It is 0 only for a partition without rows. */
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
