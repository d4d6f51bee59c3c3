package io.skep.storage.file.codec;

import org.apache.hadoop.io.compress.DoNotPool;
import org.apache.hadoop.io.compress.lz4.Lz4Decompressor;

/** Is not pooled, and new for each stream: Hadoop's, once it has read damaged bytes, fails for all later streams. */
@DoNotPool
public final class FreshLz4Decompressor extends Lz4Decompressor {
    /** @param bufferBytes of each of two direct buffers */
    FreshLz4Decompressor(int bufferBytes) {
        super(bufferBytes);
    }
}
