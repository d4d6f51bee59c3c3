package io.skep.mapred;

import io.skep.reader.ExternalReader;
import io.skep.reader.ExternalSplit;
import io.skep.reader.ReadException;
import io.skep.reader.SplitRows;
import java.io.Closeable;
import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.Progressable;

/** Reads the batches of one split, with memory of its own, which ends with it. */
final class SplitReader implements Closeable {
    private final Schema schema;
    private final BufferAllocator memory;
    private final SplitRows rows;
    private final Progressable progress;
    private boolean ended;

    /**
     * Starts to read.
     *
     * @param limit the most bytes that batches may have
     * @param progress notes each batch
     */
    SplitReader(LlapSplit split, Configuration job, long limit, Progressable progress) throws IOException {
        ExternalSplit external = split.split();
        this.schema = external.arrowSchema();
        this.progress = progress;
        this.memory = new RootAllocator(limit);
        try {
            this.rows = new ExternalReader(memory, InputSettings.trust(job)).read(external);
        } catch (ReadException e) {
            memory.close();
            throw new IOException(e.getMessage(), e);
        }
    }

    Schema schema() {
        return schema;
    }

    /** Advances to the next batch; false at the end. */
    boolean next() throws IOException {
        progress.progress();
        try {
            ended = !rows.next();
            return !ended;
        } catch (ReadException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** The current batch, which is valid until the next one. */
    VectorSchemaRoot batch() {
        return rows.batch();
    }

    /** The number of rows of all batches so far. */
    long delivered() {
        return rows.delivered();
    }

    /** How many rows there will be is not known. */
    float progress() {
        return ended ? 1 : 0;
    }

    @Override
    public void close() {
        try (memory) {
            rows.close();
        }
    }
}
