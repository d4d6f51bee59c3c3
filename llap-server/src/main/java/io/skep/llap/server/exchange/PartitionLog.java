package io.skep.llap.server.exchange;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.memory.MemoryPool;
import io.skep.common.vector.Batch;
import io.skep.engine.spill.SpillFile;
import io.skep.engine.spill.SpillSpace;
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
 * The rows of one partition as a sequence of batches that each reader goes through at its own pace. A batch is in memory
 * while the budget allows and in a file otherwise; it is forgotten when all readers are past it, unless it is retained.
 *
 * <p>Locks: {@code lock} guards all fields and is never held over I/O or while futures complete; {@code writing} is held while
 * a batch is appended to the file, so that the file has its batches in the order of the entries.
 */
final class PartitionLog {
    /** A batch; null when it is the next one in the file. */
    private record Entry(@Nullable Batch batch, long bytes) {}

    private final MemoryPool memory;
    private final SpillSpace spill;
    private final IoPool io;
    private final LongConsumer buffered;
    private final ReentrantLock lock = new ReentrantLock();
    private final ReentrantLock writing = new ReentrantLock();
    private final List<Entry> entries = new ArrayList<>();
    private final List<LogReader> readers = new ArrayList<>();
    private final AtomicLong addedBytes = new AtomicLong();
    private long firstEntry;
    private int expectedReaders = Integer.MAX_VALUE;
    private boolean retained;
    private boolean finished;
    private boolean closed;
    private @Nullable SkepException failure;
    private @Nullable SpillFile file;

    /** @param buffered is told by how many bytes the unread rows in memory grow or shrink */
    PartitionLog(MemoryPool memory, SpillSpace spill, IoPool io, LongConsumer buffered) {
        this.memory = memory;
        this.spill = spill;
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

    /** A new reader, at the first batch. */
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

    /** No reader is left, or will come. */
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

    /** Adds rows, by way of the disk when there is no memory. */
    void add(Batch source) {
        Batch batch = BatchTrimmer.trim(source);
        addedBytes.addAndGet(batch.retainedBytes());
        if (addInMemory(batch)) {
            return;
        }
        writing.lock();
        try {
            fileForWriting().add(batch);
            append(new Entry(null, 0));
        } finally {
            writing.unlock();
        }
    }

    /** Adds rows if memory has room for them, or if nobody wants them; does not wait for a disk. */
    boolean addInMemory(Batch batch) {
        long bytes = batch.retainedBytes();
        if (!memory.tryReserve(bytes)) {
            return false;
        }
        if (!append(new Entry(batch, bytes))) {
            memory.release(bytes);
        }
        return true;
    }

    /** Called with {@code writing} held. */
    private SpillFile fileForWriting() {
        SpillFile open = file;
        if (open != null) {
            return open;
        }
        SpillFile created = spill.create("exchange");
        lock.lock();
        try {
            if (!closed) {
                file = created;
                return created;
            }
        } finally {
            lock.unlock();
        }
        created.close();
        throw new SkepException(StandardErrorCode.OPERATION_CANCELED, "the query has ended; nobody reads its rows");
    }

    /** False when nobody wants it. */
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
            forget();
        } finally {
            lock.unlock();
        }
        deliveries.forEach(Runnable::run);
        return true;
    }

    /** Bytes of all rows that came, read or not. */
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
            delivery = delivery(reader);
            forget();
        } finally {
            lock.unlock();
        }
        if (delivery != null) {
            delivery.run();
        }
        return result;
    }

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

    /** What completes a reader's waiting call, to be run without the lock; null when it goes on waiting. */
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
            Batch batch = entry.batch();
            if (batch != null) {
                return () -> waiting.complete(Optional.of(batch));
            }
            return () -> readFromFile(reader, waiting);
        }
        if (finished) {
            reader.waiting = null;
            return () -> waiting.complete(Optional.empty());
        }
        return null;
    }

    private void readFromFile(LogReader reader, CompletableFuture<Optional<Batch>> waiting) {
        var _ = io.demand(reader::readFile).whenComplete((batch, error) -> {
            if (error == null) {
                waiting.complete(Optional.of(batch));
            } else {
                waiting.completeExceptionally(error);
            }
        });
    }

    SpillFile.Reader fileReader() {
        lock.lock();
        try {
            SpillFile open = file;
            if (closed || open == null) {
                throw new SkepException(StandardErrorCode.OPERATION_CANCELED, "the query has ended; its rows are gone");
            }
            return open.read();
        } finally {
            lock.unlock();
        }
    }

    void readerClosed(LogReader reader) {
        Runnable delivery;
        lock.lock();
        try {
            reader.position = Long.MAX_VALUE;
            reader.failure = new SkepException(StandardErrorCode.OPERATION_CANCELED, "the reader is closed");
            delivery = delivery(reader);
            forget();
        } finally {
            lock.unlock();
        }
        if (delivery != null) {
            delivery.run();
        }
    }

    /** Drops what every reader is past. */
    private void forget() {
        if (retained || readers.size() < expectedReaders) {
            return;
        }
        long least = Long.MAX_VALUE;
        for (LogReader reader : readers) {
            least = Math.min(least, reader.position);
        }
        forget((int) Math.min(entries.size(), Math.max(0, least - firstEntry)));
    }

    private void forget(int count) {
        List<Entry> first = entries.subList(0, count);
        first.forEach(this::free);
        first.clear();
        firstEntry += count;
    }

    private void free(Entry entry) {
        if (entry.batch() != null) {
            memory.release(entry.bytes());
            buffered.accept(-entry.bytes());
        }
    }

    /** Frees memory and file; readers fail. */
    void close(SkepException reason) {
        fail(reason);
        SpillFile open;
        lock.lock();
        try {
            closed = true;
            if (failure == null) {
                failure = reason;
            }
            forget(entries.size());
            open = file;
        } finally {
            lock.unlock();
        }
        writing.lock();
        try {
            if (open != null) {
                open.close();
            }
        } finally {
            writing.unlock();
        }
    }
}
