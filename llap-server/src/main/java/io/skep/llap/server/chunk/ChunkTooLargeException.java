package io.skep.llap.server.chunk;

/**
 * Thrown when a column of a row group is larger than an encoded chunk may be. The column is then read without the
 * cache.
 */
public final class ChunkTooLargeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ChunkTooLargeException() {
        super("a column of a row group is too large to be encoded as one chunk", null, false, false);
    }
}
