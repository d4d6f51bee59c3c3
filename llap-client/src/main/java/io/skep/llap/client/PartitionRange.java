package io.skep.llap.client;

/** A range of neighbouring partitions of an output: {@code count} partitions that begin with {@code first}. */
public record PartitionRange(int first, int count) {
    public PartitionRange {
        if (first < 0 || count < 1) {
            throw new IllegalArgumentException("a range of partitions has one at least: " + first + ", " + count);
        }
    }

    public static PartitionRange of(int partition) {
        return new PartitionRange(partition, 1);
    }
}
