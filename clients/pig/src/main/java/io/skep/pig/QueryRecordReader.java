package io.skep.pig;

import io.skep.mapred.LlapRow;
import io.skep.mapred.RowReader;
import java.io.IOException;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/** A reader of rows for Hadoop's newer interface. */
final class QueryRecordReader extends RecordReader<NullWritable, LlapRow> {
    private final RowReader<LlapRow> reader;
    private final LlapRow row;

    QueryRecordReader(RowReader<LlapRow> reader) {
        this.reader = reader;
        this.row = reader.createValue();
    }

    /** Does nothing: the reader has its split. */
    @Override
    public void initialize(InputSplit split, TaskAttemptContext context) {}

    @Override
    public boolean nextKeyValue() throws IOException {
        return reader.next(NullWritable.get(), row);
    }

    @Override
    public NullWritable getCurrentKey() {
        return NullWritable.get();
    }

    @Override
    public LlapRow getCurrentValue() {
        return row;
    }

    @Override
    public float getProgress() {
        return reader.getProgress();
    }

    @Override
    public void close() {
        reader.close();
    }
}
