package io.skep.llap.server.read;

import io.skep.common.memory.ScratchMemory;
import io.skep.common.vector.Batch;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.llap.server.cache.ChunkCache;
import io.skep.llap.server.cache.ChunkKey;
import io.skep.llap.server.cache.FileSchema;
import io.skep.llap.server.cache.MissCause;
import io.skep.llap.server.cache.PinnedChunk;
import io.skep.llap.server.cache.ReaderCache;
import io.skep.llap.server.chunk.ChunkEncoder;
import io.skep.llap.server.chunk.ChunkTooLargeException;
import io.skep.llap.server.executor.IoPool;
import io.skep.storage.scan.BatchIterator;
import io.skep.storage.scan.RowGroup;
import io.skep.storage.scan.RowGroupReader;
import io.skep.storage.table.FileVersion;
import io.skep.storage.table.Split;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads columns of row groups on the I/O pool, from the cache's second tier or from their files. It encodes them and
 * stores them in the cache. Two queries that need the same chunk at the same time read it once. Thread-safe.
 */
final class ChunkLoader {
    /** The limit on the bytes of a row group's columns that are passed on without being encoded. */
    private static final long MAX_PLAIN_BYTES = 1 << 20;

    /** Small vectors are accounted for together, in units of this size. */
    private static final long COUNT_STEP = 1 << 20;

    /** Columns that are larger than this, and too large for the cache, are not encoded. */
    private static final long MIN_LIMIT_BYTES = 16 << 20;

    private final ChunkCache cache;
    private final ReaderCache readers;
    private final IoPool io;
    private final Consumer<FileVersion> verifier;
    private final InstantSource clock;
    private final LateMaterialization filterFirst = new LateMaterialization();
    private final Map<ChunkKey, CompletableFuture<@Nullable Void>> inFlight = new ConcurrentHashMap<>();

    ChunkLoader(ChunkCache cache, ReaderCache readers, IoPool io, Consumer<FileVersion> verifier, InstantSource clock) {
        this.cache = cache;
        this.readers = readers;
        this.io = io;
        this.verifier = verifier;
        this.clock = clock;
    }

    /**
     * What to read.
     *
     * @param schema how the file is decoded
     * @param columns ordinals of file columns, or {@link FileSchema#ROW_COUNT}
     * @param tests returns the test of the row group's rows, which may use other columns too
     * @param unwanted true when no caller waits for the result any more
     */
    record Request(
            Split split,
            FileSchema schema,
            String table,
            RowGroup rowGroup,
            List<Integer> columns,
            Supplier<RowGroupFilter> tests,
            boolean ahead,
            BooleanSupplier unwanted) {
        ChunkKey key(int column) {
            return new ChunkKey(split.file(), schema.column(column), rowGroup.index());
        }

        /** Excludes {@link FileSchema#ROW_COUNT}, which is counted and not read. */
        List<Integer> fileColumns() {
            return columns.stream()
                    .filter(column -> column != FileSchema.ROW_COUNT)
                    .toList();
        }

        Request only(List<Integer> some) {
            return new Request(split, schema, table, rowGroup, some, tests, ahead, unwanted);
        }
    }

    /**
     * The result of a load. Its receiver closes the columns.
     *
     * @param bytesRead bytes read from the file
     * @param matches false when no row can match; columns may be missing then
     */
    record Loaded(Map<Integer, ColumnRows> columns, long bytesRead, long nanos, boolean matches) {
        static final Loaded NOTHING = new Loaded(Map.of(), 0, 0, true);

        Loaded plus(Loaded other) {
            Map<Integer, ColumnRows> all = new HashMap<>(columns);
            all.putAll(other.columns);
            return new Loaded(all, bytesRead + other.bytesRead, nanos + other.nanos, matches && other.matches);
        }

        void close() {
            columns.values().forEach(ColumnRows::close);
        }
    }

    CompletableFuture<Loaded> load(Request request) {
        List<Integer> own = new ArrayList<>();
        List<Integer> others = new ArrayList<>();
        List<CompletableFuture<?>> waits = new ArrayList<>();
        CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
        for (int column : request.columns()) {
            CompletableFuture<@Nullable Void> running = inFlight.putIfAbsent(request.key(column), done);
            if (running == null) {
                own.add(column);
            } else {
                others.add(column);
                waits.add(running);
            }
        }
        CompletableFuture<Loaded> mine =
                own.isEmpty() ? CompletableFuture.completedFuture(Loaded.NOTHING) : read(request.only(own), done);
        if (others.isEmpty()) {
            return mine;
        }
        CompletableFuture<?> theirs = CompletableFuture.allOf(waits.toArray(CompletableFuture<?>[]::new));
        return theirs.thenCompose(_ -> mine).thenCompose(loaded -> addOthers(request.only(others), loaded));
    }

