package io.skep.llap.server.cache;

import io.skep.llap.server.chunk.ChunkReader;
import java.nio.ByteBuffer;

/** Keeps a chunk in place until closed. Owned by one thread at a time. */
public final class PinnedChunk implements AutoCloseable {
    private final ChunkCache cache;
    private final CachedChunk chunk;
    private boolean closed;

    PinnedChunk(ChunkCache cache, CachedChunk chunk) {
        this.cache = cache;
        this.chunk = chunk;
    }

    /** A reader that may be used until this is closed. */
    public ChunkReader reader() {
        return new ChunkReader(chunk.bytes());
    }

    /** The bytes as they were put in; they may be read until this is closed. */
    ByteBuffer bytes() {
        return chunk.bytes().asByteBuffer();
    }

    /** Encoded bytes. */
    public int length() {
        return chunk.length();
    }

    /** Whether the bytes are those that were put in. */
    public boolean intact() {
        return chunk.intact();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            cache.unpin(chunk);
        }
    }
}
