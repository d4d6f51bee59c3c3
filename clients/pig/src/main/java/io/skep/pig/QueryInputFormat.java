package io.skep.pig;

import io.skep.llap.client.LlapInputFormat;
import io.skep.mapred.InputSettings;
import io.skep.mapred.LlapRow;
import io.skep.mapred.LlapSplits;
import io.skep.mapred.RowReader;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/** The rows of a query for Hadoop's newer interface, which Pig uses. */
final class QueryInputFormat extends InputFormat<NullWritable, LlapRow> {
    /** As many as mapred asks for. */
    private static final int DEFAULT_SPLITS = 2;

    @Override
    public List<InputSplit> getSplits(JobContext context) throws IOException {
        int count = context.getConfiguration().getInt(MRJobConfig.NUM_MAPS, DEFAULT_SPLITS);
        return Arrays.stream(LlapSplits.of(InputSettings.of(context.getConfiguration()), Math.max(1, count)))
                .<InputSplit>map(QuerySplit::new)
                .toList();
    }

    @Override
    public RecordReader<NullWritable, LlapRow> createRecordReader(InputSplit split, TaskAttemptContext context)
            throws IOException {
        return new QueryRecordReader(new RowReader<>(
                ((QuerySplit) split).split(),
                context.getConfiguration(),
                LlapInputFormat.DEFAULT_MEMORY,
                context,
                LlapRow::new));
    }
}
