package io.skep.llap.server.chunk;

/** A row group's column takes more bytes than an encoded chunk may have; it is then read without the cache. */
public final class ChunkTooLargeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ChunkTooLargeException() {
        super("a column of a row group is too large to be encoded as one chunk", null, false, false);
    }
}
