package io.skep.bench.hashtable;

import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.util.Map;

/** Computes the bytes of maps on a heap with compressed references, from the layout of their parts. */
final class HeapUse {
    private static final long REFERENCE = 4;
    private static final long NODE = 32;
    private static final long BOXED_LONG = 24;
    private static final long BOXED_INT = 16;

    private HeapUse() {}

    static long ofLongToInt(Map<Long, Integer> map) {
        return nodes(map.size()) + (BOXED_LONG + BOXED_INT) * map.size();
    }

    static long ofLongToLong(Map<Long, Long> map) {
        return nodes(map.size()) + 2 * BOXED_LONG * map.size();
    }

    /**
     * Returns the size of a HashMap's nodes and its array. The array's length is the smallest power of two with room
     * for all entries at a load of 3/4.
     */
    private static long nodes(int size) {
        return slots(size) * REFERENCE + NODE * size;
    }

    /**
     * Returns the size of two arrays and one additional entry in each. The arrays' length is the smallest power of two
     * with room for all entries at a load of 3/4.
     */
    static long of(Long2LongOpenHashMap map) {
        return 16 * (slots(map.size()) + 1);
    }

    private static long slots(int size) {
        long slots = 16;
        while (slots * 3 / 4 < size) {
            slots *= 2;
        }
        return slots;
    }
}
