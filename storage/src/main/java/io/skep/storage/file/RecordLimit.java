package io.skep.storage.file;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import org.apache.hadoop.conf.Configuration;

/**
 * How long a line of text may be, and a piece of a file that is unpacked as a whole: a record or block of a
 * SequenceFile, a column of an RCFile's row group, a block of an Avro file, a batch or page of a column.
 */
public record RecordLimit(int bytes) {
    /** Hadoop's setting. Its own reader leaves longer lines out; here they are an error. */
    public static final String SETTING = "mapreduce.input.linerecordreader.line.maxlength";

    /** Where nothing is set. Buffers grow with what is read, up to this. */
    private static final int DEFAULT_BYTES = 256 << 20;

    /** Arrays cannot be longer, with a margin for what a JVM reserves. */
    private static final int MAX_BYTES = Integer.MAX_VALUE - (1 << 10);

    /** A batch of a column may take an eighth of the heap where that is more than the setting. */
    private static final int HEAP_PARTS = 8;

    public RecordLimit {
        bytes = Math.clamp(bytes, 1, MAX_BYTES);
    }

    public static RecordLimit of(Configuration configuration) {
        return new RecordLimit(configuration.getInt(SETTING, DEFAULT_BYTES));
    }

    /** For columns of ORC and Parquet, of which a batch or a page with many rows is unpacked at once. */
    public static RecordLimit ofReader(Configuration configuration) {
        long ofHeap = Math.min(MAX_BYTES, Runtime.getRuntime().maxMemory() / HEAP_PARTS);
        return new RecordLimit(Math.max(of(configuration).bytes(), (int) ofHeap));
    }

    /** @param what what is too long and where it is, as in "a line of text of f at 10" */
    public SkepException exceeded(String what) {
        return new SkepException(StandardErrorCode.MEMORY_LIMIT_EXCEEDED, what + " has more than " + bytes + " bytes")
                .withHint("raise " + SETTING + ", or look whether the table has another format");
    }
}
