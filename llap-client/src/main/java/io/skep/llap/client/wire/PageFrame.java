package io.skep.llap.client.wire;

import io.skep.common.error.SkepException;

/** What a daemon sends to readers of pages. */
public sealed interface PageFrame {
    /** Which of the connection's streams it belongs to. */
    long stream();

    /** @param content as the codec of pages has made it; nobody changes it */
    record Page(long stream, byte[] content) implements PageFrame {}

    /** All rows have been sent. */
    record End(long stream) implements PageFrame {}

    /** No more rows will come. */
    record Failed(long stream, SkepException failure) implements PageFrame {}
}
