package io.skep.llap.client;

import io.skep.mapred.InputSettings;
import io.skep.mapred.LlapRow;
import io.skep.mapred.LlapSplit;
import io.skep.mapred.LlapSplits;
import io.skep.mapred.RowReader;
import java.io.IOException;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapred.InputFormat;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Reporter;
import org.jspecify.annotations.NullMarked;

/**
 * The rows of a query, as the user of the job may see them. The server authorizes and plans the query of
 * {@link InputSettings}; the daemons that have its data send the rows.
 */
@NullMarked
public final class LlapInputFormat implements InputFormat<NullWritable, LlapRow> {
    /** The most bytes of memory outside the heap that a reader uses. Batches have a megabyte, but a row may be long. */
    public static final long DEFAULT_MEMORY = 512L << 20;

    @Override
    public InputSplit[] getSplits(JobConf job, int count) throws IOException {
        return LlapSplits.of(InputSettings.of(job), count);
    }

    @Override
    public RowReader<LlapRow> getRecordReader(InputSplit split, JobConf job, Reporter reporter) throws IOException {
        return new RowReader<>((LlapSplit) split, job, DEFAULT_MEMORY, reporter, LlapRow::new);
    }
}
