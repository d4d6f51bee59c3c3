package io.skep.engine.operator;

import io.skep.common.vector.Batch;
import io.skep.engine.rows.RowHash;
import io.skep.engine.spill.SpillFile;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows on disk, in files by the hash of their keys. Each level uses different bits of the hash. Owned by one thread.
 */
public final class SpillPartitions {
    public static final int COUNT = 16;

    /** The rows of one partition. */
    public static final class Part implements AutoCloseable {
        private final SpillFile file;
        private final int partition;
        private final int level;
        private SpillFile.Reader reader;

        private Part(SpillFile file, int partition, int level) {
            this.file = file;
            this.partition = partition;
            this.level = level;
            this.reader = file.read();
        }

        public int partition() {
            return partition;
        }

        /** Reads from the first row again. */
        public void rewind() {
            reader = file.read();
        }

        public int level() {
            return level;
        }

        @Nullable
        public Batch next() {
            return reader.next();
        }

        @Override
        public void close() {
            file.close();
        }
    }

    private final OperatorSpill spill;
    private final String purpose;
    private final int level;
    private final @Nullable SpillFile[] files = new SpillFile[COUNT];
    private final RowPartitioner partitioner = new RowPartitioner(COUNT);

    public SpillPartitions(OperatorSpill spill, String purpose, int level) {
        this.spill = spill;
        this.purpose = purpose;
        this.level = level;
    }

    /** @param hashes hashes of the rows' keys, by {@link RowHash}; overwritten */
    public void add(Batch batch, long[] hashes) {
        for (int i = 0; i < batch.rowCount(); i++) {
            hashes[i] = RowHash.mix(hashes[i] + level + 1);
        }
        partitioner.split(batch, hashes, (partition, part) -> file(partition).add(part));
    }

    private SpillFile file(int partition) {
        SpillFile file = files[partition];
        if (file == null) {
            file = spill.create(purpose);
            files[partition] = file;
        }
        return file;
    }

    /** Returns the partitions that contain rows. No rows may be added afterwards. */
    public List<Part> finish() {
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < files.length; i++) {
            SpillFile file = files[i];
            if (file != null) {
                parts.add(new Part(file, i, level));
            }
        }
        return parts;
    }
}
