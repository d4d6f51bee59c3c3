package io.skep.llap.client;

/** Neighbouring partitions of an output: {@code first}, and what follows, {@code count} in all. */
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