    /** Adds the columns that other loads have put in the cache. Columns that are still missing are read after all. */
    private CompletableFuture<Loaded> addOthers(Request request, Loaded loaded) {
        Map<Integer, ColumnRows> found = new HashMap<>();
        List<Integer> missing = new ArrayList<>();
        lookUp(request, found, missing);
        Loaded sofar = loaded.plus(new Loaded(found, 0, 0, true));
        if (missing.isEmpty() || !sofar.matches()) {
            return CompletableFuture.completedFuture(sofar);
        }
        return load(request.only(missing)).handle((rest, error) -> {
            if (error != null) {
                sofar.close();
                throw error instanceof RuntimeException e ? e : new IllegalStateException(error);
            }
            return sofar.plus(rest);
        });
    }

    private CompletableFuture<Loaded> read(Request request, CompletableFuture<@Nullable Void> done) {
        CompletableFuture<Loaded> result =
                request.ahead() ? io.ahead(() -> readNow(request)) : io.demand(() -> readNow(request));
        return result.whenComplete((loaded, error) -> {
            request.columns().forEach(column -> inFlight.remove(request.key(column), done));
            done.complete(null);
        });
    }

    private Loaded readNow(Request request) {
        if (request.unwanted().getAsBoolean()) {
            throw new CancellationException("nobody waits for " + request.rowGroup());
        }
        Map<Integer, ColumnRows> columns = new HashMap<>();
        List<Integer> missing = new ArrayList<>();
        try {
            lookUp(request, columns, missing);
            missing = restore(request.only(missing), columns);
            return missing.isEmpty() ? new Loaded(columns, 0, 0, true) : readMissing(request.only(missing), columns);
        } catch (RuntimeException | Error e) {
            columns.values().forEach(ColumnRows::close);
            throw e;
        }
    }

    /**
     * Finds columns that have entered the cache between the lookup that missed them and the entry into
     * {@code inFlight}.
     */
    private void lookUp(Request request, Map<Integer, ColumnRows> found, List<Integer> missing) {
        for (int column : request.columns()) {
            Optional<PinnedChunk> chunk = cache.contains(request.key(column))
                    ? cache.get(request.key(column), request.table())
                    : Optional.empty();
            if (chunk.isPresent()) {
                found.put(column, new ColumnRows.Cached(chunk.get()));
            } else {
                missing.add(column);
            }
        }
    }

    /** Restores columns from the second tier, and returns those that it does not contain. */
    private List<Integer> restore(Request request, Map<Integer, ColumnRows> found) {
        List<Integer> missing = new ArrayList<>();
        for (int column : request.columns()) {
            ChunkKey key = request.key(column);
            Optional<byte[]> bytes = cache.restore(key, request.table());
            if (bytes.isPresent()) {
                boolean kept = cache.admits(key, request.table());
                found.put(column, kept ? place(request, column, bytes.get()) : new ColumnRows.OnHeap(bytes.get()));
            } else {
                missing.add(column);
            }
        }
        return missing;
    }

    /**
     * Where it pays, reads the test's columns first, and the others only if rows are left. Otherwise reads all at once.
     */
    private Loaded readMissing(Request request, Map<Integer, ColumnRows> columns) {
        long start = System.nanoTime();
        RowGroupFilter test = request.tests().get();
        List<Integer> later = request.columns().stream()
                .filter(column -> !test.columns().contains(column))
                .toList();
        boolean tested = test != RowGroupFilter.NONE;
        boolean inTwo = tested && !later.isEmpty() && filterFirst.pays(request.table(), test);
        List<Integer> first = inTwo
                ? request.columns().stream().filter(test.columns()::contains).toList()
                : request.columns();
        try (ReaderCache.Lease lease = lease(request.split())) {
            RowGroupReader reader = lease.reader();
            long before = reader.bytesRead();
            readColumns(reader, request.only(first), columns);
            boolean matches = !tested || matches(request, test, columns);
            if (inTwo && matches) {
                readColumns(reader, request.only(later), columns);
            }
            return new Loaded(columns, reader.bytesRead() - before, System.nanoTime() - start, matches);
        }
    }

    /** Whether rows are left. Uses the loaded columns, and columns of the test that were already in the cache. */
    private boolean matches(Request request, RowGroupFilter test, Map<Integer, ColumnRows> loaded) {
        Map<Integer, ColumnRows> all = new HashMap<>(loaded);
        List<PinnedChunk> others = new ArrayList<>();
        try {
            for (int column : test.columns()) {
                Optional<PinnedChunk> other =
                        all.containsKey(column) ? Optional.empty() : cache.peek(request.key(column));
                if (other.isPresent()) {
                    others.add(other.get());
                    all.put(column, new ColumnRows.Cached(other.get()));
                }
            }
            boolean matches = test.mayMatch(all);
            filterFirst.found(request.table(), test, matches);
            return matches;
        } finally {
            others.forEach(PinnedChunk::close);
        }
    }

