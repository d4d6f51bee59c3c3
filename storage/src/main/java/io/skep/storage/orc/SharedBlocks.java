package io.skep.storage.orc;

import io.skep.common.memory.HeldBuffers;
import io.skep.storage.scan.BlockStore;
import io.skep.storage.table.FileVersion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.apache.orc.CompressionCodec;
import org.apache.orc.CompressionKind;
import org.apache.orc.impl.BufferChunk;
import org.apache.orc.impl.BufferChunkList;
import org.jspecify.annotations.Nullable;

/**
 * A codec that first searches a store for decompressed blocks. A block of ORC's usual 256 KB contains a dozen strides
 * of a column, and every reader of one of them decompresses the whole block. The array that the compressed bytes were
 * read into identifies a block's position in the file. Blocks that ORC assembled from two reads are decompressed as
 * usual. Owned by one thread. Does not own the codec.
 */
final class SharedBlocks implements CompressionCodec {
    private final CompressionCodec codec;
    private final BlockStore store;
    private final FileVersion file;
    private final IdentityHashMap<byte[], Long> places = new IdentityHashMap<>();
    private final HeldBuffers buffers;
    /** The buffers that blocks were decompressed into, one of each stream. */
    private final Set<ByteBuffer> targets = Collections.newSetFromMap(new IdentityHashMap<>());

    private boolean leaving;

    /** @param buffers count the buffers that blocks are decompressed into */
    SharedBlocks(CompressionCodec codec, BlockStore store, FileVersion file, HeldBuffers buffers) {
        this.codec = codec;
        this.store = store;
        this.file = file;
        this.buffers = buffers;
    }

    /**
     * Sets whether to store blocks for other readers. Blocks are not stored when this reader is about to read their
     * other strides.
     */
    void leaving(boolean wanted) {
        leaving = wanted;
    }

    /** Forgets all earlier reads. */
    void clear() {
        places.clear();
        targets.clear();
    }

    /** Registers bytes that were read from the file. */
    void add(BufferChunkList read) {
        for (BufferChunk chunk = read.get(); chunk != null; chunk = (BufferChunk) chunk.next) {
            if (chunk.hasData() && chunk.getData().hasArray()) {
                ByteBuffer bytes = chunk.getData();
                places.put(bytes.array(), chunk.getOffset() - bytes.arrayOffset() - bytes.position());
            }
        }
    }

    @Override
    public void decompress(ByteBuffer in, ByteBuffer out) throws IOException {
        if (targets.add(out)) {
            buffers.add(out.capacity());
        }
        @Nullable Long place = in.hasArray() ? places.get(in.array()) : null;
        if (place == null) {
            codec.decompress(in, out);
            return;
        }
        long offset = place + in.arrayOffset() + in.position();
        if (store.get(file, offset, out)) {
            out.flip();
            in.position(in.limit());
            return;
        }
        codec.decompress(in, out);
        if (leaving) {
            store.put(file, offset, out.duplicate());
        }
    }

    @Override
    public Options getDefaultOptions() {
        return codec.getDefaultOptions();
    }

    @Override
    public boolean compress(ByteBuffer in, ByteBuffer out, ByteBuffer overflow, Options options) throws IOException {
        return codec.compress(in, out, overflow, options);
    }

    @Override
    public void reset() {
        codec.reset();
    }

    @Override
    public void destroy() {}

    @Override
    public CompressionKind getKind() {
        return codec.getKind();
    }

    @Override
    public void close() {}
}
