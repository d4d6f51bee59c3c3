package io.skep.llap.server.cache;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A piece of cache memory. It is cut into slots of one size, or unassigned. Guarded by the lock of
 * {@link SlabAllocator}.
 */
final class Slab implements AutoCloseable {
    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory;
    private final int units;
    private int sizeClass = -1;
    private @Nullable CachedChunk[] residents = new CachedChunk[0];
    private int[] free = new int[0];
    private int freeCount;

    /** @param units number of slabs of the usual size that it replaces */
    Slab(int units, long bytes, int alignment) {
        this.units = units;
        this.memory = arena.allocate(bytes, alignment);
    }

    int units() {
        return units;
    }

    int sizeClass() {
        return sizeClass;
    }

    void assign(int newSizeClass, int slotBytes) {
        sizeClass = newSizeClass;
        int slots = (int) (memory.byteSize() / slotBytes);
        residents = new CachedChunk[slots];
        free = new int[slots];
        for (int i = 0; i < slots; i++) {
            free[i] = slots - 1 - i;
        }
        freeCount = slots;
    }

    void unassign() {
        sizeClass = -1;
        residents = new CachedChunk[0];
        free = new int[0];
        freeCount = 0;
    }

    boolean hasFreeSlot() {
        return freeCount > 0;
    }

    boolean isEmpty() {
        return freeCount == residents.length;
    }

    int take() {
        return free[--freeCount];
    }

    void settle(int slot, CachedChunk chunk) {
        residents[slot] = chunk;
    }

    void give(int slot) {
        residents[slot] = null;
        free[freeCount++] = slot;
    }

    MemorySegment slot(int slot, int slotBytes, int length) {
        return memory.asSlice((long) slot * slotBytes, length);
    }

    @Nullable
    CachedChunk[] residents() {
        return residents.clone();
    }

    /** Returns the memory to the system. No thread may read it afterwards. */
    @Override
    public void close() {
        arena.close();
    }
}
