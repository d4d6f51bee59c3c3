package io.skep.tez.wire;

import io.skep.common.vector.Batch;
import io.skep.engine.spill.BatchCodec;
import io.skep.llap.client.PageStream;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Batches in the files that containers write: of each its length in bytes (int), their CRC-32C (int) and the bytes ({@link BatchCodec}), big
 * endian; a length of 0 at the end. A stream that is cut off is so told from one that has ended.
 */
public final class PageFrames {
    private static final int END = 0;

    private static final int HEADER = 2 * Integer.BYTES;

    private PageFrames() {}

    /**
     * Writes all rows that are left of a stream, and the end.
     *
     * @return how many bytes that was
     * @throws java.util.concurrent.CompletionException with what the stream fails of
     */
    public static long writeAll(DataOutput out, PageStream rows) throws IOException {
        long written = 0;
        Optional<Batch> next = rows.next().join();
        while (next.isPresent()) {
            byte[] bytes = BatchCodec.encode(next.get());
            out.writeInt(bytes.length);
            out.writeInt(checksum(bytes));
            out.write(bytes);
            written += HEADER + bytes.length;
            next = rows.next().join();
        }
        out.writeInt(END);
        return written + Integer.BYTES;
    }

    /**
     * The next rows, or nothing at the end.
     *
     * @throws IOException also when the bytes are not those that were written
     */
    public static Optional<Batch> read(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length == END) {
            return Optional.empty();
        }
        int expected = in.readInt();
        byte[] bytes = in.readNBytes(Math.max(0, length));
        if (bytes.length != length || checksum(bytes) != expected) {
            throw new IOException("the bytes of a batch are damaged");
        }
        return Optional.of(BatchCodec.decode(bytes));
    }

    /** Passes over some batches. */
    public static void skip(DataInputStream in, int batches) throws IOException {
        for (int i = 0; i < batches; i++) {
            long length = in.readInt();
            in.skipNBytes(Integer.BYTES + length);
        }
    }

    private static int checksum(byte[] bytes) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes);
        return (int) checksum.getValue();
    }
}
