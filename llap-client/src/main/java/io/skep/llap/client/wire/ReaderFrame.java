package io.skep.llap.client.wire;

import io.skep.common.query.QueryId;
import io.skep.llap.client.TaskAttemptId;

/** A frame from a reader of pages to the daemon that holds them. The side that opens a stream numbers it. */
public sealed interface ReaderFrame {
    /**
     * Requests rows.
     *
     * @param bytes of pages that may be sent before more are requested; the last page may exceed it
     */
    record Open(long stream, PageRequest request, long bytes) implements ReaderFrame {}

    /** Allows that many more bytes to be sent. */
    record More(long stream, long bytes) implements ReaderFrame {}

    /** Closes a stream whose reader needs no more rows. */
    record Close(long stream) implements ReaderFrame {}

    /** See OutputHolder.pass. */
    record Pass(QueryId query, TaskAttemptId output) implements ReaderFrame {}

    /** Ends reading over this connection: no stream is open and none will be opened. This is the last frame. */
    record Finish() implements ReaderFrame {}
}
