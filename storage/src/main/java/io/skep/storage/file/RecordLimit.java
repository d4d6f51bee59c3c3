package io.skep.storage.file;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import org.apache.hadoop.conf.Configuration;

/**
 * The maximum length of a line of text, and of any piece of a file that is decompressed as a whole. Examples are a
 * record or block of a SequenceFile, a column of an RCFile's row group, and a block of an Avro file. The limit also
 * applies to a batch or page of a column.
 */
public record RecordLimit(int bytes) {
    /** Hadoop's setting. Hadoop's own reader skips longer lines. Skep reports an error for them. */
    public static final String SETTING = "mapreduce.input.linerecordreader.line.maxlength";

    /** The limit when the setting is absent. Buffers grow with the data that is read, up to this limit. */
    private static final int DEFAULT_BYTES = 256 << 20;

    /** The maximum length of an array, minus a margin for what a JVM reserves. */
    private static final int MAX_BYTES = Integer.MAX_VALUE - (1 << 10);

    /** A batch of a column may use an eighth of the heap when that is more than the setting. */
    private static final int HEAP_PARTS = 8;

    public RecordLimit {
        bytes = Math.clamp(bytes, 1, MAX_BYTES);
    }

    public static RecordLimit of(Configuration configuration) {
        return new RecordLimit(configuration.getInt(SETTING, DEFAULT_BYTES));
    }

    /** Returns the limit when the setting is absent. */
    public static RecordLimit ofDefault() {
        return new RecordLimit(DEFAULT_BYTES);
    }

    /**
     * Returns the limit for columns of ORC and Parquet. Their readers decompress a batch or page with many rows at
     * once.
     */
    public static RecordLimit ofReader(Configuration configuration) {
        long ofHeap = Math.min(MAX_BYTES, Runtime.getRuntime().maxMemory() / HEAP_PARTS);
        return new RecordLimit(Math.max(of(configuration).bytes(), (int) ofHeap));
    }

    /** @param what describes the piece that is too long and its place, as in "a line of text of f at 10" */
    public SkepException exceeded(String what) {
        return new SkepException(StandardErrorCode.MEMORY_LIMIT_EXCEEDED, what + " has more than " + bytes + " bytes")
                .withHint("raise " + SETTING + ", or look whether the table has another format");
    }
}
