package io.skep.llap.server.read;

import io.skep.common.memory.MemoryPool;
import io.skep.common.vector.VectorArrays;
import io.skep.llap.server.cache.ChunkCache;
import io.skep.llap.server.cache.FileSchema;
import io.skep.llap.server.cache.ReaderCache;
import io.skep.llap.server.executor.IoPool;
import io.skep.storage.acid.DeleteSets;
import io.skep.storage.page.ColumnMapping;
import io.skep.storage.page.PartitionValues;
import io.skep.storage.page.RowGroupPageSource;
import io.skep.storage.scan.PageSource;
import io.skep.storage.scan.PageSourceFactory;
import io.skep.storage.scan.ScanRequest;
import io.skep.storage.table.FileVersion;
import io.skep.storage.table.Split;
import java.time.InstantSource;
import java.util.function.Consumer;

/** Opens splits through the cache of column chunks. */
public final class CachingPageSourceFactory implements PageSourceFactory {
    private final ChunkCache cache;
    private final IoPool io;
    private final ChunkLoader loader;
    private final FileSchema.Pool schemas = new FileSchema.Pool();
    private final PartitionValues partitionValues;
    private final DeleteSets deletes;

    /** @param verifier fails when a file is no longer the given version */
    public CachingPageSourceFactory(
            ChunkCache cache,
            ReaderCache readers,
            IoPool io,
            Consumer<FileVersion> verifier,
            PartitionValues partitionValues,
            InstantSource clock) {
        this.cache = cache;
        this.io = io;
        this.loader = new ChunkLoader(cache, readers, io, verifier, clock);
        this.partitionValues = partitionValues;
        this.deletes = new DeleteSets(loader::use, clock);
    }

    @Override
    public PageSource open(ScanRequest request, Split split, MemoryPool memory) {
        return open(request, split, memory, VectorArrays.NEW);
    }

    @Override
    public PageSource open(ScanRequest request, Split split, MemoryPool memory, VectorArrays arrays) {
        ColumnMapping mapping = ColumnMapping.of(request, split, partitionValues, deletes, memory);
        return new RowGroupPageSource(
                mapping,
                new CachedChunkSource(
                        cache, io, loader, schemas, mapping, request.table().name(), memory, arrays));
    }
}
