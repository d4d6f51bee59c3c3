package io.skep.storage.serde;

import java.io.IOException;
import org.apache.hadoop.io.Writable;
import org.jspecify.annotations.Nullable;

/** The records of an input format, without those at the begin and end that a table skips. */
interface Records {
    /** The next record, valid until the next call; null at the end. */
    @Nullable
    Writable next() throws IOException;

    /** Bytes of the file that lie behind. */
    long position() throws IOException;

    void close() throws IOException;
}
