package io.skep.engine.function.hive;

import io.skep.common.vector.TextLimit;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What sketches of the library DataSketches say of their own length (datasketches.apache.org, the preambles of the families). The
 * third byte names the family; numbers are little-endian.
 */
final class SketchClaims {
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

    /** The version in which entries are pressed. */
    private static final int PRESSED = 4;

    /** Logarithms of sizes; larger ones are no sizes of arrays. */
    private static final int MAX_LOGARITHM = 30;

    private SketchClaims() {}

    /**
     * The bytes that a sketch takes as an object, as far as it says so itself.
     *
     * @throws io.skep.common.error.SkepException INVALID_ARGUMENT or MEMORY_LIMIT_EXCEEDED
     */
    static long check(String function, ByteBuffer sketch) {
        if (sketch.remaining() < MIN_PREAMBLE) {
            return 0;
        }
        sketch.order(ByteOrder.LITTLE_ENDIAN);
        long bytes = switch (sketch.get(FAMILY)) {
            case COMPACT -> sketch.get(1) == PRESSED ? pressed(function, sketch) : compact(function, sketch);
            case ALPHA, QUICK_SELECT, UNION -> table(function, sketch, 4);
            case HLL -> power(sketch, 3, 1) + power(sketch, 4, Integer.BYTES);
            case TUPLE -> tuple(function, sketch);
            case FREQUENCY -> power(sketch, 4, 3 * Long.BYTES) + counted(function, sketch, 8, Long.BYTES);
            case CPC -> coupons(function, sketch);
            default -> 0;
        };
        if (bytes > TextLimit.MAX_BYTES) {
            throw TextLimit.exceeded("the sketch that " + function + " takes");
        }
        return bytes + sketch.remaining();
    }

    /** Entries as longs; preambles of one long are those of at most one. */
    private static long compact(String function, ByteBuffer sketch) {
        return counted(function, sketch, (sketch.get(0) & 0x3f) > 1 ? 8 : -1, Long.BYTES);
    }

    /** Entries of some bits each; their number, of some bytes, is behind the preamble. */
    private static long pressed(String function, ByteBuffer sketch) {
        int at = Long.BYTES * (sketch.get(0) & 0x3f);
        long entries = 0;
        for (int i = 0; i < Math.min(Integer.BYTES, sketch.get(4)) && at + i < sketch.remaining(); i++) {
            entries |= Byte.toUnsignedLong(sketch.get(at + i)) << Byte.SIZE * i;
        }
        BinaryClaims.compare(function, entries / Byte.SIZE, sketch.remaining());
        return entries * Long.BYTES;
    }

    /** A number of entries at a place; none where the sketch ends before. */
    private static long counted(String function, ByteBuffer sketch, int at, int entryBytes) {
        if (at < 0 || at + Integer.BYTES > sketch.remaining()) {
            return 0;
        }
        long bytes = (long) entryBytes * sketch.getInt(at);
        BinaryClaims.compare(function, bytes, sketch.remaining());
        return bytes;
    }

    /** A hash table that is there as a whole, by the logarithm of its length. */
    private static long table(String function, ByteBuffer sketch, int at) {
        long bytes = power(sketch, at, Long.BYTES);
        BinaryClaims.compare(function, bytes, sketch.remaining());
        return bytes;
    }

    private static long power(ByteBuffer sketch, int at, int entryBytes) {
        return at < sketch.remaining()
                ? (long) entryBytes << Math.min(MAX_LOGARITHM, Byte.toUnsignedInt(sketch.get(at)))
                : 0;
    }

    /** Sketches with values; the fourth byte says of which sort. */
    private static long tuple(String function, ByteBuffer sketch) {
        return switch (sketch.get(3)) {
            case 0 -> power(sketch, 6, 2 * Long.BYTES);
            case 1 ->
                sketch.get(1) >= 3
                        ? compact(function, sketch)
                        : counted(function, sketch, 5 + ((sketch.get(4) & 8) == 0 ? 0 : Long.BYTES), Long.BYTES);
            case 2 -> power(sketch, 17, Long.BYTES * (1 + Byte.toUnsignedInt(sketch.get(5))));
            case 3 -> counted(function, sketch, 16, Long.BYTES * (1 + Byte.toUnsignedInt(sketch.get(5))));
            case 4 -> sketch.remaining() > 16 ? check(function, sketch.slice(16, sketch.remaining() - 16)) : 0;
            default -> 0;
        };
    }

    /** Coupons are pressed into bits, at least one each; the numbers of ints are where the format says. */
    private static long coupons(String function, ByteBuffer sketch) {
        int format = sketch.get(5) >>> 2 & 7;
        int[] lengths = switch (format) {
            case 2, 3, 4, 5 -> new int[] {12};
            case 6 -> new int[] {16, 20};
            case 7 -> new int[] {32, 36};
            default -> new int[0];
        };
        for (int at : lengths) {
            counted(function, sketch, at, Integer.BYTES);
        }
        int pairs = format <= 1 ? -1 : format <= 3 ? 8 : format >= 6 ? 12 : -1;
        if (pairs >= 0 && pairs + Integer.BYTES <= sketch.remaining()) {
            BinaryClaims.compare(function, sketch.getInt(pairs) / Byte.SIZE, sketch.remaining());
        }
        return power(sketch, 3, Long.BYTES);
    }
}
