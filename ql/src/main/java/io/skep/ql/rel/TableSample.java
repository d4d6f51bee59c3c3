package io.skep.ql.rel;

import io.skep.storage.acid.SeenWriteIds;

/** The share of a table's rows that a scan reads: a sample, except for one by buckets, or the rows of some writes. */
public sealed interface TableSample {
    /** Returns the estimated number of rows of the sample of a table with this estimated number of rows. */
    double rows(double ofTable);

    /** The first rows of the partitions that the query reads. */
    record Rows(long count) implements TableSample {
        @Override
        public double rows(double ofTable) {
            return Math.min(ofTable, (double) count);
        }
    }

    /** Consecutive parts of the files that the query reads, up to a size. */
    sealed interface Blocks extends TableSample {
        /** Returns the size of the sample in bytes, where the files have {@code total} bytes. */
        long bytesOf(long total);

        /** Returns the number from which the first part follows ({@code hive.sample.seednumber}). */
        int seed();
    }

    /** A share of the bytes of the files. */
    record Percent(double percent, int seed) implements Blocks {
        @Override
        public long bytesOf(long total) {
            return (long) Math.ceil(total * percent / 100);
        }

        @Override
        public double rows(double ofTable) {
            return ofTable * percent / 100;
        }
    }

    /** A number of bytes of the files. */
    record Bytes(long bytes, int seed) implements Blocks {
        /** The assumed size of a row. */
        private static final double BYTES_PER_ROW = 40;

        @Override
        public long bytesOf(long total) {
            return bytes;
        }

        @Override
        public double rows(double ofTable) {
            return Math.min(ofTable, bytes / BYTES_PER_ROW);
        }
    }

    /**
     * The rows of an insert-only table by the write ids of their files. Such rows have no identifiers.
     *
     * @param later whether the rows of other write ids than the seen ones are read; otherwise those of the seen ones
     */
    record Writes(SeenWriteIds seen, boolean later) implements TableSample {
        @Override
        public double rows(double ofTable) {
            return later ? changed(ofTable) : ofTable;
        }
    }

    /**
     * Rows of a table with row identifiers, among them all that were removed by other write ids than some seen ones.
     * Only these are marked as deleted.
     */
    record Removed(SeenWriteIds seen) implements TableSample {
        @Override
        public double rows(double ofTable) {
            return changed(ofTable);
        }
    }

    /** The assumed number of rows that have changed since a materialized view was filled. */
    private static double changed(double ofTable) {
        return Math.max(1, ofTable / 10);
    }
}
