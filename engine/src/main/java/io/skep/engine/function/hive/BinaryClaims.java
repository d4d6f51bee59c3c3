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
 * What binaries say of their own length. Hive's classes, and the libraries behind them, make arrays of the length that a binary
 * claims before they look whether it has as much: a few bytes ask for gigabytes. They do not get to see such a binary.
 */
final class BinaryClaims {
    /** A Bloom filter's header: the number of hash functions in a byte, the number of longs in an int. */
    private static final int BLOOM_HEADER = 5;

    /** Of a HyperLogLog of Hive: three letters, a byte whose low bits say how its registers are stored. */
    private static final int REGISTERS_HEADER = 4;

    private static final int STORAGE_MASK = 7;
    private static final int TEXT_COPIES = 8;

    private BinaryClaims() {}

    /**
     * The bytes that taking a row's binaries apart takes.
     *
     * @throws SkepException INVALID_ARGUMENT when one is shorter than it claims; MEMORY_LIMIT_EXCEEDED when it stands for too much
     */
    static long check(CallKind kind, String function, Vector[] arguments, int row) {
        long bytes = 0;
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i] instanceof BytesVector binaries && !binaries.isNull(row)) {
                ByteBuffer binary = ByteBuffer.wrap(binaries.data(), binaries.offsets()[row], binaries.lengths()[row])
                        .slice();
                bytes += switch (kind) {
                    // The first argument is the value that may be in it.
                    case BLOOM_FILTER -> i == 0 ? 0 : bloomFilter(function, binary);
                    case BIT_VECTOR -> bitVector(function, binary);
                    case COMPRESSED -> i == 0 ? decompressed(function, binary) : 0;
                    case SKETCH -> SketchClaims.check(function, binary);
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

    /** Sparse registers, of at least a byte each, become ints; the others have a length of their own. */
    private static long bitVector(String function, ByteBuffer binary) {
        if (binary.remaining() <= REGISTERS_HEADER
                || binary.get(0) != 'H'
                || (binary.get(REGISTERS_HEADER - 1) & STORAGE_MASK) != 0) {
            return 0;
        }
        binary.position(REGISTERS_HEADER);
        varied(binary);
        long registers = varied(binary);
        compare(function, registers, binary.remaining());
        return registers * Integer.BYTES;
    }

    /** A number in groups of seven bits, the lowest first; 0 when it does not end. */
    private static long varied(ByteBuffer binary) {
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

    /** Reads the text once, without keeping it. What is no such text is Hive's class to refuse. */
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

    /** @throws SkepException INVALID_ARGUMENT when there is less than is claimed, which may be negative */
    static void compare(String function, long claimed, long available) {
        if (claimed < 0 || claimed > available) {
            throw new SkepException(
                            StandardErrorCode.INVALID_ARGUMENT,
                            function + ": the binary claims " + claimed + " bytes of content and has " + available)
                    .withHint("is it what the aggregate function made, as a whole?");
        }
    }
}
