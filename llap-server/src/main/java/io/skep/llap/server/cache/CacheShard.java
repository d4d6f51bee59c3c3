package io.skep.llap.server.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
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
 * A part of the cache's index with its own S3-FIFO queues (Yang, Zhang, Qiu, Yue, Rashmi: FIFO queues are all you need
 * for cache eviction, SOSP 2023). New chunks enter a small queue. Those that are used again move to the main queue. The
 * others are evicted, and only their keys are remembered, in the ghost queue. A chunk that returns from the ghost queue
 * goes straight to the main queue. The cache may also decline to create a chunk when it is first missed
 * ({@link #recordMiss}). The key of such a chunk starts in the ghost queue. So a scan of any size passes through a
 * tenth of the memory and leaves the rest alone. A hit takes no lock.
 */
final class CacheShard {
    /** The reciprocal of the small queue's share of all bytes. */
    private static final int SMALL_PART = 10;

    private final ConcurrentHashMap<ChunkKey, CachedChunk> index = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Queue<CachedChunk> small = new ArrayDeque<>();

    @GuardedBy("lock")
    private final Queue<CachedChunk> main = new ArrayDeque<>();

    @GuardedBy("lock")
    private final Set<Long> ghosts = new LinkedHashSet<>();

    private final int ghostsForEach;
    private final int mostGhosts;

    @GuardedBy("lock")
    private long smallBytes;

    @GuardedBy("lock")
    private long mainBytes;

    /**
     * @param ghostsForEach how many keys are remembered for each cached chunk
     * @param mostGhosts upper limit of remembered keys, independent of the number of cached chunks
     */
    CacheShard(int ghostsForEach, int mostGhosts) {
        this.ghostsForEach = ghostsForEach;
        this.mostGhosts = mostGhosts;
    }

    @Nullable
    CachedChunk get(ChunkKey key) {
        return index.get(key);
    }

    /** Adds a chunk. Returns false when the key is already present. */
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

    @GuardedBy("lock")
    private void enterMain(CachedChunk chunk) {
        chunk.inMain = true;
        main.add(chunk);
        mainBytes += chunk.length();
    }

    /**
     * Evicts the chunk that the policy selects and removes it from the index. Returns null when the shard is empty or
     * all its chunks are pinned.
     */
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

    @GuardedBy("lock")
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

    @GuardedBy("lock")
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

    /** Whether an absent chunk was cached or missed recently. The miss is remembered for the next call. */
    boolean recordMiss(ChunkKey key) {
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

    @GuardedBy("lock")
    private void remember(ChunkKey key) {
        ghosts.add(key.fingerprint());
        long most = Math.min(mostGhosts, (long) (main.size() + small.size()) * ghostsForEach) + 16;
        Iterator<Long> oldest = ghosts.iterator();
        while (ghosts.size() > most) {
            oldest.next();
            oldest.remove();
        }
    }

    /** Evicts a chunk if no reader has it pinned. Its entry in a queue is dropped when it reaches the head. */
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
