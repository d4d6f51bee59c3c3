package io.skep.llap.server.disk;

import io.skep.common.memory.MemoryPool;
import io.skep.llap.server.cache.ChunkKey;
import io.skep.llap.server.cache.SecondTier;
import io.skep.llap.server.cache.SecondTierSnapshot;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * The second tier over one or more local folders. Each folder has an equal part of the capacity, and a chunk's key
 * determines its folder. Thread-safe.
 */
public final class DiskTier implements SecondTier, AutoCloseable {
    private static final int SEGMENTS = 32;
    private static final int MIN_SEGMENT = 64 << 10;

    private final List<DiskVolume> volumes;

    /**
     * @param capacityBytes capacity of all folders together
     * @param memory account of the segments that are being filled and written
     * @param io runs tasks that wait for a disk
     */
    public DiskTier(List<Path> folders, long capacityBytes, MemoryPool memory, Executor io) {
        long each = capacityBytes / folders.size();
        int segmentBytes = segmentBytes(each);
        this.volumes = folders.stream()
                .map(folder -> new DiskVolume(folder, each, segmentBytes, memory, io))
                .toList();
    }

    /** The minimum capacity for a number of folders. */
    public static long leastBytes(int folders) {
        return (long) folders * DiskVolume.MIN_SEGMENTS * MIN_SEGMENT;
    }

    /** The memory for the segments of all folders that are being filled and written. */
    public static long bufferBytes(int folders, long capacityBytes) {
        return (long) folders * DiskVolume.BUFFERS * segmentBytes(capacityBytes / folders);
    }

    private static int segmentBytes(long capacityBytes) {
        long size = Math.clamp(capacityBytes / SEGMENTS, MIN_SEGMENT, DiskPlace.MAX_SEGMENT_BYTES - 1);
        return (int) size & -DiskPlace.ALIGNMENT;
    }

    @Override
    public void offer(ChunkKey key, MemorySegment bytes, int checksum) {
        volume(key).offer(key, bytes, checksum);
    }

    @Override
    public Optional<byte[]> read(ChunkKey key) {
        return volume(key).read(key);
    }

    private DiskVolume volume(ChunkKey key) {
        return volumes.get((int) ((key.fingerprint() >>> 40) % volumes.size()));
    }

    @Override
    public SecondTierSnapshot snapshot() {
        SecondTierSnapshot all = SecondTierSnapshot.NONE;
        for (DiskVolume volume : volumes) {
            all = all.plus(volume.snapshot());
        }
        return all;
    }

    /** Deletes the files. The I/O threads must have ended. */
    @Override
    public void close() {
        volumes.forEach(DiskVolume::close);
    }
}
