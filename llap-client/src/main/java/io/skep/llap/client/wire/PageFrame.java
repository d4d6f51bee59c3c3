package io.skep.llap.client.wire;

import io.skep.common.error.SkepException;

/** A frame from a daemon to readers of pages. */
public sealed interface PageFrame {
    /** Returns the number of the stream on its connection. */
    long stream();

    /** @param content encoded by the page codec; must not be changed */
    record Page(long stream, byte[] content) implements PageFrame {}

    /** All rows have been sent. */
    record End(long stream) implements PageFrame {}

    /** No more rows will come. */
    record Failed(long stream, SkepException failure) implements PageFrame {}
}
