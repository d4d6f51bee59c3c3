package io.skep.llap.server.read;

import io.skep.llap.server.cache.ChunkCache;
import io.skep.llap.server.cache.PinnedChunk;
import io.skep.storage.scan.RowGroup;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The columns of one row group on their way: those in the cache are pinned at once, the others are being loaded. */
final class RowGroupLoad implements AutoCloseable {
    private static final CompletableFuture<ChunkLoader.Loaded> NOTHING =
            CompletableFuture.completedFuture(ChunkLoader.Loaded.NOTHING);

    private final RowGroup rowGroup;
    private final Map<Integer, ColumnRows> cached = new HashMap<>();
    private final CompletableFuture<ChunkLoader.Loaded> loading;
    private final Runnable release;
    private boolean taken;
    private volatile boolean closed;

    /** @param release gives back what was reserved for the load; called once */
    RowGroupLoad(ChunkCache cache, ChunkLoader loader, ChunkLoader.Request request, Runnable release) {
        this.rowGroup = request.rowGroup();
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
        loading = missing.isEmpty() ? NOTHING : loader.load(request(request, missing));
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

    RowGroup rowGroup() {
        return rowGroup;
    }

    CompletableFuture<?> done() {
        return loading;
    }

    long hitBytes() {
        return cached.values().stream().mapToLong(ColumnRows::bytes).sum();
    }

    /** What was loaded; waits for it. */
    ChunkLoader.Loaded loaded() {
        return loading.join();
    }

    /** All columns; the caller closes them. Waits for the load. */
    Map<Integer, ColumnRows> take() {
        Map<Integer, ColumnRows> all = new HashMap<>(cached);
        all.putAll(loading.join().columns());
        taken = true;
        release.run();
        return all;
    }

    /** Lets go of what was not taken, now or when it has been loaded. */
    @Override
    public void close() {
        if (taken || closed) {
            return;
        }
        closed = true;
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
