package io.skep.storage.file.codec;

import org.apache.hadoop.io.compress.DoNotPool;
import org.apache.hadoop.io.compress.lz4.Lz4Decompressor;

/**
 * An LZ4 decompressor that is created for each stream and never pooled. After Hadoop's decompressor reads damaged
 * bytes, it fails for all later streams.
 */
@DoNotPool
public final class FreshLz4Decompressor extends Lz4Decompressor {
    /** @param bufferBytes the size of each of the two direct buffers */
    FreshLz4Decompressor(int bufferBytes) {
        super(bufferBytes);
    }
}
