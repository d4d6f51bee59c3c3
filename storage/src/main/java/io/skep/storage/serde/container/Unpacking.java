package io.skep.storage.serde.container;

import io.skep.storage.file.RecordLimit;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.io.compress.CodecPool;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.Decompressor;
import org.jspecify.annotations.Nullable;

/** Decompresses pieces of a file with one codec. Memory grows with the output, up to a limit. Owned by one thread. */
final class Unpacking implements AutoCloseable {
    private final CompressionCodec codec;
    private final RecordLimit limit;
    private final String file;
    private @Nullable Decompressor decompressor;

    /** @param file the file name for error messages */
    Unpacking(CompressionCodec codec, RecordLimit limit, String file) {
        this.codec = codec;
        this.limit = limit;
        this.file = file;
        this.decompressor = CodecPool.getDecompressor(codec);
    }

    /** Decompresses all of the bytes. */
    byte[] unpack(byte[] packed, String what) throws IOException {
        return unpack(packed, -1, what);
    }

    /** @param claimed the expected number of decompressed bytes, or -1 for any number */
    byte[] unpack(byte[] packed, int claimed, String what) throws IOException {
        if (claimed < -1) {
            throw new IOException(what + " of " + claimed + " bytes");
        }
        Decompressor current = decompressor;
        if (current != null) {
            current.reset();
        }
        try (InputStream stream = codec.createInputStream(new ByteArrayInputStream(packed), current)) {
            PieceReader pieces = new PieceReader(stream, packed.length, limit, what + " of " + file);
            return claimed < 0 ? pieces.all() : pieces.exactly(claimed);
        }
    }

    @Override
    public void close() {
        CodecPool.returnDecompressor(decompressor);
        decompressor = null;
    }
}
