package io.skep.engine.function.hive;

import io.skep.common.vector.TextLimit;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Checks the length that a sketch of the DataSketches library claims for itself (datasketches.apache.org, the preambles
 * of the families). The third byte names the family. Numbers are little-endian.
 */
final class SketchLengthCheck {
    private static final int FAMILY = 2;
    private static final int MIN_PREAMBLE = 8;

    private static final int ALPHA = 1;
    private static final int QUICK_SELECT = 2;
    private static final int COMPACT = 3;
    private static final int UNION = 4;
    private static final int HLL = 7;
    private static final int TUPLE = 9;
    private static final int FREQUENCY = 10;
    private static final int CPC = 16;

    /** The version in which entries are bit-packed. */
    private static final int PRESSED = 4;

    /** The largest logarithm of a size that is accepted. Larger ones are not valid array sizes. */
    private static final int MAX_LOGARITHM = 30;

    private SketchLengthCheck() {}

    /**
     * Returns the bytes of a sketch as an object, as far as the sketch states them.
     *
     * @throws io.skep.common.error.SkepException INVALID_ARGUMENT or MEMORY_LIMIT_EXCEEDED
     */
    static long check(String function, ByteBuffer sketch) {
        if (sketch.remaining() < MIN_PREAMBLE) {
            return 0;
        }
        sketch.order(ByteOrder.LITTLE_ENDIAN);
        long bytes = switch (sketch.get(FAMILY)) {
            case COMPACT -> sketch.get(1) == PRESSED ? packedEntries(function, sketch) : compact(function, sketch);
            case ALPHA, QUICK_SELECT, UNION -> table(function, sketch, 4);
            case HLL -> power(sketch, 3, 1) + power(sketch, 4, Integer.BYTES);
            case TUPLE -> tuple(function, sketch);
            case FREQUENCY -> power(sketch, 4, 3 * Long.BYTES) + countedEntries(function, sketch, 8, Long.BYTES);
            case CPC -> coupons(function, sketch);
            default -> 0;
        };
        if (bytes > TextLimit.MAX_BYTES) {
            throw TextLimit.exceeded("the sketch that " + function + " takes");
        }
        return bytes + sketch.remaining();
    }

    /** Reads a sketch with entries as longs. A preamble of one long means at most one entry. */
    private static long compact(String function, ByteBuffer sketch) {
        return countedEntries(function, sketch, (sketch.get(0) & 0x3f) > 1 ? 8 : -1, Long.BYTES);
    }

    /** Reads a sketch with bit-packed entries. Their number, which uses some bytes, follows the preamble. */
    private static long packedEntries(String function, ByteBuffer sketch) {
        int at = Long.BYTES * (sketch.get(0) & 0x3f);
        long entries = 0;
        for (int i = 0; i < Math.min(Integer.BYTES, sketch.get(4)) && at + i < sketch.remaining(); i++) {
            entries |= Byte.toUnsignedLong(sketch.get(at + i)) << Byte.SIZE * i;
        }
        BinaryLengthCheck.compare(function, entries / Byte.SIZE, sketch.remaining());
        return entries * Long.BYTES;
    }

    /** Reads a number of entries at a position. Returns none if the sketch ends before it. */
    private static long countedEntries(String function, ByteBuffer sketch, int at, int entryBytes) {
        if (at < 0 || at + Integer.BYTES > sketch.remaining()) {
            return 0;
        }
        long bytes = (long) entryBytes * sketch.getInt(at);
        BinaryLengthCheck.compare(function, bytes, sketch.remaining());
        return bytes;
    }

    /** Reads a hash table that is stored as a whole, from the logarithm of its length. */
    private static long table(String function, ByteBuffer sketch, int at) {
        long bytes = power(sketch, at, Long.BYTES);
        BinaryLengthCheck.compare(function, bytes, sketch.remaining());
        return bytes;
    }

    private static long power(ByteBuffer sketch, int at, int entryBytes) {
        return at < sketch.remaining()
                ? (long) entryBytes << Math.min(MAX_LOGARITHM, Byte.toUnsignedInt(sketch.get(at)))
                : 0;
    }

    /** Reads a sketch with values. Its fourth byte is the kind of the sketch. */
    private static long tuple(String function, ByteBuffer sketch) {
        return switch (sketch.get(3)) {
            case 0 -> power(sketch, 6, 2 * Long.BYTES);
            case 1 ->
                sketch.get(1) >= 3
                        ? compact(function, sketch)
                        : countedEntries(function, sketch, 5 + ((sketch.get(4) & 8) == 0 ? 0 : Long.BYTES), Long.BYTES);
            case 2 -> power(sketch, 17, Long.BYTES * (1 + Byte.toUnsignedInt(sketch.get(5))));
            case 3 -> countedEntries(function, sketch, 16, Long.BYTES * (1 + Byte.toUnsignedInt(sketch.get(5))));
            case 4 -> sketch.remaining() > 16 ? check(function, sketch.slice(16, sketch.remaining() - 16)) : 0;
            default -> 0;
        };
    }

    /** Coupons are compressed to at least one bit each. The format determines where the numbers of ints are. */
    private static long coupons(String function, ByteBuffer sketch) {
        int format = sketch.get(5) >>> 2 & 7;
        int[] lengths = switch (format) {
            case 2, 3, 4, 5 -> new int[] {12};
            case 6 -> new int[] {16, 20};
            case 7 -> new int[] {32, 36};
            default -> new int[0];
        };
        for (int at : lengths) {
            countedEntries(function, sketch, at, Integer.BYTES);
        }
        int pairs = format <= 1 ? -1 : format <= 3 ? 8 : format >= 6 ? 12 : -1;
        if (pairs >= 0 && pairs + Integer.BYTES <= sketch.remaining()) {
            BinaryLengthCheck.compare(function, sketch.getInt(pairs) / Byte.SIZE, sketch.remaining());
        }
        return power(sketch, 3, Long.BYTES);
    }
}
