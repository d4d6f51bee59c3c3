package io.skep.storage.serde;

import java.io.IOException;
import org.apache.hadoop.io.Writable;
import org.jspecify.annotations.Nullable;

/** The records of an input format, without those at the beginning and end that a table skips. */
interface Records {
    /** Returns the next record, valid until the next call, or null at the end. */
    @Nullable
    Writable next() throws IOException;

    /** Returns the number of file bytes read so far. */
    long position() throws IOException;

    void close() throws IOException;
}
