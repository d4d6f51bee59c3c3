package io.skep.storage.file.codec;

import org.apache.hadoop.io.compress.DoNotPool;
import org.apache.hadoop.io.compress.snappy.SnappyDecompressor;

/** Is not pooled, and new for each stream: Hadoop's, once it has read damaged bytes, fails for all later streams. */
@DoNotPool
public final class FreshSnappyDecompressor extends SnappyDecompressor {
    /** @param bufferBytes of each of two direct buffers */
    FreshSnappyDecompressor(int bufferBytes) {
        super(bufferBytes);
    }
}
