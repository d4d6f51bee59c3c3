package io.skep.llap.server.cache;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A part of the cache's index with its own S3-FIFO queues (Yang, Zhang, Qiu, Yue, Rashmi: FIFO queues are all you need for
 * cache eviction, SOSP 2023). New chunks enter a small queue; those used again move to the main queue, others leave and are
 * only remembered by key in the ghost queue, from which a return goes straight to main. Chunks that are not even made when they
 * are first missed ({@link #wasMissed}) begin there. So a scan of anything passes through a tenth of the memory and leaves the
 * rest alone. A hit takes no lock.
 */
final class CacheShard {
    /** The small queue's part of all bytes: one in so many. */
    private static final int SMALL_PART = 10;

    private final ConcurrentHashMap<ChunkKey, CachedChunk> index = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<CachedChunk> small = new ArrayDeque<>();
    private final Queue<CachedChunk> main = new ArrayDeque<>();
    private final Set<Long> ghosts = new LinkedHashSet<>();
    private final int ghostsForEach;
    private final int mostGhosts;
    private long smallBytes;
    private long mainBytes;

    /**
     * @param ghostsForEach how many are remembered for each that is here
     * @param mostGhosts that are remembered, however many are here
     */
    CacheShard(int ghostsForEach, int mostGhosts) {
        this.ghostsForEach = ghostsForEach;
        this.mostGhosts = mostGhosts;
    }

    @Nullable
    CachedChunk get(ChunkKey key) {
        return index.get(key);
    }

    /** Enters a chunk; false when there is one under its key already. */
    boolean add(CachedChunk chunk) {
        if (index.putIfAbsent(chunk.key(), chunk) != null) {
            return false;
        }
        lock.lock();
        try {
            chunk.returned = ghosts.remove(chunk.key().fingerprint());
            if (chunk.returned) {
                enterMain(chunk);
            } else {
                small.add(chunk);
                smallBytes += chunk.length();
            }
        } finally {
            lock.unlock();
        }
        return true;
    }

    private void enterMain(CachedChunk chunk) {
        chunk.inMain = true;
        main.add(chunk);
        mainBytes += chunk.length();
    }

    /** The chunk that the policy gives up, already out of the index; null when all are pinned or there is none. */
    @Nullable
    CachedChunk evictOne() {
        lock.lock();
        try {
            int tries = 4 * (small.size() + main.size()) + 4;
            for (int i = 0; i < tries && (!small.isEmpty() || !main.isEmpty()); i++) {
                boolean fromSmall =
                        main.isEmpty() || !small.isEmpty() && smallBytes * SMALL_PART >= smallBytes + mainBytes;
                CachedChunk victim = fromSmall ? fromSmall() : fromMain();
                if (victim != null) {
                    index.remove(victim.key(), victim);
                    return victim;
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable CachedChunk fromSmall() {
        CachedChunk chunk = small.remove();
        if (chunk.evicted()) {
            return null;
        }
        smallBytes -= chunk.length();
        if (chunk.frequency() > 1) {
            chunk.frequency(0);
            enterMain(chunk);
            return null;
        }
        if (!chunk.tryEvict()) {
            small.add(chunk);
            smallBytes += chunk.length();
            return null;
        }
        remember(chunk.key());
        return chunk;
    }

    private @Nullable CachedChunk fromMain() {
        CachedChunk chunk = main.remove();
        if (chunk.evicted()) {
            return null;
        }
        mainBytes -= chunk.length();
        if (chunk.frequency() > 0) {
            chunk.frequency(chunk.frequency() - 1);
            enterMain(chunk);
            return null;
        }
        if (!chunk.tryEvict()) {
            enterMain(chunk);
            return null;
        }
        return chunk;
    }

    /** Whether a chunk that is not here was here, or was missed, not long ago; from now on it was. */
    boolean wasMissed(ChunkKey key) {
        lock.lock();
        try {
            boolean known = ghosts.contains(key.fingerprint());
            if (!known) {
                remember(key);
            }
            return known;
        } finally {
            lock.unlock();
        }
    }

    private void remember(ChunkKey key) {
        ghosts.add(key.fingerprint());
        long most = Math.min(mostGhosts, (long) (main.size() + small.size()) * ghostsForEach) + 16;
        Iterator<Long> oldest = ghosts.iterator();
        while (ghosts.size() > most) {
            oldest.next();
            oldest.remove();
        }
    }

    /** Takes a chunk out if nobody reads it; its place in a queue is dropped when it comes up. */
    boolean evict(CachedChunk chunk) {
        if (!chunk.tryEvict()) {
            return false;
        }
        lock.lock();
        try {
            index.remove(chunk.key(), chunk);
            if (chunk.inMain) {
                mainBytes -= chunk.length();
            } else {
                smallBytes -= chunk.length();
            }
        } finally {
            lock.unlock();
        }
        return true;
    }

    List<CachedChunk> chunks() {
        return new ArrayList<>(index.values());
    }

    int size() {
        return index.size();
    }
}
