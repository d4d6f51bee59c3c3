package io.skep.llap.server.disk;

import io.skep.common.memory.MemoryPool;
import io.skep.llap.server.cache.ChunkKey;
import io.skep.llap.server.cache.SecondTierSnapshot;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of one folder. Records are appended to a segment in memory; a full one is written by the I/O threads to its slot of the
 * file, and its slot's older records are forgotten when it is begun. A record is read at once, and after it was read the index must
 * still say that it lies there: then no newer segment was begun in its slot before. A chunk that is offered again while its slot is
 * among the next to go is written anew, so that what is used stays. The first error of the disk ends the volume: its file is deleted and
 * everything misses from then on. Thread-safe.
 */
final class DiskVolume implements AutoCloseable {
    static final String FILE_NAME = "skep-chunks.cache";

    /** Segments in memory: one being filled, the others being written. */
    static final int BUFFERS = 3;

    /** More than buffers, so that no slot is begun again while it is being written. */
    static final int LEAST_SEGMENTS = BUFFERS + 1;

    private static final System.Logger LOG = System.getLogger(DiskVolume.class.getName());

    private final Path file;
    private final int segmentBytes;
    private final MemoryPool memory;
    private final Executor io;
    private final ReentrantLock lock = new ReentrantLock();
    private final DiskIndex index = new DiskIndex();
    private final @Nullable DiskSegment[] segments;
    private final Arena arena = Arena.ofShared();
    private final Deque<MemorySegment> freeBuffers = new ArrayDeque<>();
    private int buffers;
    private int head = -1;
    private @Nullable DiskSegment open;
    private @Nullable FileChannel channel;
    private boolean ended;
    private boolean failed;
    private long usedBytes;
    private long hits;
    private long writes;
    private long writtenBytes;
    private long evictions;
    private long dropped;
    private long damaged;

