package io.skep.llap.client.wire;

/** What readers of pages say to a daemon. Streams are numbered by who opens them. */
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
}
