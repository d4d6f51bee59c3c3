package io.skep.storage.write;

import io.skep.common.vector.Batch;

/** Writes one file. Owned by one thread. The caller calls finish or abort last. An abort leaves no file. */
public interface PageSink {
    /** Appends rows with the table's data columns. */
    void append(Batch batch);

    /** Returns the number of bytes held in memory until the next flush. */
    long bufferedBytes();

    WrittenFile finish();

    void abort();
}