    /**
     * @param memory pays for the buffers
     * @param io threads that may wait for the disk
     */
    DiskVolume(Path folder, long capacityBytes, int segmentBytes, MemoryPool memory, Executor io) {
        this.file = folder.resolve(FILE_NAME);
        this.segmentBytes = segmentBytes;
        this.memory = memory;
        this.io = io;
        this.segments = new DiskSegment[(int) Math.min(DiskPlace.MOST_SEGMENTS, capacityBytes / segmentBytes)];
        if (segments.length < LEAST_SEGMENTS || segmentBytes > DiskPlace.MOST_SEGMENT_BYTES) {
            throw new IllegalArgumentException(
                    capacityBytes + " bytes are no " + LEAST_SEGMENTS + " segments of " + segmentBytes);
        }
        try {
            Files.createDirectories(folder);
            Files.deleteIfExists(file);
            channel = FileChannel.open(
                    file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } catch (IOException e) {
            fail(e);
        }
    }

    void offer(ChunkKey key, MemorySegment bytes, int checksum) {
        byte[] header = DiskRecord.header(key, checksum);
        long fingerprint = key.fingerprint();
        long length = header.length + bytes.byteSize();
        DiskSegment full = null;
        lock.lock();
        try {
            long known = index.get(fingerprint);
            if (channel == null || length > segmentBytes || known != 0 && !isLeaving(DiskPlace.of(known))) {
                return;
            }
            DiskSegment target = open;
            if (target == null || !target.hasRoom((int) length)) {
                full = target;
                target = begin();
            }
            MemorySegment buffer = target == null ? null : target.buffer();
            if (target == null || buffer == null) {
                dropped++;
            } else {
                forget(fingerprint, index.get(fingerprint));
                index.put(fingerprint, target.append(buffer, fingerprint, header, bytes));
                usedBytes += length;
                writes++;
                writtenBytes += length;
            }
        } finally {
            lock.unlock();
        }
        if (full != null) {
            DiskSegment segment = full;
            io.execute(() -> write(segment));
        }
    }

    /** Whether a record's slot is among the next quarter to be begun anew. */
    private boolean isLeaving(DiskPlace place) {
        return Math.floorMod(place.segment() - head - 1, segments.length) < segments.length / 4;
    }

    /** Makes room in the ring; null when all buffers are being written. */
    private @Nullable DiskSegment begin() {
        open = null;
        MemorySegment buffer = freeBuffers.poll();
        if (buffer == null) {
            if (buffers == BUFFERS || !memory.tryReserve(segmentBytes)) {
                return null;
            }
            buffers++;
            buffer = arena.allocate(segmentBytes, DiskPlace.ALIGNMENT);
        }
        head = (head + 1) % segments.length;
        evictions += forgetAll(segments[head]);
        DiskSegment begun = new DiskSegment(head, buffer);
        segments[head] = begun;
        open = begun;
        return begun;
    }

    /** How many of a segment's records were still known. */
    private int forgetAll(@Nullable DiskSegment segment) {
        int known = 0;
        for (int i = 0; segment != null && i < segment.count(); i++) {
            known += forget(segment.fingerprint(i), segment.place(i)) ? 1 : 0;
        }
        return known;
    }

    private boolean forget(long fingerprint, long place) {
        boolean found = index.remove(fingerprint, place);
        if (found) {
            usedBytes -= DiskPlace.of(place).length();
        }
        return found;
    }

    private void write(DiskSegment segment) {
        FileChannel to;
        MemorySegment buffer;
        lock.lock();
        try {
            to = channel;
            buffer = segment.buffer();
        } finally {
            lock.unlock();
        }
        if (to == null || buffer == null) {
            return;
        }
        try {
            ByteBuffer bytes = segment.filled(buffer);
            long at = (long) segment.slot() * segmentBytes;
            while (bytes.hasRemaining()) {
                at += to.write(bytes, at);
            }
        } catch (IOException e) {
            fail(e);
            return;
        }
        lock.lock();
        try {
            segment.written();
            freeBuffers.add(buffer);
        } finally {
            lock.unlock();
        }
    }

    Optional<byte[]> read(ChunkKey key) {
        long fingerprint = key.fingerprint();
        long packed;
        FileChannel from;
        byte[] record;
        lock.lock();
        try {
            packed = index.get(fingerprint);
            from = channel;
            DiskPlace place = DiskPlace.of(packed);
            DiskSegment segment = packed == 0 ? null : segments[place.segment()];
            if (segment == null || from == null) {
                return Optional.empty();
            }
            record = segment.inMemory(place);
        } finally {
            lock.unlock();
        }
        if (record == null) {
            record = read(from, DiskPlace.of(packed));
        }
        byte[] bytes = record == null ? null : DiskRecord.bytes(record, key);
        return judge(fingerprint, packed, Optional.ofNullable(bytes));
    }

    /** Null when the file is shorter, or cannot be read. */
    private byte @Nullable [] read(FileChannel from, DiskPlace place) {
        ByteBuffer record = ByteBuffer.allocate(place.length());
        long start = (long) place.segment() * segmentBytes + place.offset();
        try {
            while (record.hasRemaining()) {
                if (from.read(record, start + record.position()) < 0) {
                    return null;
                }
            }
            return record.array();
        } catch (IOException e) {
            fail(e);
            return null;
        }
    }

    /** What was read counts only if it still lies there, for otherwise it may have been overwritten meanwhile. */
    private Optional<byte[]> judge(long fingerprint, long packed, Optional<byte[]> bytes) {
        lock.lock();
        try {
            if (index.get(fingerprint) != packed) {
                return Optional.empty();
            }
            if (bytes.isPresent()) {
                hits++;
            } else {
                damaged++;
                forget(fingerprint, packed);
            }
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    /** Gives the folder up; readers and writers at work find their channel closed. */
    private void fail(IOException e) {
        lock.lock();
        try {
            if (ended) {
                return;
            }
            failed = true;
            LOG.log(System.Logger.Level.WARNING, "the cache goes on without the disk at " + file + ": " + e, e);
            end();
        } finally {
            lock.unlock();
        }
    }

    private void end() {
        ended = true;
        for (DiskSegment segment : segments) {
            forgetAll(segment);
        }
        Arrays.fill(segments, null);
        open = null;
        FileChannel old = channel;
        channel = null;
        try {
            if (old != null) {
                old.close();
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "cannot delete " + file, e);
        }
    }

    SecondTierSnapshot snapshot() {
        lock.lock();
        try {
            return new SecondTierSnapshot(
                    failed ? 0 : (long) segments.length * segmentBytes,
                    usedBytes,
                    index.size(),
                    hits,
                    writes,
                    writtenBytes,
                    evictions,
                    dropped,
                    damaged,
                    failed ? 1 : 0);
        } finally {
            lock.unlock();
        }
    }

    /** Deletes the file. No I/O thread works for it any more. */
    @Override
    public void close() {
        lock.lock();
        try {
            end();
            arena.close();
            memory.release((long) buffers * segmentBytes);
            buffers = 0;
        } finally {
            lock.unlock();
        }
    }
}
