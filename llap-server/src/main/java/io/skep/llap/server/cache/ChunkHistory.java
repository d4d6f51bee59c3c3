package io.skep.llap.server.cache;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Remembers what happened to chunks that were read, so that a miss can be attributed to a cause. A place is a column of
 * a row group of a path, independent of the file's version. Each place has one word, with a part of the place's hash, a
 * hash of the version, and the cause of the next miss. Places that share a word overwrite each other, and then a miss
 * counts as cold. The history serves statistics only: no decision depends on it. Thread-safe without locks.
 */
final class ChunkHistory {
    private static final int MIN_WORDS = 1 << 10;
    private static final int MAX_WORDS = 1 << 20;

    /** Cache bytes per word: less than a usual chunk. */
    private static final int BYTES_PER_WORD = 1 << 10;

    private static final long CAUSE_BITS = 0xF;
    private static final long PLACE_BITS = 0xFFFFFFF0L;
    private static final MissCause[] CAUSES = MissCause.values();

    private final AtomicLongArray words;

    ChunkHistory(long capacityBytes) {
        long wanted = Math.clamp(capacityBytes / BYTES_PER_WORD, MIN_WORDS, MAX_WORDS);
        words = new AtomicLongArray((int) Long.highestOneBit(wanted));
    }

    /** Returns why a chunk that is missed now is absent. */
    MissCause cause(ChunkKey key) {
        long place = key.place();
        long word = words.getOpaque(index(place));
        long cause = word & CAUSE_BITS;
        if (cause == 0 || (word & PLACE_BITS) != (place & PLACE_BITS)) {
            return MissCause.COLD;
        }
        return (int) (word >>> 32) == key.version() ? CAUSES[(int) cause - 1] : MissCause.FILE_CHANGED;
    }

    /** Records the cause of the chunk's next miss. */
    void remember(ChunkKey key, MissCause cause) {
        long place = key.place();
        words.setOpaque(index(place), (long) key.version() << 32 | place & PLACE_BITS | cause.ordinal() + 1);
    }

    private int index(long place) {
        return (int) (place >>> 32) & words.length() - 1;
    }
}
