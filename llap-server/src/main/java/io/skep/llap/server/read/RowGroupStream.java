package io.skep.llap.server.read;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.memory.MemoryPool;
import io.skep.common.memory.MemoryWait;
import io.skep.common.memory.ScratchMemory;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Vector;
import io.skep.llap.server.cache.ReaderCache;
import io.skep.llap.server.executor.IoPool;
import io.skep.storage.scan.BatchIterator;
import io.skep.storage.scan.RowGroup;
import io.skep.storage.scan.RowGroupCursor;
import io.skep.storage.scan.RowGroupReader;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A stream of a row group that is too large to be held as a whole. It is read in pieces of some megabytes and bypasses
 * the cache. A piece is read on the I/O pool when the previous one is used up. Owned by one thread at a time, which may
 * close it during a read.
 */
final class RowGroupStream implements AutoCloseable {
    private static final long PIECE_BYTES = 4 << 20;

    /** Maximum rows of a batch, because the rows may be long. */
    private static final int MAX_BATCH_ROWS = 256;

    /** Maximum batches of a piece, because batches without columns count as no bytes. */
    private static final int MAX_BATCHES = 4096;

    /**
     * Some rows of the row group.
     *
     * @param reservedBytes bytes reserved from the query's memory
     * @param bytesRead bytes read from the file
     */
    record Piece(Deque<Batch> batches, long reservedBytes, long bytesRead, long nanos) {}

    private final IoPool io;
    private final ChunkLoader loader;
    private final ChunkLoader.Request request;
    private final MemoryPool memory;
    private final int batchRows;
    private ScratchMemory buffers;
    private final List<Integer> columns;
    private ReaderCache.@Nullable Lease lease;
    private @Nullable BatchIterator batches;
    private @Nullable CompletableFuture<Piece> next;
    private boolean hasBuffers;

    /** Bytes reserved for the reader's buffers. */
    @GuardedBy("this")
    private long bufferBytes;

    /** Bytes reserved for a piece that has been read and not been taken. */
    @GuardedBy("this")
    private long reservedBytes;

    /** The request for bytes while other queries hold the memory. */
    @GuardedBy("this")
    private @Nullable MemoryWait wait;

    /** Held while bytes are reserved. The end waits for it, because the query's memory may be closed afterwards. */
    private final ReentrantLock reserving = new ReentrantLock();

    private volatile boolean closed;

    /**
     * @param memory account of the pieces
     * @param batchRows the upper limit of rows in a batch
     */
    RowGroupStream(IoPool io, ChunkLoader loader, ChunkLoader.Request request, MemoryPool memory, int batchRows) {
        this.io = io;
        this.loader = loader;
        this.request = request;
        this.memory = memory;
        this.batchRows = Math.min(batchRows, MAX_BATCH_ROWS);
        this.buffers = io.scratch(0);
        this.columns = request.fileColumns();
    }

    /**
     * Reads the next piece and waits for its memory, which other queries may hold. Before the first piece it waits for
     * the memory of the reader's buffers too. At the end a piece has no rows. Executors must not wait for the future:
     * those who hold the memory may need them.
     */
    CompletableFuture<Piece> next() {
        CompletableFuture<Piece> known = next;
        if (known == null) {
            CompletableFuture<?> ready = hasBuffers ? CompletableFuture.completedFuture(true) : reserveBuffers();
            known = ready.thenCompose(_ -> onIoThread(this::readReserved));
            next = known;
        }
        return known;
    }

    /** Returns a cursor over the next piece, which has been read. Returns null at the end. */
    @Nullable
    RowGroupCursor take(Piece piece) {
        next = null;
        synchronized (this) {
            reservedBytes = 0;
        }
        return piece.batches().isEmpty() ? null : new Cursor(request.rowGroup(), columns, piece, memory);
    }

    private CompletableFuture<?> reserveBuffers() {
        hasBuffers = true;
        return onIoThread(this::reserveNeeded);
    }

    /**
     * Runs work that reserves on an I/O thread, and completes as its result does. A thread that grants a request of
     * this or another stream must not wait for this object's locks, so it only queues the work.
     */
    private <T> CompletableFuture<T> onIoThread(Supplier<CompletableFuture<T>> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        var _ = io.demand(() -> {
                    var _ = work.get().whenComplete((value, error) -> {
                        if (error == null) {
                            result.complete(value);
                        } else {
                            result.completeExceptionally(error);
                        }
                    });
                    return true;
                })
                .whenComplete((_, error) -> {
                    if (error != null) {
                        result.completeExceptionally(error);
                    }
                });
        return result;
    }

    private CompletableFuture<Boolean> reserveNeeded() {
        long bytes = neededBuffers();
        return reserve(bytes).thenApply(_ -> takeBuffers(bytes));
    }

    private CompletableFuture<Piece> readReserved() {
        Piece piece = read();
        return reserve(piece.reservedBytes()).thenApply(_ -> piece);
    }

    private long neededBuffers() {
        if (closed) {
            throw nobodyWaits();
        }
        return columns.isEmpty()
                ? 0
                : loader.verified(request.split().file(), () -> open().bufferBytes(request.rowGroup(), columns));
    }

