package io.skep.storage.serde.container;

import io.skep.storage.file.codec.BoundedCodecs;
import java.io.IOException;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.apache.hadoop.mapred.JobConf;

/** Finds the codecs that files name. */
final class Codecs {
    private static final int NAME = 100;

    private Codecs() {}

    /** @throws IOException when the codec does not exist */
    static CompressionCodec named(String name, JobConf job) throws IOException {
        return BoundedCodecs.named(name, new CompressionCodecFactory(job))
                .orElseThrow(() ->
                        new IOException("unknown codec '" + name.substring(0, Math.min(NAME, name.length())) + "'"));
    }
}
