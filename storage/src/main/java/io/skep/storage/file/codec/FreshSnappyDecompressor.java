package io.skep.storage.file.codec;

import org.apache.hadoop.io.compress.DoNotPool;
import org.apache.hadoop.io.compress.snappy.SnappyDecompressor;

/** Is not used for a second file: Hadoop's, when it has met damaged bytes, fails for all that follow. */
@DoNotPool
public final class FreshSnappyDecompressor extends SnappyDecompressor {
    /** @param bufferBytes of each of two direct buffers */
    FreshSnappyDecompressor(int bufferBytes) {
        super(bufferBytes);
    }
}
