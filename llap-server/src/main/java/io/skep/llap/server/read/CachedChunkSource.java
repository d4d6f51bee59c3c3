package io.skep.llap.server.read;

import io.skep.common.memory.MemoryPool;
import io.skep.common.vector.VectorArrays;
import io.skep.llap.server.cache.ChunkCache;
import io.skep.llap.server.cache.FileSchema;
import io.skep.llap.server.cache.MissCause;
import io.skep.llap.server.cache.ReaderCache;
import io.skep.llap.server.executor.IoPool;
import io.skep.storage.acid.AcidRows;
import io.skep.storage.page.ColumnMapping;
import io.skep.storage.scan.ColumnChunkSource;
import io.skep.storage.scan.PageSource;
import io.skep.storage.scan.RowGroup;
import io.skep.storage.scan.RowGroupCursor;
import io.skep.storage.scan.RowGroupReader;
import io.skep.storage.scan.ScanStats;
import io.skep.storage.table.Split;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the row groups of a split through the cache. It opens the file and prunes row groups that cannot match. This
 * happens on the I/O pool, unless the file is already open. While one row group is processed, the next ones are read
 * ahead within the pool's budget. Owned by one thread at a time.
 */
final class CachedChunkSource implements ColumnChunkSource {
    /** The maximum number of row groups that are loaded or being loaded. */
    private static final int DEPTH = 3;

    /** The approximate memory per file byte after decompression and decoding. */
    private static final long UNPACKED_PARTS = 8;

    /** The assumed size of a value that has not been read yet. */
    private static final long ASSUMED_VALUE_BYTES = 8;

    private static final long ASSUMED_ROWS = 50_000;

    /**
     * The row groups that will be read.
     *
     * @param large row groups that would use too much memory as a whole
     * @param skipped number of row groups that were pruned
     */
    private record Selection(Iterator<RowGroup> rowGroups, Set<RowGroup> large, int skipped) {}

    private final ChunkCache cache;
    private final IoPool io;
    private final ChunkLoader loader;
    private final ColumnMapping mapping;
    private final Split split;
    private final FileSchema schema;
    private final String table;
    private final List<Integer> columns;
    private final int batchRows;
    private final MemoryPool memory;
    private final VectorArrays arrays;
    private final Deque<RowGroupLoad> loads = new ArrayDeque<>();
    private @Nullable CompletableFuture<Selection> opening;
    private @Nullable Selection selection;
    private @Nullable RowGroup postponed;
    private int depth = DEPTH;
    private @Nullable RowGroupStream stream;
    private ScanStats stats = ScanStats.NONE;
    private volatile boolean closed;

    CachedChunkSource(
            ChunkCache cache,
            IoPool io,
            ChunkLoader loader,
            FileSchema.Pool schemas,
            ColumnMapping mapping,
            String table,
            MemoryPool memory,
            VectorArrays arrays) {
        this.cache = cache;
        this.io = io;
        this.loader = loader;
        this.mapping = mapping;
        this.split = mapping.fileSplit();
        this.schema = schemas.of(split);
        this.table = table;
        this.columns = mapping.fileColumns();
        this.batchRows = mapping.batchRows();
        this.memory = memory;
        this.arrays = arrays;
    }

    @Override
    public CompletableFuture<?> ready() {
        CompletableFuture<Selection> open = open();
        if (!open.isDone()) {
            return open;
        }
        if (open.isCompletedExceptionally()) {
            return PageSource.NOT_BLOCKED;
        }
        fill(open.join());
        RowGroupLoad next = first();
        RowGroupStream pieces = stream;
        if (pieces != null) {
            return pieces.next().isDone()
                    ? PageSource.NOT_BLOCKED
                    : pieces.next().handle((_, _) -> true);
        }
        return next == null || next.done().isDone()
                ? PageSource.NOT_BLOCKED
                : next.done().handle((_, _) -> true);
    }

