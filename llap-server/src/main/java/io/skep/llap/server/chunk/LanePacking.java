package io.skep.llap.server.chunk;

import static io.skep.llap.server.chunk.LongDecoder.LONG;

import java.lang.foreign.MemorySegment;

/**
 * Packed integers in a layout that lets one loop without a branch decode many of them. Value {@code i} is in lane
 * {@code i % lanes}. Each lane is a separate bit stream, and the words of the lanes are interleaved. So the values of
 * {@code lanes} rows lie in neighbouring words, all at the same bit positions (after Afroozeh, Boncz: The FastLanes
 * compression layout, VLDB 2023). Java's compiler generates vector instructions for such loops, whereas it decodes a
 * plain bit stream value by value.
 *
 * <p>To the compiler, memory on the heap is another class than memory outside of it. A loop that has read both is not
 * vectorized for either, and takes five times as long. So chunks on the heap, for which the cache had no room, have
 * loops of their own.
 *
 * @param base added to each value
 * @param width bits of a value, 1 to 63
 * @param shift binary logarithm of the number of lanes
 * @param words offset of the first word
 */
record LanePacking(long base, int width, int shift, long words) {
    private static final int MANY = 9;
    private static final int FEW = 7;

    /** The reciprocal of the share that may be wasted. The last word of a lane is half full on average. */
    private static final int WASTED_PART = 8;

    /** The payload's first bytes: base, width and lanes. */
    static final int HEADER_BYTES = 16;

    /**
     * Returns the binary logarithm of the number of lanes for this number of values, or 0 when there are too few values
     * for lanes.
     */
    static int shift(int rows, int width) {
        long bytes = (long) rows * width / Byte.SIZE;
        for (int shift = MANY; shift >= FEW; shift -= 2) {
            if (bytes / WASTED_PART >= (long) Long.BYTES / 2 << shift) {
                return shift;
            }
        }
        return 0;
    }

    static LanePacking at(MemorySegment chunk, long payload) {
        long shape = chunk.get(LONG, payload + 8);
        return new LanePacking(
                chunk.get(LONG, payload), (int) (shape & 0xFF), (int) (shape >>> 8), payload + HEADER_BYTES);
    }

    static void encode(ByteSink sink, long[] values, int rows, long base, int width, int shift) {
        sink.putLong(base);
        sink.putLong(width | (long) shift << 8);
        int lanes = 1 << shift;
        long positions = (rows + lanes - 1L) >>> shift;
        long[] words = new long[Math.toIntExact((positions * width + 63 >>> 6) << shift)];
        for (int row = 0; row < rows; row++) {
            long bit = (long) (row >>> shift) * width;
            int word = (int) ((bit >>> 6) << shift) + (row & lanes - 1);
            long value = values[row] - base;
            words[word] |= value << bit;
            if ((bit & 63) + width > 64) {
                words[word + lanes] |= value >>> -bit;
            }
        }
        for (long word : words) {
            sink.putLong(word);
        }
    }

    void decode(MemorySegment chunk, int from, int count, long[] into) {
        boolean onHeap = !chunk.isNative();
        int lanes = 1 << shift;
        int lane = from & lanes - 1;
        int done = 0;
        for (long bit = (long) (from >>> shift) * width; done < count; bit += width) {
            int part = Math.min(lanes - lane, count - done);
            long word = words + (bit >>> 6 << shift + 3) + 8L * lane;
            int low = (int) bit & 63;
            if (onHeap) {
                ofHeap(chunk, word, low, into, done, part);
            } else if (low + width <= 64) {
                whole(chunk, word, low, into, done, part);
            } else {
                split(chunk, word, low, into, done, part);
            }
            done += part;
            lane = 0;
        }
    }

    /** Decodes values that lie in one word each. */
    private void whole(MemorySegment chunk, long word, int low, long[] into, int at, int count) {
        long mask = mask();
        long first = base;
        for (int i = 0; i < count; i++) {
            into[at + i] = first + (chunk.get(LONG, word + 8L * i) >>> low & mask);
        }
    }

    /** Decodes values that begin in one word and end in the next word of their lane. */
    private void split(MemorySegment chunk, long word, int low, long[] into, int at, int count) {
        long mask = mask();
        long first = base;
        int high = 64 - low;
        long following = word + (8L << shift);
        for (int i = 0; i < count; i++) {
            long bits = chunk.get(LONG, word + 8L * i) >>> low | chunk.get(LONG, following + 8L * i) << high;
            into[at + i] = first + (bits & mask);
        }
    }

    /** Decodes values of a chunk on the heap: copies their words, and decodes in place. */
    private void ofHeap(MemorySegment chunk, long word, int low, long[] into, int at, int count) {
        MemorySegment.copy(chunk, LONG, word, into, at, count);
        long mask = mask();
        long first = base;
        int end = at + count;
        if (low + width <= 64) {
            for (int i = at; i < end; i++) {
                into[i] = first + (into[i] >>> low & mask);
            }
            return;
        }
        long[] following = new long[count];
        MemorySegment.copy(chunk, LONG, word + (8L << shift), following, 0, count);
        int high = 64 - low;
        for (int i = at; i < end; i++) {
            into[i] = first + ((into[i] >>> low | following[i - at] << high) & mask);
        }
    }

    /** Decodes the values at {@code from + rows[i]}. */
    void gather(MemorySegment chunk, int from, int[] rows, int count, long[] into) {
        int lanesShift = shift;
        int bits = width;
        long begin = words;
        long first = base;
        long mask = mask();
        int lastLane = (1 << lanesShift) - 1;
        long nextWord = 8L << lanesShift;
        for (int i = 0; i < count; i++) {
            int row = from + rows[i];
            int bit = (row >>> lanesShift) * bits;
            long word = begin + ((long) (bit >>> 6) << lanesShift + 3) + 8L * (row & lastLane);
            int low = bit & 63;
            long value = chunk.get(LONG, word) >>> low;
            if (low + bits > 64) {
                value |= chunk.get(LONG, word + nextWord) << -low;
            }
            into[i] = first + (value & mask);
        }
    }

    long value(MemorySegment chunk, int row) {
        long bit = (long) (row >>> shift) * width;
        long word = words + (bit >>> 6 << shift + 3) + 8L * (row & (1 << shift) - 1);
        int low = (int) bit & 63;
        long value = chunk.get(LONG, word) >>> low;
        if (low + width > 64) {
            value |= chunk.get(LONG, word + (8L << shift)) << -low;
        }
        return base + (value & mask());
    }

    private long mask() {
        return (1L << width) - 1;
    }
}
