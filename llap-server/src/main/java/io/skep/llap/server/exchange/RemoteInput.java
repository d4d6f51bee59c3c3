package io.skep.llap.server.exchange;

import io.skep.common.memory.MemoryPool;
import io.skep.common.query.QueryId;
import io.skep.common.vector.Batch;
import io.skep.engine.exchange.PageInput;
import io.skep.llap.client.OutputSource;
import io.skep.llap.client.PageStream;
import io.skep.llap.client.TaskAttemptId;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Another daemon's output as a task's input. The bytes of pages that may be in flight are reserved as long as it is
 * open. When memory is short, fewer bytes are reserved. When there is none, no bytes are reserved and one page arrives
 * at a time. Thread-safe, except for {@link #next}.
 */
public final class RemoteInput implements PageInput, PageStream {
    /** More would not make one stream faster, and there may be hundreds of streams. */
    static final long MAX_BYTES = 256 << 10;

    private static final long MIN_BYTES = 16 << 10;

    private final MemoryPool memory;
    private final AtomicLong reserved;
    private final PageStream stream;

    private RemoteInput(MemoryPool memory, long reserved, PageStream stream) {
        this.memory = memory;
        this.reserved = new AtomicLong(reserved);
        this.stream = stream;
    }

    /** @param memory account of pages in flight */
    public static RemoteInput open(
            MemoryPool memory, OutputSource holder, QueryId query, TaskAttemptId output, int partition) {
        long bytes = MAX_BYTES;
        while (bytes >= MIN_BYTES && !memory.tryReserve(bytes)) {
            bytes /= 2;
        }
        long reserved = bytes >= MIN_BYTES ? bytes : 0;
        try {
            // A window of one byte lets exactly one page through, because the first page is larger.
            return new RemoteInput(memory, reserved, holder.open(query, output, partition, Math.max(1, reserved)));
        } catch (RuntimeException e) {
            memory.release(reserved);
            throw e;
        }
    }

    @Override
    public CompletableFuture<Optional<Batch>> next() {
        CompletableFuture<Optional<Batch>> next = stream.next();
        return next.whenComplete((rows, failure) -> {
            if (failure != null || rows.isEmpty()) {
                release();
            }
        });
    }

    private void release() {
        memory.release(reserved.getAndSet(0));
    }

    @Override
    public void close() {
        stream.close();
        release();
    }
}
