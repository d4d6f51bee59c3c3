package io.skep.storage.serde.container;

import io.skep.storage.file.RecordLimit;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Reads the decompressed content of a piece of a file. The array grows with the data read, never to the claimed size.
 */
final class PieceReader {
    private static final int FIRST_BYTES = 64 << 10;
    private static final int BYTES_A_BYTE = 8;

    private final InputStream unpacked;
    private final RecordLimit limit;
    private final String what;
    private byte[] out;
    private int size;

    /**
     * @param packed the compressed size of the piece
     * @param what the name for error messages
     */
    PieceReader(InputStream unpacked, int packed, RecordLimit limit, String what) {
        this.unpacked = unpacked;
        this.limit = limit;
        this.what = what;
        this.out = new byte[(int) Math.min(limit.bytes() + 1L, FIRST_BYTES + (long) BYTES_A_BYTE * packed)];
    }

    byte[] all() throws IOException {
        while (read(limit.bytes() + 1L)) {
            if (size > limit.bytes()) {
                throw limit.exceeded(what);
            }
        }
        return Arrays.copyOf(out, size);
    }

    /** @throws EOFException when the piece contains fewer bytes */
    byte[] exactly(int claimed) throws IOException {
        if (claimed > limit.bytes()) {
            throw limit.exceeded(what);
        }
        while (size < claimed && read(claimed)) {}
        if (size < claimed) {
            throw new EOFException(what + " has " + size + " bytes instead of " + claimed);
        }
        return out.length == claimed ? out : Arrays.copyOf(out, claimed);
    }

    /** Returns false at the end. */
    private boolean read(long most) throws IOException {
        if (size == out.length) {
            out = Arrays.copyOf(out, (int) Math.min(most, 2L * out.length));
        }
        int count = unpacked.read(out, size, (int) Math.min(out.length, most) - size);
        size += Math.max(count, 0);
        return count >= 0;
    }
}