    private CompletableFuture<Selection> open() {
        CompletableFuture<Selection> known = opening;
        if (known == null) {
            if (mapping.empty()) {
                known = CompletableFuture.completedFuture(
                        new Selection(List.<RowGroup>of().iterator(), Set.of(), 1));
            } else if (loader.isOpen(split)
                    && mapping.acidRows().filter(AcidRows::readsFiles).isEmpty()) {
                known = CompletableFuture.completedFuture(select());
            } else {
                known = io.demand(this::selectIfWanted);
            }
            opening = known;
        }
        return known;
    }

    private Selection selectIfWanted() {
        if (closed) {
            throw new CancellationException("nobody waits for " + split.file().path());
        }
        return select();
    }

    private Selection select() {
        try (ReaderCache.Lease lease = loader.lease(split)) {
            RowGroupReader reader = lease.reader();
            List<RowGroup> chosen = new ArrayList<>();
            Set<RowGroup> large = new HashSet<>();
            int skipped = 0;
            for (RowGroup rowGroup : reader.rowGroups()) {
                if (rowGroup.offset() >= split.start() && rowGroup.offset() < split.start() + split.length()) {
                    if (reader.mayMatch(rowGroup, mapping.filePredicates())) {
                        boolean first = chosen.isEmpty();
                        mapping.acidRows().ifPresent(rows -> prepare(rows, reader, rowGroup, first));
                        chosen.add(rowGroup);
                        if (!columns.isEmpty() && reader.wholeFileBytes(rowGroup) > io.wholeBytes() / UNPACKED_PARTS) {
                            large.add(rowGroup);
                        }
                    } else {
                        skipped++;
                    }
                }
            }
            return new Selection(chosen.iterator(), large, skipped);
        }
    }

    private static void prepare(AcidRows rows, RowGroupReader reader, RowGroup rowGroup, boolean first) {
        if (first) {
            rows.load(reader);
        }
        rows.prepare(reader, rowGroup);
    }

    /**
     * Starts loads until enough row groups are in progress. It starts one in any case, and more while the budget lasts.
     */
    private void fill(Selection opened) {
        if (stream != null) {
            return;
        }
        if (selection == null) {
            selection = opened;
            stats = stats.plus(new ScanStats(0, 0, opened.skipped(), 0, 0, 0, 0));
        }
        while (loads.size() < depth
                && isSettled(loads.peekLast())
                && (postponed != null || opened.rowGroups().hasNext())) {
            RowGroup rowGroup = postponed == null ? opened.rowGroups().next() : postponed;
            postponed = null;
            boolean ahead = !loads.isEmpty();
            if (opened.large().contains(rowGroup)) {
                if (ahead) {
                    postponed = rowGroup;
                } else {
                    startStream(rowGroup);
                }
                return;
            }
            long bytes = ahead ? weight(rowGroup) : 0;
            if (ahead && !io.tryReserveAhead(bytes)) {
                postponed = rowGroup;
                return;
            }
            loads.add(new RowGroupLoad(cache, loader, request(rowGroup, ahead), memory, () -> io.releaseAhead(bytes)));
        }
    }

    /**
     * Returns the load of the rows that are needed next, or null while a row group is streamed. If a load ahead found
     * no memory, it is restarted as a load that a caller waits for, and reading ahead stops. So rows that are not
     * needed yet cannot fail a query. A row group for which there is no memory even then is streamed.
     */
    private @Nullable RowGroupLoad first() {
        RowGroupLoad load = loads.peek();
        if (stream != null || load == null || !load.done().isDone() || !load.failedForMemory()) {
            return stream == null ? load : null;
        }
        depth = 1;
        loads.remove();
        load.close();
        if (!load.isAhead()) {
            startStream(load.rowGroup());
            return null;
        }
        RowGroupLoad again = new RowGroupLoad(cache, loader, request(load.rowGroup(), false), memory, () -> {});
        loads.addFirst(again);
        return again;
    }

