package io.skep.engine.operator;

import io.skep.common.vector.Batch;
import io.skep.engine.rows.RowHash;

/** Splits batches into one part per partition by the hashes of the rows. Owned by one thread. */
final class RowPartitioner {
    /** Receives a partition's part of a batch, which always contains at least one row. */
    @FunctionalInterface
    interface Target {
        void add(int partition, Batch part);
    }

    private final int partitions;
    private final int[] starts;
    /** Allocated with the first batch that is split. Most tasks with one partition never split a batch. */
    private int[] partitionOf = new int[0];

    private int[] positions = new int[0];

    RowPartitioner(int partitions) {
        this.partitions = partitions;
        this.starts = new int[partitions + 1];
    }

    void split(Batch batch, long[] hashes, Target target) {
        int rows = batch.rowCount();
        if (partitionOf.length < rows) {
            int most = Math.max(rows, Batch.TARGET_ROWS);
            partitionOf = new int[most];
            positions = new int[most];
        }
        java.util.Arrays.fill(starts, 0);
        for (int i = 0; i < rows; i++) {
            int partition = RowHash.partition(hashes[i], partitions);
            partitionOf[i] = partition;
            starts[partition + 1]++;
        }
        for (int i = 0; i < partitions; i++) {
            starts[i + 1] += starts[i];
        }
        int[] next = starts.clone();
        for (int i = 0; i < rows; i++) {
            positions[next[partitionOf[i]]++] = i;
        }
        for (int i = 0; i < partitions; i++) {
            int count = starts[i + 1] - starts[i];
            if (count == rows) {
                target.add(i, batch);
            } else if (count > 0) {
                int[] own = java.util.Arrays.copyOfRange(positions, starts[i], starts[i + 1]);
                target.add(i, batch.select(own, count));
            }
        }
    }
}
