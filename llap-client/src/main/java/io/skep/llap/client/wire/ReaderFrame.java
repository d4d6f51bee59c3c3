package io.skep.llap.client.wire;

import io.skep.common.query.QueryId;
import io.skep.llap.client.OutputId;

/** What readers of pages say to the daemon that has them. Streams are numbered by who opens them. */
public sealed interface ReaderFrame {
    /**
     * Asks for rows.
     *
     * @param bytes of pages that may come before more are asked for; the last one may go beyond
     */
    record Open(long stream, PageRequest request, long bytes) implements ReaderFrame {}

    /** So many more bytes may come. */
    record More(long stream, long bytes) implements ReaderFrame {}

    /** Nothing more of the stream is read. */
    record Close(long stream) implements ReaderFrame {}

    /** See OutputHolder.pass. */
    record Pass(QueryId query, OutputId output) implements ReaderFrame {}

    /** Nothing is read over this connection any more, and nothing will be: the last frame. */
    record Finish() implements ReaderFrame {}
}
