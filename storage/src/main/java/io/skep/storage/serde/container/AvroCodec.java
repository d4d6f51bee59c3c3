package io.skep.storage.serde.container;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.storage.file.RecordLimit;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.zstandard.ZstdCompressorInputStream;
import org.xerial.snappy.Snappy;

/** The compression codecs of Avro blocks. The codecs of Avro's library decompress without a limit. */
enum AvroCodec {
    NULL("null") {
        @Override
        byte[] unpack(byte[] packed, RecordLimit limit, String what) {
            return packed;
        }
    },
    DEFLATE("deflate") {
        @Override
        byte[] unpack(byte[] packed, RecordLimit limit, String what) throws IOException {
            Inflater inflater = new Inflater(true);
            try (InputStream stream = new InflaterInputStream(new ByteArrayInputStream(packed), inflater)) {
                return new PieceReader(stream, packed.length, limit, what).all();
            } finally {
                inflater.end();
            }
        }
    },
    BZIP2("bzip2") {
        @Override
        byte[] unpack(byte[] packed, RecordLimit limit, String what) throws IOException {
            try (InputStream stream = new BZip2CompressorInputStream(new ByteArrayInputStream(packed))) {
                return new PieceReader(stream, packed.length, limit, what).all();
            }
        }
    },
    ZSTANDARD("zstandard") {
        @Override
        byte[] unpack(byte[] packed, RecordLimit limit, String what) throws IOException {
            try (InputStream stream = new ZstdCompressorInputStream(new ByteArrayInputStream(packed))) {
                return new PieceReader(stream, packed.length, limit, what).all();
            }
        }
    },
    SNAPPY("snappy") {
        @Override
        byte[] unpack(byte[] packed, RecordLimit limit, String what) throws IOException {
            int count = packed.length - Integer.BYTES;
            if (count < 0) {
                throw new IOException(what + " has no checksum");
            }
            long claimed = Snappy.uncompressedLength(packed, 0, count);
            if (claimed < 0 || claimed > count * SNAPPY_RATIO) {
                throw new IOException(what + " claims " + claimed + " bytes in " + count);
            }
            if (claimed > limit.bytes()) {
                throw limit.exceeded(what);
            }
            byte[] out = new byte[(int) claimed];
            Snappy.uncompress(packed, 0, count, out, 0);
            CRC32 checksum = new CRC32();
            checksum.update(out);
            if ((int) checksum.getValue() != ByteBuffer.wrap(packed).getInt(count)) {
                throw new IOException(what + " has another checksum than its bytes");
            }
            return out;
        }
    };

    /** Exceeds the maximum ratio of Snappy's format, in which a copy of 64 bytes uses three bytes. */
    private static final long SNAPPY_RATIO = 32;

    private final String name;

    AvroCodec(String name) {
        this.name = name;
    }

    static AvroCodec named(String name, String path) {
        for (AvroCodec codec : values()) {
            if (codec.name.equals(name)) {
                return codec;
            }
        }
        throw new SkepException(
                StandardErrorCode.NOT_SUPPORTED,
                "codec '" + name.substring(0, Math.min(20, name.length())) + "' of the Avro file " + path);
    }

    /**
     * @param limit the limit of the decompressed size
     * @param what the name for error messages
     */
    abstract byte[] unpack(byte[] packed, RecordLimit limit, String what) throws IOException;
}