    private void startStream(RowGroup rowGroup) {
        ChunkLoader.Request request = request(rowGroup, false);
        request.columns().forEach(column -> cache.noteBypass(request.key(column), MissCause.TOO_LARGE));
        stats = stats.plus(new ScanStats(0, 1, 0, 0, 0, 0, 0));
        stream = new RowGroupStream(io, loader, request, memory, batchRows);
    }

    private @Nullable RowGroupCursor nextPiece(RowGroupStream pieces) {
        RowGroupStream.Piece piece = pieces.next().join();
        stats = stats.plus(new ScanStats(0, 0, 0, piece.bytesRead(), 0, piece.reservedBytes(), piece.nanos()));
        return pieces.take(piece);
    }

    /**
     * Whether the last load is done. Each split has one read at a time, because formats read row groups much faster in
     * order than in parallel.
     */
    private static boolean isSettled(@Nullable RowGroupLoad last) {
        return last == null || last.done().isDone();
    }

    private long weight(RowGroup rowGroup) {
        long rows = rowGroup.rowCount() < 0 ? ASSUMED_ROWS : rowGroup.rowCount();
        return rows * Math.max(1, columns.size()) * ASSUMED_VALUE_BYTES;
    }

    private ChunkLoader.Request request(RowGroup rowGroup, boolean ahead) {
        boolean countOnly = columns.isEmpty() && rowGroup.rowCount() < 0;
        List<Integer> wanted = countOnly ? List.of(FileSchema.ROW_COUNT) : wanted(rowGroup);
        return new ChunkLoader.Request(split, schema, table, rowGroup, wanted, this::test, ahead, () -> closed);
    }

    private List<Integer> wanted(RowGroup rowGroup) {
        List<Integer> more =
                mapping.acidRows().map(rows -> rows.columns(rowGroup)).orElse(List.of());
        if (more.isEmpty()) {
            return columns;
        }
        List<Integer> all = new ArrayList<>(columns);
        all.addAll(more);
        return all;
    }

    /** Created for each row group that is read, because most are found in the cache. */
    private RowGroupFilter test() {
        return RowGroupFilter.of(mapping.filePredicates(), split.fileColumns(), columns);
    }

    @Override
    public @Nullable RowGroupCursor nextRowGroup() {
        try {
            while (true) {
                fill(open().join());
                RowGroupLoad load = first();
                RowGroupStream pieces = stream;
                if (pieces != null) {
                    if (!pieces.next().isDone()) {
                        return pieces.nothingYet();
                    }
                    RowGroupCursor piece = nextPiece(pieces);
                    if (piece != null) {
                        return piece;
                    }
                    pieces.close();
                    stream = null;
                } else if (load == null) {
                    return null;
                } else if (!load.failedForMemory()) {
                    if (load.tryReserve()) {
                        return cursor(loads.remove());
                    }
                    depth = 1;
                    loads.remove();
                    load.close();
                    startStream(load.rowGroup());
                }
            }
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    private RowGroupCursor cursor(RowGroupLoad load) {
        ChunkLoader.Loaded loaded;
        Map<Integer, ColumnRows> rows;
        long heapBytes;
        try (load) {
            loaded = load.loaded();
            heapBytes = load.reservedBytes();
            rows = load.take();
        }
        long missBytes =
                loaded.columns().values().stream().mapToLong(ColumnRows::bytes).sum();
        stats = stats.plus(new ScanStats(0, 1, 0, loaded.bytesRead(), load.hitBytes(), missBytes, loaded.nanos()));
        return new CachedCursor(load.rowGroup(), rows, loaded.matches(), memory, heapBytes, arrays, batchRows);
    }

    @Override
    public ScanStats stats() {
        return stats;
    }

    @Override
    public void close() {
        closed = true;
        RowGroupStream pieces = stream;
        if (pieces != null) {
            pieces.close();
        }
        loads.forEach(RowGroupLoad::close);
        loads.clear();
    }
}
