package io.skep.mapred;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.util.Progressable;

/** Reads a split batch by batch, without a copy of its rows. One thread at a time. */
public final class BatchReader implements RecordReader<NullWritable, ArrowBatch> {
    private final SplitReader reader;

    /** @param limit the most bytes of memory that batches may have */
    public BatchReader(LlapSplit split, Configuration job, long limit, Progressable progress) throws IOException {
        this.reader = new SplitReader(split, job, limit, progress);
    }

    @Override
    public boolean next(NullWritable key, ArrowBatch value) throws IOException {
        if (!reader.next()) {
            return false;
        }
        value.set(reader.batch());
        return true;
    }

    @Override
    public NullWritable createKey() {
        return NullWritable.get();
    }

    @Override
    public ArrowBatch createValue() {
        return new ArrowBatch();
    }

    /** Returns the number of rows that were read. */
    @Override
    public long getPos() {
        return reader.delivered();
    }

    @Override
    public float getProgress() {
        return reader.progress();
    }

    @Override
    public void close() {
        reader.close();
    }
}
