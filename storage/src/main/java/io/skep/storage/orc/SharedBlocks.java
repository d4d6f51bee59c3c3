package io.skep.storage.orc;

import io.skep.storage.scan.BlockStore;
import io.skep.storage.table.FileVersion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.IdentityHashMap;
import org.apache.orc.CompressionCodec;
import org.apache.orc.CompressionKind;
import org.apache.orc.impl.BufferChunk;
import org.apache.orc.impl.BufferChunkList;
import org.jspecify.annotations.Nullable;

/**
 * A codec that looks for decompressed blocks in a store first. A block of ORC's usual 256 KB holds a dozen strides of a
 * column, and whoever reads one of them decompresses all. Where a block lies in the file is known by the array that its
 * compressed bytes were read into; blocks that ORC had to put together of two reads are decompressed as ever. Owned by
 * one thread; does not own the codec.
 */
final class SharedBlocks implements CompressionCodec {
    private final CompressionCodec codec;
    private final BlockStore store;
    private final FileVersion file;
    private final IdentityHashMap<byte[], Long> places = new IdentityHashMap<>();
    private boolean leaving;

    SharedBlocks(CompressionCodec codec, BlockStore store, FileVersion file) {
        this.codec = codec;
        this.store = store;
        this.file = file;
    }

    /**
     * Whether blocks are to be left for others, from now on: not when their other strides are about to be read here.
     */
    void leaving(boolean wanted) {
        leaving = wanted;
    }

    /** Forgets what was read before. */
    void clear() {
        places.clear();
    }

    /** Takes note of bytes that were read from the file. */
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
