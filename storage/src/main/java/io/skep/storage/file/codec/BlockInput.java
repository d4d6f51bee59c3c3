package io.skep.storage.file.codec;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.apache.hadoop.io.compress.CompressionInputStream;
import org.apache.hadoop.io.compress.Decompressor;

/**
 * Reads blocks in Hadoop's layout for Snappy and LZ4. A block is the number of decompressed bytes, then compressed
 * chunks, each after its length. Hadoop's own reader allocates the length that a chunk claims. Here the array grows
 * with the bytes that arrive. Owned by one thread.
 */
final class BlockInput extends CompressionInputStream {
    private static final int FIRST_BYTES = 64 << 10;

    /** The maximum number of rounds in which a decompressor neither returns bytes nor needs input. */
    private static final int MAX_IDLE_ROUNDS = 1 << 10;

    private final Decompressor decompressor;
    private byte[] chunk = new byte[FIRST_BYTES];
    private int left;

    BlockInput(InputStream in, Decompressor decompressor) throws IOException {
        super(in);
        this.decompressor = decompressor;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int from, int count) throws IOException {
        if (count == 0) {
            return 0;
        }
        if (left == 0 && !nextBlock()) {
            return -1;
        }
        for (int idle = 0; idle < MAX_IDLE_ROUNDS; idle++) {
            int plain = decompressor.decompress(into, from, count);
            if (plain > left) {
                throw new IOException("a compressed block has more bytes than the " + left + " that it says");
            }
            if (plain > 0) {
                left -= plain;
                return plain;
            }
            if (decompressor.needsInput()) {
                int length = nextChunk();
                decompressor.setInput(chunk, 0, length);
                idle = length == 0 ? idle : 0;
            }
        }
        throw new IOException("a compressed block does not end");
    }

    /**
     * Reads the length of the next block. Returns false at the end of the stream. An empty block also counts as the
     * end.
     */
    private boolean nextBlock() throws IOException {
        int first = in.read();
        if (first < 0) {
            return false;
        }
        left = length(first);
        return left > 0;
    }

    private int nextChunk() throws IOException {
        int length = length(in.read());
        int size = 0;
        while (size < length) {
            if (size == chunk.length) {
                chunk = Arrays.copyOf(chunk, (int) Math.min(length, 2L * chunk.length));
            }
            int count = in.read(chunk, size, Math.min(chunk.length, length) - size);
            if (count < 0) {
                throw new EOFException("a compressed chunk of " + length + " bytes has " + size);
            }
            size += count;
        }
        return length;
    }

    /** @param first the first of four bytes */
    private int length(int first) throws IOException {
        int second = in.read();
        int third = in.read();
        int fourth = in.read();
        if ((first | second | third | fourth) < 0) {
            throw new EOFException("a compressed block ends in its length");
        }
        int length = first << 24 | second << 16 | third << 8 | fourth;
        if (length < 0) {
            throw new IOException("a compressed block of " + length + " bytes");
        }
        return length;
    }

    @Override
    public void resetState() {
        left = 0;
        decompressor.reset();
    }
}
