package io.skep.llap.server.exchange;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.memory.MemoryPool;
import io.skep.common.vector.Batch;
import io.skep.engine.exchange.PageInput;
import io.skep.engine.operator.Failures;
import io.skep.engine.spill.SpillSpace;
import io.skep.llap.client.PageStream;
import io.skep.llap.server.executor.IoPool;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A copy of another daemon's output. Incoming rows are added to a log, which tasks of this daemon read from its
 * beginning. Guarded by itself; no other code is called with the lock held.
 */
final class BroadcastCopy {
    private final PartitionLog log;
    private final SpilledRows spilled;
    private final IoPool io;
    private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();

    @GuardedBy("this")
    private @Nullable PageStream stream;

    @GuardedBy("this")
    private boolean adding;

    @GuardedBy("this")
    private boolean closed;

    BroadcastCopy(MemoryPool memory, SpillSpace spill, IoPool io) {
        this.spilled = new SpilledRows(spill);
        this.log = new PartitionLog(memory, spilled, io, _ -> {});
        this.io = io;
        log.begin(Integer.MAX_VALUE, true);
    }

    /** Opens a reader at the first rows. */
    PageInput reader() {
        return log.reader();
    }

    /** Reads the stream to its end. Called once. */
    void fetch(PageStream source) {
        boolean late;
        synchronized (this) {
            stream = source;
            late = closed;
        }
        if (late) {
            source.close();
            return;
        }
        take(source);
    }

    /** Reads batches. A loop handles those that are available at once, because a stream may have any number of them. */
    private void take(PageStream source) {
        boolean more = true;
        while (more) {
            CompletableFuture<Optional<Batch>> next = source.next();
            if (!next.isDone()) {
                var _ = next.whenComplete((rows, failure) -> {
                    if (arrived(source, rows, failure)) {
                        take(source);
                    }
                });
                return;
            }
            more = next.handle((rows, failure) -> arrived(source, rows, failure))
                    .join();
        }
    }

    /** Handles the next batch. Returns whether to request another one immediately. */
    private boolean arrived(PageStream source, Optional<Batch> rows, @Nullable Throwable failure) {
        if (failure != null) {
            close(Failures.asSkepException(failure));
            return false;
        }
        if (rows.isEmpty()) {
            log.finish();
            source.close();
            return false;
        }
        synchronized (this) {
            if (closed) {
                return false;
            }
            adding = true;
        }
        if (log.addInMemory(rows.get())) {
            return added(null);
        }
        // The rows go to disk, on a thread that may wait for it.
        var _ = io.demand(() -> {
                    log.add(rows.get());
                    return true;
                })
                .whenComplete((_, error) -> {
                    if (added(error)) {
                        take(source);
                    }
                });
        return false;
    }

    /** Finishes the addition of a batch. Returns whether to request another one. */
    private boolean added(@Nullable Throwable failure) {
        boolean over;
        synchronized (this) {
            adding = false;
            over = closed;
        }
        if (over) {
            ended.complete(null);
            return false;
        }
        if (failure != null) {
            close(Failures.asSkepException(failure));
            return false;
        }
        return true;
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** Completes when the copy is closed and no addition is in progress. Never fails. */
    CompletableFuture<@Nullable Void> ended() {
        return ended;
    }

    /** Stops the fetching and frees the rows. Readers fail with the reason. */
    void close(SkepException reason) {
        PageStream open;
        boolean idle;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            open = stream;
            idle = !adding;
        }
        log.close(reason);
        spilled.close();
        if (open != null) {
            open.close();
        }
        if (idle) {
            ended.complete(null);
        }
    }
}
