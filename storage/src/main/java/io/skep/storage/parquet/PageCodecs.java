package io.skep.storage.parquet;

import io.skep.common.memory.ScratchMemory;
import io.skep.storage.file.RecordLimit;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/**
 * Parquet's codecs with bounded allocation. Parquet allocates the decompressed size that a page's header claims. This
 * class rejects sizes that the page's bytes cannot unpack to, or that one reader may not hold.
 */
final class PageCodecs implements CompressionCodecFactory {
    /**
     * The maximum decompressed bytes per compressed byte of any codec. Zstandard encodes a repetition of 128 KB in four
     * bytes.
     */
    private static final long MAX_OF_A_BYTE = 64L << 10;

    private final CompressionCodecFactory codecs;
    private final RecordLimit limit;

    PageCodecs(CompressionCodecFactory codecs, RecordLimit limit) {
        this.codecs = codecs;
        this.limit = limit;
    }

    @Override
    public BytesInputCompressor getCompressor(CompressionCodecName name) {
        return codecs.getCompressor(name);
    }

    @Override
    public BytesInputDecompressor getDecompressor(CompressionCodecName name) {
        BytesInputDecompressor plain = codecs.getDecompressor(name);
        return name == CompressionCodecName.UNCOMPRESSED ? plain : new Bounded(plain);
    }

    @Override
    public void release() {
        codecs.release();
    }

    private final class Bounded implements BytesInputDecompressor {
        private final BytesInputDecompressor decompressor;

        private Bounded(BytesInputDecompressor decompressor) {
            this.decompressor = decompressor;
        }

        @Override
        public BytesInput decompress(BytesInput bytes, int plainSize) throws IOException {
            check(bytes.size(), plainSize);
            return decompressor.decompress(bytes, plainSize);
        }

        @Override
        public void decompress(ByteBuffer input, int size, ByteBuffer output, int plainSize) throws IOException {
            check(size, plainSize);
            decompressor.decompress(input, size, output, plainSize);
        }

        private void check(long size, int plainSize) throws EOFException {
            if (plainSize < 0 || plainSize > MAX_OF_A_BYTE * (size + 1)) {
                throw new EOFException("a page of " + size + " bytes claims to unpack to " + plainSize);
            }
            if (plainSize > limit.bytes()) {
                throw limit.exceeded("a page that is unpacked");
            }
            // Refuses a page without room before it is allocated. CountedPages counts it while it is in use.
            ScratchMemory.count(plainSize);
            ScratchMemory.discount(plainSize);
        }

        @Override
        public void release() {
            decompressor.release();
        }
    }
}
