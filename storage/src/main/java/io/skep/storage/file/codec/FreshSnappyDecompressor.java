package io.skep.storage.file.codec;

import org.apache.hadoop.io.compress.DoNotPool;
import org.apache.hadoop.io.compress.snappy.SnappyDecompressor;

/**
 * A Snappy decompressor that is created for each stream and never pooled. After Hadoop's decompressor reads damaged
 * bytes, it fails for all later streams.
 */
@DoNotPool
public final class FreshSnappyDecompressor extends SnappyDecompressor {
    /** @param bufferBytes the size of each of the two direct buffers */
    FreshSnappyDecompressor(int bufferBytes) {
        super(bufferBytes);
    }
}
