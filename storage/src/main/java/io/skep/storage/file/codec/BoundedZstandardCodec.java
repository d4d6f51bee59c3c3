package io.skep.storage.file.codec;

import io.airlift.compress.zstd.ZstdInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.io.compress.CompressionInputStream;
import org.apache.hadoop.io.compress.Decompressor;
import org.apache.hadoop.io.compress.ZStandardCodec;
import org.jspecify.annotations.Nullable;

/**
 * Hadoop's Zstandard codec, which reads without Hadoop's native library, since that is rarely installed. Windows of
 * more than 8 MB are rejected. Only the highest compression levels produce them.
 */
public final class BoundedZstandardCodec extends ZStandardCodec {
    @Override
    public CompressionInputStream createInputStream(InputStream in) throws IOException {
        return new Plain(new ZstdInputStream(in));
    }

    @Override
    public CompressionInputStream createInputStream(InputStream in, @Nullable Decompressor none) throws IOException {
        return createInputStream(in);
    }

    /** The streams decompress by themselves. */
    @Override
    public @Nullable Class<? extends Decompressor> getDecompressorType() {
        return null;
    }

    @Override
    public @Nullable Decompressor createDecompressor() {
        return null;
    }

    private static final class Plain extends CompressionInputStream {
        private Plain(InputStream unpacked) throws IOException {
            super(unpacked);
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] into, int from, int count) throws IOException {
            try {
                return in.read(into, from, count);
            } catch (RuntimeException e) {
                throw new IOException("damaged Zstandard: " + e.getMessage(), e);
            }
        }

        @Override
        public void resetState() throws IOException {
            throw new IOException("a stream of Zstandard cannot begin again");
        }
    }
}
