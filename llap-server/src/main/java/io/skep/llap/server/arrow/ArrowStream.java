package io.skep.llap.server.arrow;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.Vector;
import io.skep.llap.client.PageStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.arrow.flight.FlightProducer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Sends rows to a reader as it takes them. A batch is asked for when the transport has room for it, and no thread waits
 * for the reader or for the rows. One batch at a time is in memory here, and one message of it outside the heap. A step
 * runs on one thread of the executor at a time, which owns the fields without a lock.
 */
public final class ArrowStream {
    /** What all streams of a process share: memory for their messages, and the threads of their steps. */
    public interface Place {
        BufferAllocator allocator();

        Executor executor();
    }

    /** A longer batch is sent in several messages. */
    private static final long MESSAGE_BYTES = 1 << 20;

    private final PageStream rows;
    private final List<SqlType> types;
    private final FlightProducer.ServerStreamListener listener;
    private final BufferAllocator allocator;
    private final VectorSchemaRoot root;
    private final Executor executor;
    private final Runnable onEnd;
    private final AtomicInteger signals = new AtomicInteger();

    private @Nullable CompletableFuture<Optional<Batch>> coming;
    private @Nullable Batch current;
    private int at;
    private int step;
    private boolean started;
    private boolean ended;

    @GuardedBy("this")
    private @Nullable SkepException failure;

    @GuardedBy("this")
    private long idleSince = System.nanoTime();

    @GuardedBy("this")
    private boolean waitsForReader;

    /**
     * @param rows closed with the stream
     * @param onEnd called once, after everything of the stream has been freed
     */
    public ArrowStream(
            PageStream rows,
            Schema schema,
            List<SqlType> types,
            FlightProducer.ServerStreamListener listener,
            Place place,
            Runnable onEnd) {
        this.rows = rows;
        this.types = List.copyOf(types);
        this.listener = listener;
        this.allocator = place.allocator()
                .newChildAllocator("stream", 0, place.allocator().getLimit());
        this.root = VectorSchemaRoot.create(schema, this.allocator);
        this.executor = place.executor();
        this.onEnd = onEnd;
    }

    /** Sends the schema, and then the rows as they come. Returns at once. */
    public void start() {
        listener.setOnCancelHandler(this::signal);
        listener.setOnReadyHandler(this::signal);
        signal();
    }

    /** Ends the stream with an error. */
    public void fail(SkepException reason) {
        synchronized (this) {
            failure = failure == null ? reason : failure;
        }
        signal();
    }

    /** Ends the stream when its reader has taken nothing for this time. */
    public void endIfIdle(Duration patience) {
        boolean idle;
        synchronized (this) {
            idle = waitsForReader && System.nanoTime() - idleSince >= patience.toNanos();
        }
        if (idle) {
            fail(new SkepException(
                    StandardErrorCode.TIME_LIMIT_EXCEEDED,
                    "The reader has taken no rows for " + patience.toSeconds() + " seconds"));
        }
    }

    private void signal() {
        if (signals.getAndIncrement() == 0) {
            executor.execute(this::run);
        }
    }

    private void run() {
        int seen = 1;
        do {
            seen = signals.get();
            try {
                advance();
            } catch (RuntimeException | Error e) {
                end(Optional.of(e));
            }
        } while (signals.addAndGet(-seen) != 0);
    }

    private void advance() {
        if (!started && !ended) {
            started = true;
            listener.start(root);
        }
        while (!ended) {
            SkepException reason = failure();
            if (listener.isCancelled() || reason != null) {
                end(Optional.ofNullable(reason));
                return;
            }
            if (!isReady()) {
                return;
            }
            if (current != null) {
                send(current);
                continue;
            }
            CompletableFuture<Optional<Batch>> next = coming;
            if (next == null) {
                next = rows.next();
                coming = next;
            }
            if (!next.isDone()) {
                var _ = next.whenComplete((_, _) -> signal());
                return;
            }
            coming = null;
            take(next.join());
        }
    }

    private synchronized @Nullable SkepException failure() {
        return failure;
    }

    private synchronized boolean isReady() {
        boolean ready = listener.isReady();
        if (ready || !waitsForReader) {
            idleSince = System.nanoTime();
        }
        waitsForReader = !ready;
        return ready;
    }

    private void take(Optional<Batch> next) {
        if (next.isEmpty()) {
            listener.completed();
            end(Optional.empty());
        } else if (next.get().rowCount() > 0) {
            current = flat(next.get());
            at = 0;
            step = rowsOfMessage(current);
        }
    }

    private static Batch flat(Batch batch) {
        return new Batch(batch.columns().stream().map(Vector::flatten).toList(), batch.rowCount());
    }

    private static int rowsOfMessage(Batch batch) {
        long bytes = 1;
        for (Vector column : batch.columns()) {
            bytes += column instanceof BytesVector texts ? bytes(texts) : column.retainedBytes();
        }
        return bytes <= MESSAGE_BYTES
                ? batch.rowCount()
                : (int) Math.max(1, (double) batch.rowCount() * MESSAGE_BYTES / bytes);
    }

    private static long bytes(BytesVector texts) {
        long bytes = 0;
        for (int row = 0; row < texts.length(); row++) {
            bytes += texts.isNull(row) ? 0 : texts.lengths()[row];
        }
        return bytes;
    }

    private void send(Batch batch) {
        int count = Math.min(step, batch.rowCount() - at);
        try {
            ArrowRows.write(batch.slice(at, count), types, root);
        } catch (OutOfMemoryException e) {
            throw new SkepException(
                            StandardErrorCode.MEMORY_LIMIT_EXCEEDED,
                            "there is no memory for rows to external readers: " + e.getMessage(),
                            e)
                    .withHint("raise skep.llap.external.max-memory");
        }
        listener.putNext();
        root.clear();
        at += count;
        if (at == batch.rowCount()) {
            current = null;
        }
    }

    private void end(Optional<Throwable> error) {
        if (ended) {
            return;
        }
        ended = true;
        current = null;
        try {
            if (error.isPresent() && !listener.isCancelled()) {
                listener.error(FlightErrors.of(error.get()));
            }
        } finally {
            rows.close();
            root.close();
            allocator.close();
            onEnd.run();
        }
    }
}
