package io.skep.llap.server.disk;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A part of a volume's file. It is filled in memory and written as a whole. Guarded by its volume's lock. */
final class DiskSegment {
    private final int slot;
    private final int capacity;
    /** Null after the segment has been written. */
    private @Nullable MemorySegment buffer;

    private int used;
    private long[] fingerprints = new long[16];
    private long[] places = new long[16];
    private int count;

    DiskSegment(int slot, MemorySegment buffer) {
        this.slot = slot;
        this.capacity = (int) buffer.byteSize();
        this.buffer = buffer;
    }

    int slot() {
        return slot;
    }

    boolean hasRoom(int length) {
        return used + length <= capacity;
    }

    /** Appends a record and returns its packed place. */
    long append(MemorySegment memory, long fingerprint, byte[] header, MemorySegment bytes) {
        int length = header.length + (int) bytes.byteSize();
        MemorySegment.copy(header, 0, memory, ValueLayout.JAVA_BYTE, used, header.length);
        MemorySegment.copy(bytes, 0, memory, used + (long) header.length, bytes.byteSize());
        long place = new DiskPlace(slot, used, length).packed();
        if (count == fingerprints.length) {
            fingerprints = Arrays.copyOf(fingerprints, 2 * count);
            places = Arrays.copyOf(places, 2 * count);
        }
        fingerprints[count] = fingerprint;
        places[count++] = place;
        used = Math.min(capacity, used + length + DiskPlace.ALIGNMENT - 1 & -DiskPlace.ALIGNMENT);
        return place;
    }

    /** Returns a record while the segment is in memory, otherwise null. */
    byte @Nullable [] inMemory(DiskPlace place) {
        MemorySegment memory = buffer;
        return memory == null
                ? null
                : memory.asSlice(place.offset(), place.length()).toArray(ValueLayout.JAVA_BYTE);
    }

    @Nullable
    MemorySegment buffer() {
        return buffer;
    }

    /** Returns the bytes to write. */
    ByteBuffer filled(MemorySegment memory) {
        return memory.asSlice(0, used).asByteBuffer();
    }

    void written() {
        buffer = null;
    }

    int count() {
        return count;
    }

    long fingerprint(int i) {
        return fingerprints[i];
    }

    long place(int i) {
        return places[i];
    }
}
