package io.skep.engine.function.scalar;

import java.util.Arrays;

/** Searching in bytes. */
final class Bytes {
    private Bytes() {}

    /** Where {@code wanted} (not empty) first stands within {@code [start, end)}; negative when it does not. */
    static int indexOf(byte[] data, int start, int end, byte[] wanted) {
        byte first = wanted[0];
        int last = end - wanted.length;
        for (int i = start; i <= last; i++) {
            if (data[i] == first && Arrays.equals(data, i, i + wanted.length, wanted, 0, wanted.length)) {
                return i;
            }
        }
        return -1;
    }
}
