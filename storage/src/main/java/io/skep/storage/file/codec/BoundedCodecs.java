package io.skep.storage.file.codec;

import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;

/** Puts the codecs of this package in the place of Hadoop's. */
public final class BoundedCodecs {
    private static final String SETTING = "io.compression.codecs";

    private BoundedCodecs() {}

    /** Of several codecs for an extension the last one that is named here is taken. */
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
     * A codec by the name of a class that a file gives: one of those that are installed or set, never another class.
     *
     * @param codecs made of a configuration with ours
     */
    public static Optional<CompressionCodec> named(String className, CompressionCodecFactory codecs) {
        CompressionCodec codec = codecs.getCodecByClassName(className);
        return Optional.ofNullable(codec).map(named -> {
            CompressionCodec bounded = codecs.getCodec(new Path("file" + named.getDefaultExtension()));
            return named.getClass().isInstance(bounded) ? bounded : named;
        });
    }
}
