package io.skep.llap.server;

import io.skep.common.memory.MemoryPool;
import io.skep.llap.server.cache.CachedBlocks;
import io.skep.llap.server.cache.ChunkCache;
import io.skep.llap.server.cache.ReaderCache;
import io.skep.llap.server.executor.IoPool;
import io.skep.storage.scan.RowGroupReaderFactory;
import java.time.Duration;
import java.time.InstantSource;

/**
 * What a daemon's queries share: the heap account, the column cache with its own account outside of the heap, open files and
 * I/O threads.
 */
public final class DaemonResources implements AutoCloseable {
    /** One part in so many of a limit is kept for operators that cannot spill. */
    static final int UNSPILLABLE_SHARE = 4;

    /** Within which a query that others keep from memory, say by not fetching their results, does not fail. */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);

    private final MemoryPool memory;
    private final MemoryPool cacheMemory;
    private final ChunkCache cache;
    private final ReaderCache files;
    private final IoPool io;

    public DaemonResources(LlapConfig config, RowGroupReaderFactory readers) {
        this.memory = MemoryPool.daemon(
                "daemon", config.maxMemoryBytes(), config.maxMemoryBytes() / UNSPILLABLE_SHARE, LONGEST_WAIT);
        this.cacheMemory = MemoryPool.root("cache", config.cacheBytes());
        this.cache = new ChunkCache(cacheMemory, config.cacheBytes(), config.slabBytes());
        CachedBlocks blocks = new CachedBlocks(cache, InstantSource.system());
        this.files =
                new ReaderCache(split -> readers.open(split, blocks), config.maxOpenReaders(), InstantSource.system());
        this.io = new IoPool("llap", config.ioThreads(), config.readAheadBytes());
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
    }
}