    private void readColumns(RowGroupReader reader, Request request, Map<Integer, ColumnRows> columns) {
        if (request.columns().isEmpty()) {
            return;
        }
        FileVersion file = request.split().file();
        boolean settled = file.settledAt(clock.millis());
        for (List<Integer> some : WideReads.groups(request.rowGroup(), request.columns())) {
            Request part = request.only(some);
            Map<Integer, List<Vector>> parts = verified(file, () -> batches(reader, part));
            Set<Integer> plain = settled ? plain(part, parts) : unsettled(part, parts);
            parts.forEach((column, vectors) -> columns.put(
                    column, plain.contains(column) ? new ColumnRows.Plain(vectors) : keep(part, column, vectors)));
            ScratchMemory.discount(SmallVectors.bytes(parts.values()));
        }
    }

    /** Whether {@link #lease} returns at once, because the file is open already. */
    boolean isOpen(Split split) {
        return readers.isOpen(split);
    }

    /** Leases the open file of a split. May wait for the disk. */
    ReaderCache.Lease lease(Split split) {
        try {
            return readers.lease(split);
        } catch (RuntimeException e) {
            verifier.accept(split.file());
            throw e;
        }
    }

    /** Calls a reader's user with the open file of a split. May wait for the disk. */
    void use(Split split, Consumer<RowGroupReader> user) {
        boolean _ = verified(split.file(), () -> {
            try (ReaderCache.Lease lease = lease(split)) {
                user.accept(lease.reader());
                return true;
            }
        });
    }

    /**
     * Returns what was read, if the file was the expected version the whole time.
     *
     * @throws io.skep.common.error.SkepException if the file was changed; this takes precedence over the error that the
     *     change caused in a reader
     */
    <T> T verified(FileVersion file, Supplier<T> read) {
        T result;
        try {
            result = read.get();
        } catch (RuntimeException e) {
            verifier.accept(file);
            throw e;
        }
        verifier.accept(file);
        return result;
    }

    private static Map<Integer, List<Vector>> batches(RowGroupReader reader, Request request) {
        List<Integer> columns = request.fileColumns();
        Map<Integer, List<Vector>> parts = new HashMap<>();
        request.columns().forEach(column -> parts.put(column, new ArrayList<>()));
        long rows = 0;
        long uncounted = 0;
        try (BatchIterator batches = reader.read(request.rowGroup(), columns)) {
            while (batches.hasNext()) {
                Batch batch = batches.next();
                rows += batch.rowCount();
                uncounted += SmallVectors.bytes(batch);
                if (uncounted >= COUNT_STEP) {
                    ScratchMemory.count(uncounted);
                    uncounted = 0;
                }
                for (int i = 0; i < columns.size(); i++) {
                    parts.getOrDefault(columns.get(i), List.of()).add(batch.column(i));
                }
            }
        }
        if (columns.size() < request.columns().size()) {
            parts.put(FileSchema.ROW_COUNT, List.of(new LongVector(new long[] {rows}, null, 1)));
        }
        return parts;
    }

    /**
     * Returns the columns that the cache does not admit yet, which are passed on as they were read. If they use much
     * memory, none are passed on and all are encoded, because the cache may have room for them.
     */
    private Set<Integer> plain(Request request, Map<Integer, List<Vector>> parts) {
        Set<Integer> plain = new HashSet<>();
        long bytes = 0;
        for (Map.Entry<Integer, List<Vector>> column : parts.entrySet()) {
            if (!cache.admits(request.key(column.getKey()), request.table())) {
                plain.add(column.getKey());
                bytes += column.getValue().stream()
                        .mapToLong(Vector::retainedBytes)
                        .sum();
            }
        }
        return bytes > MAX_PLAIN_BYTES ? Set.of() : plain;
    }

    private Set<Integer> unsettled(Request request, Map<Integer, List<Vector>> parts) {
        parts.keySet().forEach(column -> cache.noteBypass(request.key(column), MissCause.NOT_SETTLED));
        return parts.keySet();
    }

    private ColumnRows keep(Request request, int column, List<Vector> parts) {
        if (parts.isEmpty()) {
            return new ColumnRows.Plain(parts);
        }
        long bytes = parts.stream().mapToLong(Vector::retainedBytes).sum();
        ScratchMemory.count(bytes);
        try {
            return place(request, column, ChunkEncoder.encode(parts, Math.max(MIN_LIMIT_BYTES, cache.largestChunk())));
        } catch (ChunkTooLargeException e) {
            cache.noteBypass(request.key(column), MissCause.TOO_LARGE);
            return new ColumnRows.Plain(parts);
        } finally {
            ScratchMemory.discount(bytes);
        }
    }

    private ColumnRows place(Request request, int column, byte[] encoded) {
        Optional<PinnedChunk> pinned = cache.put(request.key(column), request.table(), encoded);
        return pinned.isPresent() ? new ColumnRows.Cached(pinned.get()) : new ColumnRows.OnHeap(encoded);
    }
}
