package io.skep.llap.client;

import io.skep.mapred.ArrowBatch;
import io.skep.mapred.BatchReader;
import io.skep.mapred.InputSettings;
import io.skep.mapred.LlapSplit;
import io.skep.mapred.LlapSplits;
import java.io.IOException;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapred.InputFormat;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Reporter;
import org.jspecify.annotations.NullMarked;

/** Like {@link LlapInputFormat}, with batches of Arrow in the place of rows. */
@NullMarked
public final class LlapArrowInputFormat implements InputFormat<NullWritable, ArrowBatch> {
    @Override
    public InputSplit[] getSplits(JobConf job, int count) throws IOException {
        return LlapSplits.of(InputSettings.of(job), count);
    }

    @Override
    public BatchReader getRecordReader(InputSplit split, JobConf job, Reporter reporter) throws IOException {
        return new BatchReader((LlapSplit) split, job, LlapInputFormat.DEFAULT_MEMORY, reporter);
    }
}
