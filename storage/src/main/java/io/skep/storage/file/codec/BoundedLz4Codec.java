package io.skep.storage.file.codec;

import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.io.compress.CompressionInputStream;
import org.apache.hadoop.io.compress.Decompressor;
import org.apache.hadoop.io.compress.Lz4Codec;

/** Hadoop's LZ4 codec, which reads through {@link BlockInput}. */
public final class BoundedLz4Codec extends Lz4Codec {
    @Override
    public CompressionInputStream createInputStream(InputStream in, Decompressor decompressor) throws IOException {
        return new BlockInput(in, decompressor);
    }

    @Override
    public Class<? extends Decompressor> getDecompressorType() {
        return FreshLz4Decompressor.class;
    }

    @Override
    public Decompressor createDecompressor() {
        return new FreshLz4Decompressor(getConf()
                .getInt(
                        CommonConfigurationKeys.IO_COMPRESSION_CODEC_LZ4_BUFFERSIZE_KEY,
                        CommonConfigurationKeys.IO_COMPRESSION_CODEC_LZ4_BUFFERSIZE_DEFAULT));
    }
}
