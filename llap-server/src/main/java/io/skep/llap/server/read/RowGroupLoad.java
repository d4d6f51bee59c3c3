package io.skep.llap.server.read;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.memory.MemoryPool;
import io.skep.llap.server.cache.ChunkCache;
import io.skep.llap.server.cache.PinnedChunk;
import io.skep.storage.scan.RowGroup;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** A load of the columns of one row group. Columns in the cache are pinned immediately, and the others are loaded. */
final class RowGroupLoad implements AutoCloseable {
    private static final CompletableFuture<ChunkLoader.Loaded> NOTHING =
            CompletableFuture.completedFuture(ChunkLoader.Loaded.NOTHING);

    private final RowGroup rowGroup;
    private final boolean ahead;
    private final Map<Integer, ColumnRows> cached = new HashMap<>();
    private final CompletableFuture<ChunkLoader.Loaded> loading;
    private final MemoryPool memory;
    private final Runnable release;
    private boolean taken;
    /** Bytes reserved for the loaded columns. Guarded by this, as are changes of {@code closed}. */
    @GuardedBy("this")
    private long reservedBytes;

    private volatile boolean closed;

    /**
     * @param memory account of loaded columns that are not in the cache
     * @param release releases what was reserved for the load; called once
     */
    RowGroupLoad(
            ChunkCache cache, ChunkLoader loader, ChunkLoader.Request request, MemoryPool memory, Runnable release) {
        this.memory = memory;
        this.rowGroup = request.rowGroup();
        this.ahead = request.ahead();
        this.release = release;
        List<Integer> missing = new ArrayList<>();
        for (int column : request.columns()) {
            Optional<PinnedChunk> chunk = cache.get(request.key(column), request.table());
            if (chunk.isPresent()) {
                cached.put(column, new ColumnRows.Cached(chunk.get()));
            } else {
                missing.add(column);
            }
        }
        loading = missing.isEmpty()
                ? NOTHING
                : loader.load(request(request, missing)).thenApply(loaded -> reserve(loaded, request.ahead()));
    }

    private ChunkLoader.Request request(ChunkLoader.Request request, List<Integer> missing) {
        return new ChunkLoader.Request(
                request.split(),
                request.schema(),
                request.table(),
                request.rowGroup(),
                missing,
                request.tests(),
                request.ahead(),
                () -> closed);
    }

    /**
     * Reserves memory for loaded columns. Columns that were read ahead are passed on without a reservation when there
     * is no memory; {@link #tryReserve()} tries again.
     */
    private synchronized ChunkLoader.Loaded reserve(ChunkLoader.Loaded loaded, boolean ahead) {
        long bytes = heapBytes(loaded);
        if (closed || bytes == 0) {
            return loaded;
        }
        try {
            memory.reserve(bytes);
            reservedBytes = bytes;
        } catch (SkepException e) {
            if (!ahead) {
                loaded.close();
                throw e;
            }
        }
        return loaded;
    }

    private static long heapBytes(ChunkLoader.Loaded loaded) {
        return loaded.columns().values().stream()
                .mapToLong(ColumnRows::heapBytes)
                .sum();
    }

    RowGroup rowGroup() {
        return rowGroup;
    }

    CompletableFuture<?> done() {
        return loading;
    }

    boolean isAhead() {
        return ahead;
    }

    /** Whether the load failed because of lack of memory. Waits for the load. */
    boolean failedForMemory() {
        return loading.handle((_, error) -> {
                    Throwable cause = error instanceof CompletionException ? error.getCause() : error;
                    return cause instanceof SkepException known
                            && known.code() == StandardErrorCode.MEMORY_LIMIT_EXCEEDED;
                })
                .join();
    }

    long hitBytes() {
        return cached.values().stream().mapToLong(ColumnRows::bytes).sum();
    }

    /** Waits for the load and returns its result. */
    ChunkLoader.Loaded loaded() {
        return loading.join();
    }

    /**
     * Reserves the part of its heap that the load has not reserved. Waits for the load. Returns false when there is no
     * memory for it.
     */
    boolean tryReserve() {
        long bytes = heapBytes(loading.join());
        synchronized (this) {
            if (bytes > reservedBytes) {
                try {
                    memory.reserve(bytes - reservedBytes);
                } catch (SkepException e) {
                    return false;
                }
                reservedBytes = bytes;
            }
        }
        return true;
    }

    /** Returns all reserved bytes. After {@link #take} the caller must release them. */
    synchronized long reservedBytes() {
        return reservedBytes;
    }

    /** Returns all columns; the caller closes them. Waits for the load. */
    Map<Integer, ColumnRows> take() {
        Map<Integer, ColumnRows> all = new HashMap<>(cached);
        all.putAll(loading.join().columns());
        taken = true;
        release.run();
        return all;
    }

    /** Releases whatever was not taken, immediately or when it has been loaded. */
    @Override
    public void close() {
        if (taken || closed) {
            return;
        }
        long given;
        synchronized (this) {
            closed = true;
            given = reservedBytes;
        }
        memory.release(given);
        release.run();
        cached.values().forEach(ColumnRows::close);
        var _ = loading.whenComplete((loaded, error) -> closeLoaded(loaded));
    }

    private static void closeLoaded(ChunkLoader.@Nullable Loaded loaded) {
        if (loaded != null) {
            loaded.close();
        }
    }
}
