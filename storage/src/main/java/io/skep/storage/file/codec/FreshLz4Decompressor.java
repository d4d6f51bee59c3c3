package io.skep.storage.file.codec;

import org.apache.hadoop.io.compress.DoNotPool;
import org.apache.hadoop.io.compress.lz4.Lz4Decompressor;

/** Is not used for a second file: Hadoop's, when it has met damaged bytes, fails for all that follow. */
@DoNotPool
public final class FreshLz4Decompressor extends Lz4Decompressor {
    /** @param bufferBytes of each of two direct buffers */
    FreshLz4Decompressor(int bufferBytes) {
        super(bufferBytes);
    }
}
