package org.apache.hadoop.hive.llap;

import io.skep.llap.client.LlapInputFormat;
import io.skep.mapred.LlapSplit;
import io.skep.mapred.RowReader;
import java.io.IOException;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapred.InputFormat;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Reporter;

/** The name of Hive's input format of rows. */
public final class LlapRowInputFormat implements InputFormat<NullWritable, Row> {
    private final LlapInputFormat format = new LlapInputFormat();

    @Override
    public InputSplit[] getSplits(JobConf job, int count) throws IOException {
        return format.getSplits(job, count);
    }

    @Override
    public RowReader<Row> getRecordReader(InputSplit split, JobConf job, Reporter reporter) throws IOException {
        return new RowReader<>((LlapSplit) split, job, LlapInputFormat.DEFAULT_MEMORY, reporter, Row::new);
    }
}
