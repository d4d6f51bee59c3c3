package io.skep.llap.server.exchange;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.memory.MemoryPool;
import io.skep.common.vector.Batch;
import io.skep.common.vector.NestedValues;
import io.skep.llap.server.executor.IoPool;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one partition as a sequence of batches, which each reader traverses at its own pace. A batch is in memory
 * while the budget allows, and in a file otherwise. Unless it is retained, a batch is dropped when all readers are past
 * it. A reader is past a batch when it requests the next one; until then it still uses the batch.
 *
 * <p>{@code lock} guards all fields and is never held over I/O or while futures complete.
 */
final class PartitionLog {
    /** Batches in the file above this size are reserved while a reader uses them. */
    private static final long LARGE_BYTES = 16 << 20;

    /** A batch with more text bytes is split, unless it has one row. */
    private static final long MAX_TEXT_BYTES = 8 << 20;

    /** The same limit for values in lists and maps. */
    private static final long MAX_NESTED_VALUES = 1 << 20;

    /** A batch. It is null when the rows are in the file, at the position. */
    private record Entry(@Nullable Batch batch, long bytes, long position) {}

    private final MemoryPool memory;
    private final SpilledRows spilled;
    private final IoPool io;
    private final LongConsumer buffered;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final List<Entry> entries = new ArrayList<>();

    @GuardedBy("lock")
    private final List<LogReader> readers = new ArrayList<>();

    private final AtomicLong addedBytes = new AtomicLong();

    @GuardedBy("lock")
    private long firstEntry;
    /**
     * The position up to which all readers have received every batch. Earlier batches do not count as buffered,
     * although some readers may still use them.
     */
    @GuardedBy("lock")
    private long firstBuffered;

    @GuardedBy("lock")
    private int expectedReaders = Integer.MAX_VALUE;

    @GuardedBy("lock")
    private boolean retained;

    @GuardedBy("lock")
    private boolean finished;

    @GuardedBy("lock")
    private boolean closed;

    @GuardedBy("lock")
    private @Nullable SkepException failure;

    /**
     * @param spilled stores rows for which memory has no room; the owner closes it after the log
     * @param buffered receives the changes of the unread bytes in memory, positive or negative
     */
    PartitionLog(MemoryPool memory, SpilledRows spilled, IoPool io, LongConsumer buffered) {
        this.memory = memory;
        this.spilled = spilled;
        this.io = io;
        this.buffered = buffered;
    }

    void begin(int readerCount, boolean retain) {
        lock.lock();
        try {
            expectedReaders = readerCount;
            retained = retain;
        } finally {
            lock.unlock();
        }
    }

    /** Opens a new reader at the first batch. */
    LogReader reader() {
        LogReader reader = new LogReader(this);
        lock.lock();
        try {
            if (firstEntry > 0 || closed) {
                SkepException gone = failure != null ? failure : gone();
                reader.fail(gone);
                return reader;
            }
            readers.add(reader);
            return reader;
        } finally {
            lock.unlock();
        }
    }

    private static SkepException gone() {
        return new SkepException(
                StandardErrorCode.INTERNAL_ERROR,
                "the output was opened by more readers than it is kept for, or after its end");
    }

