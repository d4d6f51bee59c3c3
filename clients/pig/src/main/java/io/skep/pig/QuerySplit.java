package io.skep.pig;

import io.skep.mapred.LlapSplit;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.InputSplit;

/** A split for Hadoop's newer interface. */
public final class QuerySplit extends InputSplit implements Writable {
    /** Pig combines splits that are shorter than its limit, and each of these is for another daemon. */
    private static final long LENGTH = 1L << 40;

    private final LlapSplit split;

    /** For Hadoop, which reads the content then. */
    public QuerySplit() {
        this(new LlapSplit());
    }

    QuerySplit(LlapSplit split) {
        this.split = split;
    }

    LlapSplit split() {
        return split;
    }

    @Override
    public long getLength() {
        return LENGTH;
    }

    @Override
    public String[] getLocations() throws IOException {
        return split.getLocations();
    }

    @Override
    public void write(DataOutput out) throws IOException {
        split.write(out);
    }

    @Override
    public void readFields(DataInput in) throws IOException {
        split.readFields(in);
    }
}
