package io.skep.llap.server.disk;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.file.PrivateFiles;
import io.skep.common.memory.MemoryPool;
import io.skep.llap.server.cache.ChunkKey;
import io.skep.llap.server.cache.SecondTierSnapshot;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of one folder. Records are appended to a segment in memory. The I/O threads write a full segment to its
 * slot of the file. The older records of a slot are forgotten when a new segment is begun there. A record may be read
 * at any time. After the read, the index must still name the same place. That proves that no newer segment had been
 * begun in the slot by then. A chunk is written again if it is offered while its slot is among the next ones to be
 * reused, so that used chunks stay. The first disk error ends the volume: its file is deleted, and every later lookup
 * misses. Thread-safe.
 */
final class DiskVolume implements AutoCloseable {
    static final String FILE_NAME = "skep-chunks.cache";

    /** The number of segments in memory: one being filled, the others being written. */
    static final int BUFFERS = 3;

    /** Greater than the number of buffers, so that no slot is reused while it is being written. */
    static final int MIN_SEGMENTS = BUFFERS + 1;

    private static final System.Logger LOG = System.getLogger(DiskVolume.class.getName());

    private final Path path;
    private final int segmentBytes;
    private final Executor io;
    private final ReentrantLock lock = new ReentrantLock();
    private final DiskIndex index = new DiskIndex();
    private final @Nullable DiskSegment[] segments;
    private final SegmentBuffers buffers;

    @GuardedBy("lock")
    private int head = -1;

    @GuardedBy("lock")
    private @Nullable DiskSegment open;
    /** Null after the volume has ended. */
    @GuardedBy("lock")
    private @Nullable DiskFile file;

    @GuardedBy("lock")
    private boolean ended;

    @GuardedBy("lock")
    private boolean failed;

    @GuardedBy("lock")
    private long usedBytes;

    @GuardedBy("lock")
    private long hits;

    @GuardedBy("lock")
    private long writes;

    @GuardedBy("lock")
    private long writtenBytes;

    @GuardedBy("lock")
    private long evictions;

    @GuardedBy("lock")
    private long dropped;

    @GuardedBy("lock")
    private long damaged;

    /**
     * @param memory account of the buffers
     * @param io threads that may wait for the disk
     */
    DiskVolume(Path folder, long capacityBytes, int segmentBytes, MemoryPool memory, Executor io) {
        this.path = folder.resolve(FILE_NAME);
        this.segmentBytes = segmentBytes;
        this.buffers = new SegmentBuffers(memory, BUFFERS, segmentBytes);
        this.io = io;
        this.segments = new DiskSegment[(int) Math.min(DiskPlace.MAX_SEGMENTS, capacityBytes / segmentBytes)];
        if (segments.length < MIN_SEGMENTS || segmentBytes > DiskPlace.MAX_SEGMENT_BYTES) {
            throw new IllegalArgumentException(
                    capacityBytes + " bytes are no " + MIN_SEGMENTS + " segments of " + segmentBytes);
        }
        try {
            PrivateFiles.createDirectories(folder);
            file = DiskFile.create(path);
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
            if (file == null || length > segmentBytes || known != 0 && !isLeaving(DiskPlace.of(known))) {
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

    /** Whether a record's slot is in the next quarter of the slots to be reused. */
    @GuardedBy("lock")
    private boolean isLeaving(DiskPlace place) {
        return Math.floorMod(place.segment() - head - 1, segments.length) < segments.length / 4;
    }

    /**
     * Begins the next segment in the ring. Returns null when all buffers are being written, or when the slot's last
     * segment still waits to be written.
     */
    @GuardedBy("lock")
    private @Nullable DiskSegment begin() {
        open = null;
        int next = (head + 1) % segments.length;
        DiskSegment last = segments[next];
        MemorySegment buffer = last == null || last.buffer() == null ? buffers.take() : null;
        if (buffer == null) {
            return null;
        }
        head = next;
        evictions += forgetAll(segments[head]);
        DiskSegment begun = new DiskSegment(head, buffer);
        segments[head] = begun;
        open = begun;
        return begun;
    }

    /** Forgets a segment's records, and returns how many of them were still in the index. */
    @GuardedBy("lock")
    private int forgetAll(@Nullable DiskSegment segment) {
        int known = 0;
        for (int i = 0; segment != null && i < segment.count(); i++) {
            known += forget(segment.fingerprint(i), segment.place(i)) ? 1 : 0;
        }
        return known;
    }

    @GuardedBy("lock")
    private boolean forget(long fingerprint, long place) {
        boolean found = index.remove(fingerprint, place);
        if (found) {
            usedBytes -= DiskPlace.of(place).length();
        }
        return found;
    }

    private void write(DiskSegment segment) {
        DiskFile to;
        MemorySegment buffer;
        lock.lock();
        try {
            to = file;
            buffer = segment.buffer();
        } finally {
            lock.unlock();
        }
        if (to == null || buffer == null) {
            return;
        }
        try {
            to.write(segment.filled(buffer), (long) segment.slot() * segmentBytes);
        } catch (IOException e) {
            fail(e);
            return;
        }
        lock.lock();
        try {
            segment.written();
            buffers.give(buffer);
        } finally {
            lock.unlock();
        }
    }

    Optional<byte[]> read(ChunkKey key) {
        long fingerprint = key.fingerprint();
        long packed;
        DiskFile from;
        DiskSegment segment;
        byte[] record;
        lock.lock();
        try {
            packed = index.get(fingerprint);
            from = file;
            DiskPlace place = DiskPlace.of(packed);
            segment = packed == 0 ? null : segments[place.segment()];
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
        return validate(fingerprint, packed, segment, Optional.ofNullable(bytes));
    }

    /** Reads a record from the file. Returns null when the file is shorter or cannot be read. */
    private byte @Nullable [] read(DiskFile from, DiskPlace place) {
        try {
            return from.read((long) place.segment() * segmentBytes + place.offset(), place.length());
        } catch (IOException e) {
            fail(e);
            return null;
        }
    }

    /**
     * Accepts the bytes only if the index still names the same place and segment. Otherwise they may have been
     * overwritten during the read, possibly even with the same record at the same place of a newer segment.
     */
    private Optional<byte[]> validate(long fingerprint, long packed, DiskSegment segment, Optional<byte[]> bytes) {
        lock.lock();
        try {
            if (index.get(fingerprint) != packed || segments[segment.slot()] != segment) {
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

    /** Abandons the folder. Concurrent reads and writes find their file closed. */
    private void fail(IOException e) {
        lock.lock();
        try {
            if (ended) {
                return;
            }
            failed = true;
            LOG.log(System.Logger.Level.WARNING, "the cache goes on without the disk at " + path + ": " + e, e);
            end();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void end() {
        ended = true;
        for (DiskSegment segment : segments) {
            forgetAll(segment);
        }
        Arrays.fill(segments, null);
        open = null;
        DiskFile old = file;
        file = null;
        try {
            if (old != null) {
                old.close();
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "cannot delete " + path, e);
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

    /** Deletes the file. No I/O thread may work for the volume any more. */
    @Override
    public void close() {
        lock.lock();
        try {
            end();
            buffers.close();
        } finally {
            lock.unlock();
        }
    }
}
