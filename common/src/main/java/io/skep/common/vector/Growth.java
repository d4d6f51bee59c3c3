package io.skep.common.vector;

import io.skep.common.memory.ScratchMemory;
import java.util.Arrays;

/** Doubles the length of arrays, and counts them in the thread's {@link ScratchMemory}. */
public final class Growth {
    private static final int MOST = Integer.MAX_VALUE - 64;

    private Growth() {}

    /** @throws io.skep.common.error.SkepException MEMORY_LIMIT_EXCEEDED when there is no room */
    static long[] doubled(long[] values) {
        int length = count(values.length, Long.BYTES);
        long[] longer = Arrays.copyOf(values, length);
        ScratchMemory.discount((long) Long.BYTES * values.length);
        return longer;
    }

    static double[] doubled(double[] values) {
        int length = count(values.length, Double.BYTES);
        double[] longer = Arrays.copyOf(values, length);
        ScratchMemory.discount((long) Double.BYTES * values.length);
        return longer;
    }

    /** @throws io.skep.common.error.SkepException MEMORY_LIMIT_EXCEEDED when there is no room */
    public static int[] doubled(int[] values) {
        int length = count(values.length, Integer.BYTES);
        int[] longer = Arrays.copyOf(values, length);
        ScratchMemory.discount((long) Integer.BYTES * values.length);
        return longer;
    }

    static byte[] doubled(byte[] values) {
        int length = count(values.length, Byte.BYTES);
        byte[] longer = Arrays.copyOf(values, length);
        ScratchMemory.discount(values.length);
        return longer;
    }

    private static int count(int length, int valueBytes) {
        long doubled = 2L * length;
        if (doubled > MOST) {
            throw TextLimit.exceeded("a column of " + doubled + " values");
        }
        ScratchMemory.count(doubled * valueBytes);
        return (int) doubled;
    }
}
