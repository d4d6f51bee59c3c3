package io.skep.engine.function.hive;

import io.skep.common.concurrent.Interruption;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.TextLimit;
import io.skep.common.vector.Vector;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.GZIPInputStream;

/**
 * Checks the length that a binary claims for its own content. Hive's classes, and the libraries that they use, allocate
 * arrays of the claimed length before they check that the binary is long enough. A few bytes can request gigabytes. A
 * binary with a false claim is never passed to them.
 */
final class BinaryLengthCheck {
    /**
     * The length of a Bloom filter's header: the number of hash functions in a byte, and the number of longs in an int.
     */
    private static final int BLOOM_HEADER = 5;

    /**
     * The length of the header of Hive's HyperLogLog: three letters, and a byte whose low bits say how its registers
     * are stored.
     */
    private static final int REGISTERS_HEADER = 4;

    private static final int STORAGE_MASK = 7;
    private static final int TEXT_COPIES = 8;

    private BinaryLengthCheck() {}

    /**
     * Returns the bytes that are needed to decode a row's binaries.
     *
     * @throws SkepException INVALID_ARGUMENT if a binary is shorter than it claims; MEMORY_LIMIT_EXCEEDED if its
     *     content is too large
     */
    static long check(CallKind kind, String function, Vector[] arguments, int row) {
        long bytes = 0;
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i] instanceof BytesVector binaries && !binaries.isNull(row)) {
                ByteBuffer binary = ByteBuffer.wrap(binaries.data(), binaries.offsets()[row], binaries.lengths()[row])
                        .slice();
                bytes += switch (kind) {
                    // The first argument is the value to look up, not a filter.
                    case BLOOM_FILTER -> i == 0 ? 0 : bloomFilter(function, binary);
                    case BIT_VECTOR -> bitVector(function, binary);
                    case COMPRESSED -> i == 0 ? decompressed(function, binary) : 0;
                    case SKETCH -> SketchLengthCheck.check(function, binary);
                    default -> 0;
                };
            }
        }
        return bytes;
    }

    private static long bloomFilter(String function, ByteBuffer binary) {
        if (binary.remaining() < BLOOM_HEADER) {
            return 0;
        }
        long claimed = (long) Long.BYTES * binary.getInt(1);
        compare(function, claimed, binary.remaining() - BLOOM_HEADER);
        return claimed;
    }

    /** Sparse registers use at least one byte each and become ints. Other registers have a fixed length. */
    private static long bitVector(String function, ByteBuffer binary) {
        if (binary.remaining() <= REGISTERS_HEADER
                || binary.get(0) != 'H'
                || (binary.get(REGISTERS_HEADER - 1) & STORAGE_MASK) != 0) {
            return 0;
        }
        binary.position(REGISTERS_HEADER);
        readVarint(binary);
        long registers = readVarint(binary);
        compare(function, registers, binary.remaining());
        return registers * Integer.BYTES;
    }

    /**
     * Reads a variable-length number in groups of seven bits, the lowest first. Returns 0 if the number is not
     * terminated.
     */
    private static long readVarint(ByteBuffer binary) {
        long value = 0;
        for (int shift = 0; binary.hasRemaining() && shift < Long.SIZE; shift += 7) {
            byte next = binary.get();
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
        return 0;
    }

    /**
     * Decompresses the text once, without keeping it. Text that is not compressed is left to Hive's class, which
     * rejects it.
     */
    private static long decompressed(String function, ByteBuffer text) {
        byte[] buffer = new byte[1 << 14];
        long bytes = 0;
        InputStream encoded =
                new ByteArrayInputStream(text.array(), text.arrayOffset() + text.position(), text.remaining());
        try (InputStream in = new GZIPInputStream(Base64.getDecoder().wrap(encoded))) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                Interruption.check();
                bytes += (long) read * TEXT_COPIES;
                if (bytes > TextLimit.MAX_BYTES) {
                    throw TextLimit.exceeded("the text that " + function + " gives");
                }
            }
        } catch (IOException | IllegalArgumentException e) {
            return bytes;
        }
        return bytes;
    }

    /** @throws SkepException INVALID_ARGUMENT if less is available than is claimed, or the claim is negative */
    static void compare(String function, long claimed, long available) {
        if (claimed < 0 || claimed > available) {
            throw new SkepException(
                            StandardErrorCode.INVALID_ARGUMENT,
                            function + ": the binary claims " + claimed + " bytes of content and has " + available)
                    .withHint("is it what the aggregate function made, as a whole?");
        }
    }
}
