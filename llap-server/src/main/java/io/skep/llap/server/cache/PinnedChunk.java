package io.skep.llap.server.cache;

import io.skep.llap.server.chunk.ChunkReader;
import java.nio.ByteBuffer;

/** A pin on a chunk, which stays in place until the pin is closed. Owned by one thread at a time. */
public final class PinnedChunk implements AutoCloseable {
    private final ChunkCache cache;
    private final CachedChunk chunk;
    private boolean closed;

    PinnedChunk(ChunkCache cache, CachedChunk chunk) {
        this.cache = cache;
        this.chunk = chunk;
    }

    /** A reader that may be used until this pin is closed. */
    public ChunkReader reader() {
        return new ChunkReader(chunk.bytes());
    }

    /** The bytes as they were stored. They may be read until this pin is closed. */
    ByteBuffer bytes() {
        return chunk.bytes().asByteBuffer();
    }

    /** The number of encoded bytes. */
    public int length() {
        return chunk.length();
    }

    /** Whether the bytes are the same as those that were stored. */
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
