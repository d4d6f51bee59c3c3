package io.skep.llap.server.read;

import io.skep.common.memory.MemoryPool;
import io.skep.common.vector.VectorArrays;
import io.skep.llap.server.cache.ChunkCache;
import io.skep.llap.server.cache.FileSchema;
import io.skep.llap.server.cache.ReaderCache;
import io.skep.llap.server.executor.IoPool;
import io.skep.storage.page.ColumnMapping;
import io.skep.storage.scan.ColumnChunkSource;
import io.skep.storage.scan.PageSource;
import io.skep.storage.scan.RowGroup;
import io.skep.storage.scan.RowGroupCursor;
import io.skep.storage.scan.RowGroupReader;
import io.skep.storage.scan.ScanFigures;
import io.skep.storage.table.Split;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The row groups of a split by way of the cache. The file is opened, and row groups that cannot match are struck off, on the
 * I/O pool unless the file is open already; while a row group is being worked on, the next ones are read ahead within the
 * pool's budget. Owned by one thread at a time.
 */
final class CachedChunkSource implements ColumnChunkSource {
    /** Row groups that are ready or on their way at once. */
    private static final int DEPTH = 3;

    /** What a value is taken to weigh before it has been read. */
    private static final long ASSUMED_VALUE_BYTES = 8;

    private static final long ASSUMED_ROWS = 50_000;

    /** The row groups to be read, and how many were struck off. */
    private record Selection(Iterator<RowGroup> rowGroups, int skipped) {}

    private final ChunkCache cache;
    private final ReaderCache readers;
    private final IoPool io;
    private final ChunkLoader loader;
    private final ColumnMapping mapping;
    private final Split split;
    private final FileSchema schema;
    private final String table;
    private final List<Integer> columns;
    private final MemoryPool memory;
    private final VectorArrays arrays;
    private final Deque<RowGroupLoad> loads = new ArrayDeque<>();
    private @Nullable CompletableFuture<Selection> opening;
    private @Nullable Selection selection;
    private @Nullable RowGroup postponed;
    private ScanFigures figures = ScanFigures.NONE;
    private volatile boolean closed;

    CachedChunkSource(
            ChunkCache cache,
            ReaderCache readers,
            IoPool io,
            ChunkLoader loader,
            FileSchema.Pool schemas,
            ColumnMapping mapping,
            String table,
            MemoryPool memory,
            VectorArrays arrays) {
        this.cache = cache;
        this.readers = readers;
        this.io = io;
        this.loader = loader;
        this.mapping = mapping;
        this.split = mapping.fileSplit();
        this.schema = schemas.of(split);
        this.table = table;
        this.columns = mapping.fileColumns();
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
        RowGroupLoad next = loads.peek();
        return next == null || next.done().isDone()
                ? PageSource.NOT_BLOCKED
                : next.done().handle((_, _) -> true);
    }

    private CompletableFuture<Selection> open() {
        CompletableFuture<Selection> known = opening;
        if (known == null) {
            if (mapping.empty()) {
                known = CompletableFuture.completedFuture(
                        new Selection(List.<RowGroup>of().iterator(), 1));
            } else if (readers.isOpen(split)) {
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
            int skipped = 0;
            for (RowGroup rowGroup : reader.rowGroups()) {
                if (rowGroup.offset() >= split.start() && rowGroup.offset() < split.start() + split.length()) {
                    if (reader.mayMatch(rowGroup, mapping.filePredicates())) {
                        chosen.add(rowGroup);
                    } else {
                        skipped++;
                    }
                }
            }
            return new Selection(chosen.iterator(), skipped);
        }
    }

    /** Starts loads until enough row groups are on their way: one in any case, more while the budget lasts. */
    private void fill(Selection opened) {
        if (selection == null) {
            selection = opened;
            figures = figures.plus(new ScanFigures(0, 0, opened.skipped(), 0, 0, 0, 0));
        }
        while (loads.size() < DEPTH
                && isSettled(loads.peekLast())
                && (postponed != null || opened.rowGroups().hasNext())) {
            RowGroup rowGroup = postponed == null ? opened.rowGroups().next() : postponed;
            postponed = null;
            boolean ahead = !loads.isEmpty();
            long bytes = ahead ? weight(rowGroup) : 0;
            if (ahead && !io.tryReserveAhead(bytes)) {
                postponed = rowGroup;
                return;
            }
            loads.add(new RowGroupLoad(cache, loader, request(rowGroup, ahead), () -> io.releaseAhead(bytes)));
        }
    }

    /** One read at a time for each split: formats read row groups in order much faster than side by side. */
    private static boolean isSettled(@Nullable RowGroupLoad last) {
        return last == null || last.done().isDone();
    }

    private long weight(RowGroup rowGroup) {
        long rows = rowGroup.rowCount() < 0 ? ASSUMED_ROWS : rowGroup.rowCount();
        return rows * Math.max(1, columns.size()) * ASSUMED_VALUE_BYTES;
    }

    private ChunkLoader.Request request(RowGroup rowGroup, boolean ahead) {
        boolean countOnly = columns.isEmpty() && rowGroup.rowCount() < 0;
        List<Integer> wanted = countOnly ? List.of(FileSchema.ROW_COUNT) : columns;
        return new ChunkLoader.Request(split, schema, table, rowGroup, wanted, this::test, ahead, () -> closed);
    }

    /** Made for each row group that is read, since most are found in the cache. */
    private RowTest test() {
        return RowTest.of(mapping.filePredicates(), split.fileColumns(), columns);
    }

    @Override
    public @Nullable RowGroupCursor nextRowGroup() {
        try {
            fill(open().join());
            RowGroupLoad load = loads.poll();
            return load == null ? null : cursor(load);
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    private RowGroupCursor cursor(RowGroupLoad load) {
        ChunkLoader.Loaded loaded;
        Map<Integer, ColumnRows> rows;
        try (load) {
            loaded = load.loaded();
            rows = load.take();
        }
        long missBytes =
                loaded.columns().values().stream().mapToLong(ColumnRows::bytes).sum();
        figures =
                figures.plus(new ScanFigures(0, 1, 0, loaded.bytesRead(), load.hitBytes(), missBytes, loaded.nanos()));
        try {
            return new CachedCursor(load.rowGroup(), rows, loaded.matches(), memory, arrays);
        } catch (RuntimeException e) {
            rows.values().forEach(ColumnRows::close);
            throw e;
        }
    }

    @Override
    public ScanFigures figures() {
        return figures;
    }

    @Override
    public void close() {
        closed = true;
        loads.forEach(RowGroupLoad::close);
        loads.clear();
    }
}
