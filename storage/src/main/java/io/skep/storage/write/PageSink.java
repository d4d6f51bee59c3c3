package io.skep.storage.write;

import io.skep.common.vector.Batch;

/** Writes one file. Owned by one thread. Ends with finish or abort; an abort leaves no file. */
public interface PageSink {
    /** Rows with the table's data columns. */
    void append(Batch batch);

    /** Bytes held in memory until the next flush. */
    long bufferedBytes();

    WrittenFile finish();

    void abort();
}
