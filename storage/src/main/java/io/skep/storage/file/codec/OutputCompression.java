package io.skep.storage.file.codec;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.SequenceFile.CompressionType;
import org.apache.hadoop.io.compress.BZip2Codec;
import org.apache.hadoop.io.compress.CodecPool;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.apache.hadoop.io.compress.Compressor;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.jspecify.annotations.Nullable;

/**
 * How a session wants the files compressed that it writes as text, SequenceFiles, RCFiles and Avro. The other formats
 * have properties of their tables for it.
 *
 * @param type what a SequenceFile compresses: each record, or blocks of records
 */
public record OutputCompression(CompressionCodec codec, CompressionType type) {
    /** Whether files are compressed. */
    public static final String COMPRESS = "hive.exec.compress.output";

    /** The class of the codec. */
    public static final String CODEC = "mapreduce.output.fileoutputformat.compress.codec";

    /** RECORD, BLOCK or NONE. */
    public static final String TYPE = "mapreduce.output.fileoutputformat.compress.type";

    /** What a session says of the files that it writes. Writers find it among the properties of the layout. */
    public static final Set<String> SESSION_SETTINGS = Set.of(COMPRESS, CODEC, TYPE);

    /** BZip2 sorts blocks of 900 KB, with two integers for each byte. */
    private static final long BZIP2_BYTES = 9 << 20;

    /** Windows and buffers of the other codecs. */
    private static final long OTHER_BYTES = 1 << 20;

    /**
     * @param properties properties of a layout
     * @param configuration has the codecs that may be used
     * @return empty for files that are not compressed
     * @throws SkepException INVALID_CONFIGURATION for a codec that does not exist
     */
    public static Optional<OutputCompression> of(Map<String, String> properties, Configuration configuration) {
        if (!Boolean.parseBoolean(properties.get(COMPRESS))) {
            return Optional.empty();
        }
        String name = properties.getOrDefault(CODEC, DefaultCodec.class.getName());
        CompressionCodec codec = BoundedCodecs.named(name, new CompressionCodecFactory(configuration))
                .orElseThrow(() -> new SkepException(
                                StandardErrorCode.INVALID_CONFIGURATION, "unknown compression codec '" + name + "'")
                        .withHint("set " + CODEC + " to a class of io.compression.codecs, such as "
                                + DefaultCodec.class.getName()));
        return Optional.of(new OutputCompression(codec, type(properties.getOrDefault(TYPE, "RECORD"))));
    }

    private static CompressionType type(String name) {
        try {
            return CompressionType.valueOf(name.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION, TYPE + " is '" + name + "', not RECORD, BLOCK or NONE", e);
        }
    }

    /** Returns what follows the names of compressed text files, such as {@code .gz}. */
    public String extension() {
        return codec.getDefaultExtension();
    }

    /** Returns about how much memory the compression of one file takes, in bytes. */
    public long retainedBytes() {
        return codec instanceof BZip2Codec ? BZIP2_BYTES : OTHER_BYTES;
    }

    /**
     * Returns a stream that compresses what it writes to another one.
     *
     * @param out is closed when there is no such stream
     * @throws SkepException INVALID_CONFIGURATION for a codec whose native library is missing
     */
    public OutputStream over(OutputStream out) {
        Compressor compressor = null;
        try {
            compressor = CodecPool.getCompressor(codec);
            return new Compressed(
                    compressor == null ? codec.createOutputStream(out) : codec.createOutputStream(out, compressor),
                    compressor);
        } catch (IOException | RuntimeException | LinkageError e) {
            CodecPool.returnCompressor(compressor);
            closeAfter(e, out);
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION,
                    "codec " + codec.getClass().getSimpleName() + " cannot compress here: " + e.getMessage(),
                    e);
        }
    }

    private static void closeAfter(Throwable failure, OutputStream out) {
        try {
            out.close();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    /** Gives its compressor back when it is closed. */
    private static final class Compressed extends FilterOutputStream {
        private @Nullable Compressor compressor;

        private Compressed(OutputStream out, @Nullable Compressor compressor) {
            super(out);
            this.compressor = compressor;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
        }

        @Override
        public void close() throws IOException {
            Compressor used = compressor;
            compressor = null;
            try {
                super.close();
            } finally {
                CodecPool.returnCompressor(used);
            }
        }
    }
}