    /** Whether no reader is left and none will come. */
    boolean abandoned() {
        lock.lock();
        try {
            return !retained
                    && readers.size() >= expectedReaders
                    && readers.stream().allMatch(LogReader::closed);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Adds rows. They go to disk when there is no memory. Rows with long values are split into batches of fewer rows.
     */
    void add(Batch source) {
        if (source.rowCount() > 1 && isLong(source)) {
            int half = source.rowCount() / 2;
            add(source.slice(0, half));
            add(source.slice(half, source.rowCount() - half));
            return;
        }
        Batch batch = BatchTrimmer.trim(source);
        addedBytes.addAndGet(batch.retainedBytes());
        if (addInMemory(batch)) {
            return;
        }
        append(new Entry(null, batch.retainedBytes(), spilled.add(batch)));
    }

    private static boolean isLong(Batch batch) {
        return BatchTrimmer.textBytes(batch) > MAX_TEXT_BYTES || NestedValues.bound(batch) > MAX_NESTED_VALUES;
    }

    /**
     * Adds rows if memory has room for them, and returns whether it has. The rows are discarded if the log has failed
     * or is closed. Does not wait for a disk.
     */
    boolean addInMemory(Batch batch) {
        long bytes = batch.retainedBytes();
        if (!memory.tryReserve(bytes)) {
            return false;
        }
        if (!append(new Entry(batch, bytes, 0))) {
            memory.release(bytes);
        }
        return true;
    }

    /** Appends a batch and serves waiting readers. Returns false when the log has failed or is closed. */
    private boolean append(Entry entry) {
        List<Runnable> deliveries;
        lock.lock();
        try {
            if (closed || failure != null) {
                return false;
            }
            entries.add(entry);
            if (entry.batch() != null) {
                buffered.accept(entry.bytes());
            }
            deliveries = deliveries();
            dropConsumed();
        } finally {
            lock.unlock();
        }
        deliveries.forEach(Runnable::run);
        return true;
    }

    /** Bytes of all added rows, read or not. */
    long addedBytes() {
        return addedBytes.get();
    }

    void finish() {
        settle(null);
    }

    void fail(SkepException reason) {
        settle(reason);
    }

    private void settle(@Nullable SkepException reason) {
        List<Runnable> deliveries;
        lock.lock();
        try {
            if (finished || failure != null) {
                return;
            }
            failure = reason;
            finished = true;
            deliveries = deliveries();
        } finally {
            lock.unlock();
        }
        deliveries.forEach(Runnable::run);
    }

    CompletableFuture<Optional<Batch>> next(LogReader reader) {
        CompletableFuture<Optional<Batch>> result = new CompletableFuture<>();
        Runnable delivery;
        lock.lock();
        try {
            reader.waiting = result;
            releaseCurrentBatch(reader);
            delivery = delivery(reader);
            dropConsumed();
        } finally {
            lock.unlock();
        }
        if (delivery != null) {
            delivery.run();
        }
        return result;
    }

    @GuardedBy("lock")
    private List<Runnable> deliveries() {
        List<Runnable> deliveries = new ArrayList<>();
        for (LogReader reader : readers) {
            Runnable delivery = delivery(reader);
            if (delivery != null) {
                deliveries.add(delivery);
            }
        }
        return deliveries;
    }

    /**
     * Returns an action that completes a reader's waiting call, to be run without the lock. Returns null when the call
     * keeps waiting.
     */
    @GuardedBy("lock")
    private @Nullable Runnable delivery(LogReader reader) {
        CompletableFuture<Optional<Batch>> waiting = reader.waiting;
        if (waiting == null) {
            return null;
        }
        SkepException problem = reader.failure != null ? reader.failure : failure;
        if (problem != null) {
            reader.waiting = null;
            return () -> waiting.completeExceptionally(problem);
        }
        if (reader.position - firstEntry < entries.size()) {
            reader.waiting = null;
            Entry entry = entries.get((int) (reader.position++ - firstEntry));
            reader.usesBatch = true;
            Batch batch = entry.batch();
            if (batch != null) {
                return () -> waiting.complete(Optional.of(batch));
            }
            try {
                reserve(reader, entry);
            } catch (SkepException e) {
                return () -> waiting.completeExceptionally(e);
            }
            return () -> readFromFile(entry.position(), waiting);
        }
        if (finished) {
            reader.waiting = null;
            return () -> waiting.complete(Optional.empty());
        }
        return null;
    }

    private void reserve(LogReader reader, Entry entry) {
        if (entry.bytes() > LARGE_BYTES) {
            memory.reserve(entry.bytes());
            reader.reservedBytes = entry.bytes();
        }
    }

    /** Marks the reader's current batch as no longer used. */
    private void releaseCurrentBatch(LogReader reader) {
        reader.usesBatch = false;
        if (reader.reservedBytes > 0) {
            memory.release(reader.reservedBytes);
            reader.reservedBytes = 0;
        }
    }

    private void readFromFile(long position, CompletableFuture<Optional<Batch>> waiting) {
        var _ = io.demand(() -> spilled.read(position)).whenComplete((batch, error) -> {
            if (error == null) {
                waiting.complete(Optional.of(batch));
            } else {
                waiting.completeExceptionally(error);
            }
        });
    }

    void readerClosed(LogReader reader) {
        Runnable delivery;
        lock.lock();
        try {
            reader.position = Long.MAX_VALUE;
            releaseCurrentBatch(reader);
            reader.failure = new SkepException(StandardErrorCode.OPERATION_CANCELED, "the reader is closed");
            delivery = delivery(reader);
            dropConsumed();
        } finally {
            lock.unlock();
        }
        if (delivery != null) {
            delivery.run();
        }
    }

    /** Drops the batches that every reader is past. */
    @GuardedBy("lock")
    private void dropConsumed() {
        if (retained || readers.size() < expectedReaders) {
            return;
        }
        long least = Long.MAX_VALUE;
        long given = firstEntry + entries.size();
        for (LogReader reader : readers) {
            least = Math.min(least, reader.usesBatch ? reader.position - 1 : reader.position);
            given = Math.min(given, reader.position);
        }
        for (; firstBuffered < given; firstBuffered++) {
            buffered.accept(-buffered(entries.get((int) (firstBuffered - firstEntry))));
        }
        dropConsumed((int) Math.min(entries.size(), Math.max(0, least - firstEntry)));
    }

    @GuardedBy("lock")
    private void dropConsumed(int count) {
        List<Entry> first = entries.subList(0, count);
        for (Entry entry : first) {
            memory.release(buffered(entry));
            if (firstEntry++ >= firstBuffered) {
                buffered.accept(-buffered(entry));
            }
        }
        firstBuffered = Math.max(firstBuffered, firstEntry);
        first.clear();
    }

    /** Returns the bytes of an entry that are in memory. */
    private static long buffered(Entry entry) {
        return entry.batch() == null ? 0 : entry.bytes();
    }

    /** Frees the memory. Readers fail. */
    void close(SkepException reason) {
        fail(reason);
        lock.lock();
        try {
            closed = true;
            if (failure == null) {
                failure = reason;
            }
            dropConsumed(entries.size());
            readers.forEach(this::releaseCurrentBatch);
        } finally {
            lock.unlock();
        }
    }
}
