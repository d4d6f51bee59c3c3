package io.skep.llap.server;

import io.skep.common.memory.MemoryPool;
import io.skep.llap.server.cache.CachedBlocks;
import io.skep.llap.server.cache.ChunkCache;
import io.skep.llap.server.cache.ReaderCache;
import io.skep.llap.server.cache.SecondTier;
import io.skep.llap.server.disk.DiskTier;
import io.skep.llap.server.executor.IoPool;
import io.skep.storage.scan.RowGroupReaderFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * The resources that a daemon's queries share. These are the heap account, the column cache, open files and I/O
 * threads. The column cache has its own account of memory outside the heap, and a second tier.
 */
public final class DaemonResources implements AutoCloseable {
    /** The reciprocal of the share of a memory limit that is kept for operators that cannot spill. */
    static final int UNSPILLABLE_SHARE = 4;

    /**
     * The time within which a query does not fail although others keep memory from it, for example by not fetching
     * their results.
     */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);

    private final MemoryPool memory;
    private final MemoryPool cacheMemory;
    private final Optional<DiskTier> disk;
    private final ChunkCache cache;
    private final ReaderCache files;
    private final IoPool io;

    public DaemonResources(LlapConfig config, RowGroupReaderFactory readers) {
        this.memory = MemoryPool.daemon(
                "daemon", config.maxMemoryBytes(), config.maxMemoryBytes() / UNSPILLABLE_SHARE, LONGEST_WAIT);
        this.cacheMemory = MemoryPool.root("cache", config.cacheBytes());
        this.io = new IoPool(
                "llap", config.ioThreads(), config.readAheadBytes(), memory.child("reads", memory.limitBytes()));
        this.disk = disk(config, io);
        this.cache = new ChunkCache(
                cacheMemory,
                config.cacheBytes(),
                config.slabBytes(),
                disk.map(SecondTier.class::cast).orElse(SecondTier.NONE));
        CachedBlocks blocks = new CachedBlocks(cache, InstantSource.system());
        this.files =
                new ReaderCache(split -> readers.open(split, blocks), config.maxOpenReaders(), InstantSource.system());
    }

    /** Creates the disk tier, if one is configured. It writes only when no more urgent read is queued. */
    private static Optional<DiskTier> disk(LlapConfig config, IoPool io) {
        List<Path> folders = config.diskCacheFolders();
        long bytes = config.diskCacheBytes();
        if (bytes == 0) {
            return Optional.empty();
        }
        MemoryPool buffers = MemoryPool.root("disk cache", DiskTier.bufferBytes(folders.size(), bytes));
        return Optional.of(new DiskTier(folders, bytes, buffers, io::background));
    }

    public MemoryPool memory() {
        return memory;
    }

    public ChunkCache cache() {
        return cache;
    }

    public ReaderCache files() {
        return files;
    }

    public IoPool io() {
        return io;
    }

    long queryBytes() {
        return memory.reservedBytes();
    }

    @Override
    public void close() {
        io.close();
        files.close();
        cache.close();
        disk.ifPresent(DiskTier::close);
    }
}
