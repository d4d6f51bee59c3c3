package io.skep.llap.server.cache;

import io.skep.common.memory.MemoryPool;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Memory outside of the heap in slabs of one size, each cut into slots of one size class; classes grow by a quarter, so that
 * at most a fifth of a slot is unused. Slabs are taken from the system when they are first needed and given back on close.
 * An empty slab may serve another class. The lock is held for a few instructions only; chunks are copied outside of it.
 */
final class SlabAllocator implements AutoCloseable {
    private static final int SMALLEST_SLOT = 256;
    private static final int ALIGNMENT = 64;

    private final Arena arena = Arena.ofShared();
    private final MemoryPool memory;
    private final int slabBytes;
    private final int maxSlabs;
    private final int[] slotBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Slab> slabs = new ArrayList<>();
    private final Deque<Slab> unassigned = new ArrayDeque<>();
    private final List<Deque<Slab>> withFreeSlots = new ArrayList<>();
    private int hand;
    /** Written under the lock. */
    private volatile boolean full;

    /** @param memory pays for each slab */
    SlabAllocator(MemoryPool memory, long capacityBytes, int slabBytes) {
        this.memory = memory;
        this.slabBytes = slabBytes;
        this.maxSlabs = (int) Math.min(Integer.MAX_VALUE, capacityBytes / slabBytes);
        List<Integer> sizes = new ArrayList<>();
        for (int size = SMALLEST_SLOT; size < slabBytes; size = align(size + size / 4)) {
            sizes.add(size);
        }
        sizes.add(slabBytes);
        slotBytes = sizes.stream().mapToInt(Integer::intValue).toArray();
        for (int ignored : slotBytes) {
            withFreeSlots.add(new ArrayDeque<>());
        }
    }

    private static int align(int size) {
        return size + ALIGNMENT - 1 & -ALIGNMENT;
    }

    /** A place for a chunk. */
    record Slot(Slab slab, int index, MemorySegment bytes, int capacity) {}

    boolean fits(int length) {
        return length <= slabBytes && maxSlabs > 0;
    }

    /** Whether no slab could ever hold it; a cache without slabs is short of memory instead. */
    boolean isTooLarge(int length) {
        return length > slabBytes && maxSlabs > 0;
    }

    /** Whether all memory has been taken and cut into slots; slots may be free all the same. */
    boolean isFull() {
        return full;
    }

    /** A slot, or null when something has to be evicted first. */
    @Nullable
    Slot tryAllocate(int length) {
        int sizeClass = sizeClass(length);
        lock.lock();
        try {
            Deque<Slab> candidates = withFreeSlots.get(sizeClass);
            Slab slab = candidates.peek();
            if (slab == null) {
                slab = newSlab();
                if (slab == null) {
                    return null;
                }
                slab.assign(sizeClass, slotBytes[sizeClass]);
                candidates.push(slab);
            }
            int slot = slab.take();
            if (!slab.hasFreeSlot()) {
                candidates.remove(slab);
            }
            return new Slot(slab, slot, slab.slot(slot, slotBytes[sizeClass], length), slotBytes[sizeClass]);
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Slab newSlab() {
        Slab slab = unassigned.poll();
        if (slab != null) {
            return slab;
        }
        full = slabs.size() == maxSlabs || !memory.tryReserve(slabBytes);
        if (full) {
            return null;
        }
        slab = new Slab(arena.allocate(slabBytes, ALIGNMENT));
        slabs.add(slab);
        return slab;
    }

    void settle(Slot slot, CachedChunk chunk) {
        lock.lock();
        try {
            slot.slab().settle(slot.index(), chunk);
        } finally {
            lock.unlock();
        }
    }

    void free(Slot slot) {
        Slab slab = slot.slab();
        lock.lock();
        try {
            Deque<Slab> candidates = withFreeSlots.get(slab.sizeClass());
            if (!slab.hasFreeSlot()) {
                candidates.push(slab);
            }
            slab.give(slot.index());
            if (slab.isEmpty()) {
                candidates.remove(slab);
                slab.unassign();
                unassigned.push(slab);
                full = false;
            }
        } finally {
            lock.unlock();
        }
    }

    /** What lives in the next slab of another size class, round robin: evicting all of it frees the slab for this length. */
    List<CachedChunk> residentsOfAnotherClass(int length) {
        int sizeClass = sizeClass(length);
        lock.lock();
        try {
            for (int i = 0; i < slabs.size(); i++) {
                hand = (hand + 1) % slabs.size();
                Slab slab = slabs.get(hand);
                if (slab.sizeClass() != sizeClass && slab.sizeClass() >= 0) {
                    List<CachedChunk> residents = new ArrayList<>();
                    for (CachedChunk chunk : slab.residents()) {
                        if (chunk != null) {
                            residents.add(chunk);
                        }
                    }
                    return residents;
                }
            }
            return List.of();
        } finally {
            lock.unlock();
        }
    }

    long reservedBytes() {
        lock.lock();
        try {
            return (long) slabs.size() * slabBytes;
        } finally {
            lock.unlock();
        }
    }

    private int sizeClass(int length) {
        int low = 0;
        int high = slotBytes.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (slotBytes[middle] >= length) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** Gives the memory back; nothing may read it any more. */
    @Override
    public void close() {
        lock.lock();
        try {
            arena.close();
            memory.release((long) slabs.size() * slabBytes);
            slabs.clear();
        } finally {
            lock.unlock();
        }
    }
}
