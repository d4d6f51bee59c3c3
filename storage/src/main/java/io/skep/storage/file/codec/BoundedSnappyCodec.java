package io.skep.storage.file.codec;

import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.io.compress.CompressionInputStream;
import org.apache.hadoop.io.compress.Decompressor;
import org.apache.hadoop.io.compress.SnappyCodec;

/** Hadoop's Snappy codec, which reads through {@link BlockInput}. */
public final class BoundedSnappyCodec extends SnappyCodec {
    @Override
    public CompressionInputStream createInputStream(InputStream in, Decompressor decompressor) throws IOException {
        return new BlockInput(in, decompressor);
    }

    @Override
    public Class<? extends Decompressor> getDecompressorType() {
        return FreshSnappyDecompressor.class;
    }

    @Override
    public Decompressor createDecompressor() {
        return new FreshSnappyDecompressor(getConf()
                .getInt(
                        CommonConfigurationKeys.IO_COMPRESSION_CODEC_SNAPPY_BUFFERSIZE_KEY,
                        CommonConfigurationKeys.IO_COMPRESSION_CODEC_SNAPPY_BUFFERSIZE_DEFAULT));
    }
}