    private synchronized boolean takeBuffers(long bytes) {
        if (closed) {
            throw nobodyWaits();
        }
        bufferBytes = bytes;
        reservedBytes = 0;
        buffers = io.scratch(bytes);
        return true;
    }

    private Piece read() {
        if (closed) {
            throw nobodyWaits();
        }
        return buffers.within(() -> loader.verified(request.split().file(), this::readPiece));
    }

    private Piece readPiece() {
        long start = System.nanoTime();
        RowGroupReader reader = open();
        BatchIterator rows = batches;
        if (rows == null) {
            rows = reader.read(request.rowGroup(), columns, batchRows);
            batches = rows;
        }
        long before = reader.bytesRead();
        Deque<Batch> piece = new ArrayDeque<>();
        long bytes = 0;
        while (bytes < PIECE_BYTES && piece.size() < MAX_BATCHES && rows.hasNext()) {
            Batch batch = rows.next();
            // A count of 0 marks the end of a cursor.
            if (batch.rowCount() > 0) {
                piece.add(batch);
                bytes += batch.retainedBytes();
            }
        }
        // The reader's buffers stay in use between pieces. Nothing else remains of what was counted.
        buffers.settle(rows.retainedBytes());
        return new Piece(piece, bytes, reader.bytesRead() - before, System.nanoTime() - start);
    }

    /**
     * Reserves bytes of the query's memory, or waits for them. Such a request may end other requests, whose owners are
     * told on this thread. So this adds it without the lock of this object.
     */
    private CompletableFuture<?> reserve(long bytes) {
        MemoryWait made;
        reserving.lock();
        try {
            if (closed) {
                throw nobodyWaits();
            }
            made = memory.reserveOrWait(bytes).orElse(null);
            synchronized (this) {
                wait = made;
                reservedBytes = made == null ? bytes : 0;
            }
        } finally {
            reserving.unlock();
        }
        return made == null
                ? CompletableFuture.completedFuture(true)
                : made.done().handle((_, _) -> settled(made));
    }

    private synchronized boolean settled(MemoryWait made) {
        if (wait != made) {
            throw nobodyWaits();
        }
        wait = null;
        if (!made.isGranted()) {
            throw new IllegalStateException("the request for " + made.bytes() + " bytes has not ended");
        }
        reservedBytes = made.bytes();
        return true;
    }

    private CancellationException nobodyWaits() {
        return new CancellationException("nobody waits for " + request.rowGroup());
    }

    /** Returns a cursor without rows, for a caller that comes again when the next piece is there. */
    RowGroupCursor nothingYet() {
        return new Cursor(request.rowGroup(), columns, new Piece(new ArrayDeque<>(), 0, 0, 0), memory);
    }

    private RowGroupReader open() {
        ReaderCache.Lease held = lease;
        if (held == null) {
            held = loader.lease(request.split());
            lease = held;
        }
        return held.reader();
    }

    /** Releases everything that is open, immediately or after the running read. */
    @Override
    public void close() {
        long given;
        reserving.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            given = takeBack();
        } finally {
            reserving.unlock();
        }
        memory.release(given);
        CompletableFuture<Piece> running = next;
        if (running == null) {
            letGo();
        } else {
            var _ = running.whenComplete((_, _) -> letGo());
        }
    }

    /** Returns the bytes of a piece that was not taken, and withdraws a request. */
    private synchronized long takeBack() {
        MemoryWait pending = wait;
        wait = null;
        long given = reservedBytes;
        reservedBytes = 0;
        if (pending != null && pending.withdraw()) {
            given += pending.bytes();
        }
        return given;
    }

    private void letGo() {
        BatchIterator rows = batches;
        ReaderCache.Lease held = lease;
        try (ScratchMemory scratch = buffers) {
            if (rows != null) {
                scratch.run(rows::close);
            }
        } finally {
            memory.release(takeBufferBytes());
            if (held != null) {
                held.close();
            }
        }
    }

    private synchronized long takeBufferBytes() {
        long bytes = bufferBytes;
        bufferBytes = 0;
        return bytes;
    }

    /** Iterates over the batches of one piece. */
    private static final class Cursor implements RowGroupCursor {
        private final RowGroup rowGroup;
        private final List<Integer> columns;
        private final Piece piece;
        private final MemoryPool memory;
        private @Nullable Batch current;
        private boolean closed;

        Cursor(RowGroup rowGroup, List<Integer> columns, Piece piece, MemoryPool memory) {
            this.rowGroup = rowGroup;
            this.columns = columns;
            this.piece = piece;
            this.memory = memory;
        }

        @Override
        public RowGroup rowGroup() {
            return rowGroup;
        }

        @Override
        public int next() {
            current = piece.batches().poll();
            return current == null ? 0 : current.rowCount();
        }

        @Override
        public Vector column(int fileColumn) {
            Batch rows = current;
            int position = columns.indexOf(fileColumn);
            if (rows == null || position < 0) {
                throw new IllegalArgumentException("file column " + fileColumn + " is not read");
            }
            return rows.column(position);
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                memory.release(piece.reservedBytes());
            }
        }
    }
}
