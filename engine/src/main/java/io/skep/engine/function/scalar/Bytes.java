package io.skep.engine.function.scalar;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Searches in bytes. */
final class Bytes {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;

    private Bytes() {}

    /**
     * Returns the position of the first occurrence of {@code wanted} (not empty) within {@code [start, end)}, or a
     * negative number. The first and last byte are compared at eight positions at a time. Only where both match is the
     * whole compared.
     */
    static int indexOf(byte[] data, int start, int end, byte[] wanted) {
        int span = wanted.length - 1;
        int last = end - wanted.length;
        long first = (wanted[0] & 0xFF) * ONES;
        long finish = (wanted[span] & 0xFF) * ONES;
        int at = start;
        for (; at <= last && at + span <= data.length - Long.BYTES; at += Long.BYTES) {
            long other = ((long) LONGS.get(data, at) ^ first) | ((long) LONGS.get(data, at + span) ^ finish);
            // The lowest set bit is at a byte that is zero. Higher bits may be at bytes that are not zero.
            for (long zero = other - ONES & ~other & HIGHS; zero != 0; zero &= zero - 1) {
                int place = at + (Long.numberOfTrailingZeros(zero) >>> 3);
                if (place <= last && matchesAt(data, place, wanted)) {
                    return place;
                }
            }
        }
        for (; at <= last; at++) {
            if (matchesAt(data, at, wanted)) {
                return at;
            }
        }
        return -1;
    }

    /** Converts lower-case letters to upper case among eight bytes of ASCII, or upper case to lower case. */
    static void convertCase(byte[] data, int at, boolean capitals) {
        int first = capitals ? 'a' : 'A';
        long word = (long) LONGS.get(data, at);
        long ascii = word & ~HIGHS;
        long fromFirst = ascii + (0x80 - first) * ONES;
        long behindLast = ascii + (0x80 - first - 26) * ONES;
        long letters = fromFirst & ~behindLast & ~word & HIGHS;
        LONGS.set(data, at, word ^ letters >>> 2);
    }

    private static boolean matchesAt(byte[] data, int at, byte[] wanted) {
        return Arrays.equals(data, at, at + wanted.length, wanted, 0, wanted.length);
    }
}
