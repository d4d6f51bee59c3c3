package io.skep.llap.server.cache;

import io.skep.common.memory.MemoryPool;
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
 * An empty slab may serve another class. A chunk that is larger than a slab has one of its own, of several times the size,
 * which is given back with it. Chunks are copied outside of the lock.
 */
final class SlabAllocator implements AutoCloseable {
    private static final int SMALLEST_SLOT = 256;
    private static final int ALIGNMENT = 64;

    /** The largest chunk in slabs; so many are emptied for it when there is no room. */
    private static final int MOST_UNITS = 8;

    /** No chunk takes more than one in so many slabs. */
    private static final int LARGEST_PART = 8;

    private final MemoryPool memory;
    private final int slabBytes;
    private final int maxSlabs;
    private final long largestBytes;
    private final int[] slotBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Slab> slabs = new ArrayList<>();
    private final Deque<Slab> unassigned = new ArrayDeque<>();
    private final List<Deque<Slab>> withFreeSlots = new ArrayList<>();
    private int hand;
    private int units;
    /** Written under the lock. */
    private volatile boolean full;

    /** @param memory pays for each slab */
    SlabAllocator(MemoryPool memory, long capacityBytes, int slabBytes) {
        this.memory = memory;
        this.slabBytes = slabBytes;
        this.maxSlabs = (int) Math.min(Integer.MAX_VALUE, capacityBytes / slabBytes);
        this.largestBytes = (long) Math.clamp(maxSlabs / LARGEST_PART, 1, MOST_UNITS) * slabBytes;
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
        return length <= largestBytes && maxSlabs > 0;
    }

    /** Whether it could never be held; a cache without slabs is short of memory instead. */
    boolean isTooLarge(int length) {
        return length > largestBytes && maxSlabs > 0;
    }

    /** Whether all memory has been taken and cut into slots; slots may be free all the same. */
    boolean isFull() {
        return full;
    }

    /** A slot, or null when something has to be evicted first. */
    @Nullable
    Slot tryAllocate(int length) {
        if (length > slabBytes) {
            return tryAllocateLarge(length);
        }
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

    private @Nullable Slot tryAllocateLarge(int length) {
        lock.lock();
        try {
            Slab slab = take(Math.ceilDiv(length, slabBytes));
            if (slab == null) {
                return null;
            }
            int bytes = slab.units() * slabBytes;
            slab.assign(sizeClass(length), bytes);
            int slot = slab.take();
            return new Slot(slab, slot, slab.slot(slot, bytes, length), bytes);
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Slab newSlab() {
        Slab slab = unassigned.poll();
        return slab == null ? take(1) : slab;
    }

    /** A slab from the system; for a large one, empty slabs make room. */
    private @Nullable Slab take(int wanted) {
        while (wanted > 1 && units + wanted > maxSlabs && !unassigned.isEmpty()) {
            release(unassigned.remove());
        }
        full = units + wanted > maxSlabs || !memory.tryReserve((long) wanted * slabBytes);
        if (full) {
            return null;
        }
        Slab slab = new Slab(wanted, (long) wanted * slabBytes, ALIGNMENT);
        slabs.add(slab);
        units += wanted;
        return slab;
    }

    private void release(Slab slab) {
        slabs.remove(slab);
        units -= slab.units();
        slab.close();
        memory.release((long) slab.units() * slabBytes);
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
            if (slab.units() > 1) {
                release(slab);
                full = false;
                return;
            }
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

    /** What lives in the next slab that cannot hold this length, round robin: evicting all of it makes room. */
    List<CachedChunk> residentsInTheWay(int length) {
        int sizeClass = sizeClass(length);
        lock.lock();
        try {
            for (int i = 0; i < slabs.size(); i++) {
                hand = (hand + 1) % slabs.size();
                Slab slab = slabs.get(hand);
                boolean large = slab.units() > 1;
                boolean helps = length > slabBytes ? !large : large || slab.sizeClass() != sizeClass;
                if (helps && slab.sizeClass() >= 0) {
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
            return (long) units * slabBytes;
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
            slabs.forEach(Slab::close);
            memory.release((long) units * slabBytes);
            slabs.clear();
            units = 0;
        } finally {
            lock.unlock();
        }
    }
}
