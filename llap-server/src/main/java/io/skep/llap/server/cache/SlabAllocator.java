package io.skep.llap.server.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.memory.MemoryPool;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Allocates memory outside the heap in slabs of one size. Each slab is cut into slots of one size class. Classes grow
 * by a quarter, so that at most a fifth of a slot is unused. Slabs are allocated from the system when they are first
 * needed, and returned on close. An empty slab may be assigned to another class. A chunk that is larger than a slab has
 * a slab of its own, several times as large, which is returned to the system with the chunk. Slabs are allocated and
 * closed, and chunks copied, outside the lock.
 */
final class SlabAllocator implements AutoCloseable {
    private static final int SMALLEST_SLOT = 256;
    private static final int ALIGNMENT = 64;

    /** The size of the largest chunk in slabs. As many slabs are emptied for it when there is no room. */
    private static final int MAX_UNITS = 8;

    /** The reciprocal of the largest share of all slabs that one chunk may use. */
    private static final int LARGEST_PART = 8;

    private final MemoryPool memory;
    private final int slabBytes;
    private final int maxSlabs;
    private final long largestBytes;
    private final int[] slotBytes;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final List<Slab> slabs = new ArrayList<>();

    @GuardedBy("lock")
    private final Deque<Slab> unassigned = new ArrayDeque<>();

    @GuardedBy("lock")
    private final List<Deque<Slab>> withFreeSlots = new ArrayList<>();

    @GuardedBy("lock")
    private int hand;

    @GuardedBy("lock")
    private int units;
    /** Written under the lock. */
    private volatile boolean full;

    /** @param memory account of the slabs */
    SlabAllocator(MemoryPool memory, long capacityBytes, int slabBytes) {
        this.memory = memory;
        this.slabBytes = slabBytes;
        this.maxSlabs = (int) Math.min(Integer.MAX_VALUE, capacityBytes / slabBytes);
        this.largestBytes = (long) Math.clamp(maxSlabs / LARGEST_PART, 1, MAX_UNITS) * slabBytes;
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

    /** The size of the largest chunk that can be stored. */
    long largestBytes() {
        return largestBytes;
    }

    /**
     * Whether a chunk can never be stored because of its size. A cache without slabs lacks memory instead, so this is
     * false.
     */
    boolean isTooLarge(int length) {
        return length > largestBytes && maxSlabs > 0;
    }

    /** Whether all memory has been allocated and cut into slots. Some slots may still be free. */
    boolean isFull() {
        return full;
    }

    /** Allocates a slot. Returns null when something must be evicted first. */
    @Nullable
    Slot tryAllocate(int length) {
        int wanted = Math.max(1, Math.ceilDiv(length, slabBytes));
        Slot slot = wanted == 1 ? takeFree(length) : null;
        if (slot == null && tryReserve(wanted)) {
            Slab slab = newSlab(wanted);
            lock.lock();
            try {
                slabs.add(slab);
                slot = assign(slab, length);
            } finally {
                lock.unlock();
            }
        }
        return slot;
    }

    /** Allocates a slot of an existing slab, or returns null. */
    private @Nullable Slot takeFree(int length) {
        lock.lock();
        try {
            Slab slab = withFreeSlots.get(sizeClass(length)).peek();
            if (slab != null) {
                return take(slab, slotBytes[slab.sizeClass()], length);
            }
            Slab empty = unassigned.poll();
            return empty == null ? null : assign(empty, length);
        } finally {
            lock.unlock();
        }
    }

    /** Cuts a slab into slots and returns the first one. */
    @GuardedBy("lock")
    private Slot assign(Slab slab, int length) {
        int sizeClass = sizeClass(length);
        boolean large = slab.units() > 1;
        int bytes = large ? slab.units() * slabBytes : slotBytes[sizeClass];
        slab.assign(sizeClass, bytes);
        if (!large) {
            withFreeSlots.get(sizeClass).push(slab);
        }
        return take(slab, bytes, length);
    }

    @GuardedBy("lock")
    private Slot take(Slab slab, int bytes, int length) {
        int slot = slab.take();
        if (!slab.hasFreeSlot()) {
            withFreeSlots.get(slab.sizeClass()).remove(slab);
        }
        return new Slot(slab, slot, slab.slot(slot, bytes, length), bytes);
    }

    /** Reserves memory for a slab. For a large one, empty slabs are closed to make room. */
    private boolean tryReserve(int wanted) {
        List<Slab> emptied = wanted == 1 ? List.of() : takeEmpty(wanted);
        emptied.forEach(Slab::close);
        lock.lock();
        try {
            if (!emptied.isEmpty()) {
                forget(emptied.size());
            }
            full = units + wanted > maxSlabs || !memory.tryReserve((long) wanted * slabBytes);
            units += full ? 0 : wanted;
            return !full;
        } finally {
            lock.unlock();
        }
    }

    /** Removes as many empty slabs as must be closed for this number of other ones. They still count as reserved. */
    private List<Slab> takeEmpty(int wanted) {
        lock.lock();
        try {
            List<Slab> emptied = new ArrayList<>();
            while (units - emptied.size() + wanted > maxSlabs && !unassigned.isEmpty()) {
                emptied.add(unassigned.remove());
            }
            slabs.removeAll(emptied);
            return emptied;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Allocates a slab, which has been reserved already, from the system. Zeroing it is slow, so it happens outside the
     * lock.
     */
    private Slab newSlab(int wanted) {
        try {
            return new Slab(wanted, (long) wanted * slabBytes, ALIGNMENT);
        } catch (OutOfMemoryError e) {
            forget(wanted);
            throw e;
        }
    }

    /** Releases the reservation of slabs whose memory has been returned to the system. */
    private void forget(int gone) {
        lock.lock();
        try {
            units -= gone;
            full = false;
            memory.release((long) gone * slabBytes);
        } finally {
            lock.unlock();
        }
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
        if (slab.units() > 1) {
            freeLarge(slab);
            return;
        }
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

    private void freeLarge(Slab slab) {
        lock.lock();
        try {
            slabs.remove(slab);
        } finally {
            lock.unlock();
        }
        slab.close();
        forget(slab.units());
    }

    /**
     * Returns the chunks in the next slab, round robin, that cannot hold this length. Evicting all of them makes room.
     */
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

    /** Returns the memory to the system. No thread may read it afterwards. */
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
