package io.skep.storage.file.codec;

import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;

/** Replaces Hadoop's codecs with the codecs of this package. */
public final class BoundedCodecs {
    private static final String SETTING = "io.compression.codecs";

    private BoundedCodecs() {}

    /** When several codecs have the same extension, Hadoop uses the last one in this list. */
    public static void install(Configuration configuration) {
        String ours = String.join(
                ",",
                BoundedSnappyCodec.class.getName(),
                BoundedLz4Codec.class.getName(),
                BoundedZstandardCodec.class.getName());
        String theirs = configuration.get(SETTING, "").strip();
        configuration.set(SETTING, theirs.isEmpty() ? ours : theirs + "," + ours);
    }

    /**
     * Finds a codec by a class name that a file contains. Only an installed or configured codec is returned, never
     * another class.
     *
     * @param codecs created from a configuration with these codecs installed
     */
    public static Optional<CompressionCodec> named(String className, CompressionCodecFactory codecs) {
        CompressionCodec codec = codecs.getCodecByClassName(className);
        return Optional.ofNullable(codec).map(named -> {
            CompressionCodec bounded = codecs.getCodec(new Path("file" + named.getDefaultExtension()));
            return named.getClass().isInstance(bounded) ? bounded : named;
        });
    }
}
