package io.skep.llap.server.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.llap.client.PageStream;
import io.skep.llap.client.rpc.PageCodec;
import io.skep.llap.client.wire.PageFrame;
import io.skep.llap.client.wire.PageRequest;
import io.skep.llap.server.LlapDaemon;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Sends one output partition to its reader. A page is read from the output and encoded when the reader has requested
 * more and the connection has room. Guarded by itself; no other code is called with the lock held.
 */
final class PageSender {
    /**
     * Larger pages are encoded on another thread when the current one is borrowed, for example from a task's executor.
     */
    private static final long SMALL_BYTES = 32 << 10;

    private final LlapDaemon daemon;
    private final PendingQueries arrivals;
    private final PageCodec codec;
    private final PageMultiplexer connection;
    private final long stream;
    private final PageRequest request;

    @GuardedBy("this")
    private @Nullable PageStream pages;

    @GuardedBy("this")
    private long credit;

    @GuardedBy("this")
    private boolean taking;

    @GuardedBy("this")
    private boolean over;

    /** @param bytes bytes that the reader accepts before it requests more */
    PageSender(
            LlapDaemon daemon,
            PendingQueries arrivals,
            PageCodec codec,
            PageMultiplexer connection,
            long stream,
            PageRequest request,
            long bytes) {
        this.daemon = daemon;
        this.arrivals = arrivals;
        this.codec = codec;
        this.connection = connection;
        this.stream = stream;
        this.request = request;
        this.credit = bytes;
    }

    /** Opens the output as soon as the query is registered. */
    void start() {
        CompletableFuture<@Nullable Void> here = arrivals.await(request.query());
        if (here.isDone()) {
            var _ = here.whenComplete((_, failure) -> open(failure));
        } else {
            var _ = here.whenCompleteAsync((_, failure) -> open(failure), connection.workers());
        }
    }

    private void open(@Nullable Throwable failure) {
        if (failure != null) {
            fail(GrpcStatuses.asSkepException(failure));
            return;
        }
        try {
            PageStream opened = daemon.open(request.query(), request.output(), request.partition());
            boolean late;
            synchronized (this) {
                late = over;
                pages = opened;
            }
            if (late) {
                opened.close();
                return;
            }
            take(true);
        } catch (SkepException e) {
            fail(e);
        }
    }

    /** Notes that the reader accepts this number of additional bytes. */
    void more(long bytes) {
        synchronized (this) {
            credit += bytes;
        }
        take(true);
    }

    /** Continues when the connection has room again. Runs on a thread that may encode pages. */
    void resume() {
        take(false);
    }

    /** Sends available pages while there is room for them. */
    private void take(boolean borrowed) {
        boolean more = true;
        while (more && begin()) {
            CompletableFuture<Optional<Batch>> next = opened().next();
            if (!next.isDone()) {
                var _ = next.whenComplete((rows, failure) -> {
                    if (arrived(rows, failure, true)) {
                        take(true);
                    }
                });
                return;
            }
            more = next.handle((rows, failure) -> arrived(rows, failure, borrowed))
                    .join();
        }
    }

    /** Whether the caller may take a page. If so, no other thread may take one until it is sent. */
    private boolean begin() {
        synchronized (this) {
            if (!mayTake()) {
                return false;
            }
        }
        if (!connection.hasRoom(this)) {
            return false;
        }
        synchronized (this) {
            if (!mayTake()) {
                return false;
            }
            taking = true;
            return true;
        }
    }

    @GuardedBy("this")
    private boolean mayTake() {
        return pages != null && !taking && !over && credit > 0;
    }

    private synchronized PageStream opened() {
        return Objects.requireNonNull(pages);
    }

    /** Handles the next rows. Returns whether to continue. */
    private boolean arrived(Optional<Batch> rows, @Nullable Throwable failure, boolean borrowed) {
        if (failure != null) {
            fail(GrpcStatuses.asSkepException(failure));
            return false;
        }
        if (rows.isEmpty()) {
            if (end()) {
                connection.sendLast(new PageFrame.End(stream));
            }
            return false;
        }
        if (borrowed && rows.get().retainedBytes() > SMALL_BYTES) {
            connection.workers().execute(() -> {
                if (send(rows.get())) {
                    take(false);
                }
            });
            return false;
        }
        return send(rows.get());
    }

    private boolean send(Batch rows) {
        byte[] page;
        try {
            page = connection.make(() -> codec.encode().apply(rows));
        } catch (RuntimeException | Error e) {
            fail(GrpcStatuses.asSkepException(e));
            return false;
        }
        // Sent before another thread may take the next page.
        connection.send(new PageFrame.Page(stream, page));
        synchronized (this) {
            credit -= page.length;
            taking = false;
            return !over;
        }
    }

    /**
     * Reports a failure to the reader. A query that has ended here before its reader was notified is reported as lost,
     * so that the reader may run it again.
     */
    private void fail(SkepException failure) {
        boolean ended = failure.code() == StandardErrorCode.OPERATION_CANCELED;
        SkepException told = ended
                ? new SkepException(StandardErrorCode.DAEMON_LOST, String.valueOf(failure.getMessage()), failure)
                : failure;
        if (end()) {
            connection.sendLast(new PageFrame.Failed(stream, told));
        }
    }

    /** Stops sending, because the reader needs nothing more or is gone. */
    void close() {
        end();
    }

    /** Releases the output. Returns false when it had been released already. */
    private boolean end() {
        PageStream open;
        synchronized (this) {
            if (over) {
                return false;
            }
            over = true;
            open = pages;
        }
        if (open != null) {
            open.close();
        }
        arrivals.leave(request.query());
        return true;
    }
}
