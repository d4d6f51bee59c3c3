package org.apache.hadoop.hive.llap;

import io.skep.llap.client.LlapInputFormat;
import io.skep.mapred.BatchReader;
import io.skep.mapred.InputSettings;
import io.skep.mapred.LlapSplit;
import io.skep.mapred.LlapSplits;
import io.skep.mapred.RowReader;
import java.io.IOException;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapred.InputFormat;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;
import org.jspecify.annotations.Nullable;

/**
 * The name of Hive's input format. Its values are {@link Row}, or with Arrow {@link io.skep.mapred.ArrowBatch}.
 *
 * @param <V> the class of the values
 */
public final class LlapBaseInputFormat<V> implements InputFormat<NullWritable, V> {
    public static final String URL_KEY = InputSettings.URL;
    public static final String QUERY_KEY = InputSettings.QUERY;
    public static final String USER_KEY = InputSettings.USER;
    public static final String PWD_KEY = InputSettings.PASSWORD;
    public static final String DB_KEY = InputSettings.DATABASE;
    public static final String SESSION_QUERIES_FOR_GET_NUM_SPLITS = InputSettings.SESSION_QUERIES;
    public static final String USE_NEW_SPLIT_FORMAT = InputSettings.NEW_SPLIT_FORMAT;

    /** Names the connections of a program, for {@link #close}. Skep's splits need none. */
    public static final String HANDLE_ID = "llap.if.handleid";

    private final boolean arrow;
    private final long memory;
    private final @Nullable String url;
    private final @Nullable String user;
    private final @Nullable String password;
    private final @Nullable String query;

    public LlapBaseInputFormat() {
        this(false, 0, null, null, null, null);
    }

    /** @param memory the most bytes of memory that a reader of batches uses; 0 for the default */
    public LlapBaseInputFormat(boolean arrow, long memory) {
        this(arrow, memory, null, null, null, null);
    }

    /** The arguments precede the job's settings. */
    public LlapBaseInputFormat(
            @Nullable String url, @Nullable String user, @Nullable String password, @Nullable String query) {
        this(false, 0, url, user, password, query);
    }

    private LlapBaseInputFormat(
            boolean arrow,
            long memory,
            @Nullable String url,
            @Nullable String user,
            @Nullable String password,
            @Nullable String query) {
        this.arrow = arrow;
        this.memory = memory > 0 ? memory : LlapInputFormat.DEFAULT_MEMORY;
        this.url = url;
        this.user = user;
        this.password = password;
        this.query = query;
    }

    @Override
    public InputSplit[] getSplits(JobConf job, int count) throws IOException {
        JobConf own = new JobConf(job);
        set(own, URL_KEY, url);
        set(own, USER_KEY, user);
        set(own, PWD_KEY, password);
        set(own, QUERY_KEY, query);
        return LlapSplits.of(InputSettings.of(own), count);
    }

    private static void set(JobConf job, String name, @Nullable String value) {
        if (value != null) {
            job.set(name, value);
        }
    }

    @Override
    @SuppressWarnings("unchecked") // the caller has chosen V by the constructor
    public RecordReader<NullWritable, V> getRecordReader(InputSplit split, JobConf job, Reporter reporter)
            throws IOException {
        LlapSplit own = (LlapSplit) split;
        return (RecordReader<NullWritable, V>)
                (arrow
                        ? new BatchReader(own, job, memory, reporter)
                        : new RowReader<>(own, job, memory, reporter, Row::new));
    }

    /** Does nothing: the connection of a job's splits has ended with them. */
    public static void close(String handle) {}

    /** Does nothing, see {@link #close}. */
    public static void closeAll() {}
}
