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
 * The batch format of files that containers write. Each batch has its length in bytes (int), the CRC-32C of its bytes
 * (int) and the bytes ({@link BatchCodec}), big endian. A length of 0 marks the end. So a truncated stream is
 * distinguished from a complete one.
 */
public final class PageFrames {
    private static final int END = 0;

    private static final int HEADER = 2 * Integer.BYTES;

    private PageFrames() {}

    /**
     * Writes the remaining rows of a stream, and the end mark.
     *
     * @return how many bytes were written
     * @throws java.util.concurrent.CompletionException with the stream's failure
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
     * Reads the next rows, or returns nothing at the end.
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

    /** Skips some batches. */
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
