package io.skep.llap.server.rpc;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.llap.client.PageStream;
import io.skep.llap.client.rpc.PageCodec;
import io.skep.llap.client.wire.PageRequest;
import io.skep.llap.server.LlapDaemon;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One output partition on its way to its reader: a page is taken from the output and made into bytes when the stream has room for
 * it, which it has as long as the reader asks for more. Guarded by itself; nothing is called with the lock held but the stream's
 * own sending.
 */
final class PageCall extends ServerCall.Listener<byte[]> {
    private final LlapDaemon daemon;
    private final QueryArrivals arrivals;
    private final PageCodec codec;
    private final Executor executor;
    private final ServerCall<byte[], byte[]> call;
    private @Nullable PageRequest request;
    private @Nullable PageStream pages;
    private boolean taking;
    private boolean over;

    PageCall(
            LlapDaemon daemon,
            QueryArrivals arrivals,
            PageCodec codec,
            Executor executor,
            ServerCall<byte[], byte[]> call) {
        this.daemon = daemon;
        this.arrivals = arrivals;
        this.codec = codec;
        this.executor = executor;
        this.call = call;
    }

    @Override
    public void onMessage(byte[] message) {
        PageRequest asked;
        try {
            asked = PageRequest.decode(message);
        } catch (RuntimeException e) {
            fail(Endings.asSkepException(e));
            return;
        }
        if (!asked.incarnation().equals(daemon.identity().incarnation())) {
            fail(new SkepException(
                    StandardErrorCode.DAEMON_LOST,
                    "the daemon that had the rows is gone; another one is in its place since"));
            return;
        }
        synchronized (this) {
            request = asked;
        }
        var _ = arrivals.await(asked.query()).whenCompleteAsync((_, failure) -> open(asked, failure), executor);
    }

    private void open(PageRequest asked, @Nullable Throwable failure) {
        if (failure != null) {
            fail(Endings.asSkepException(failure));
            return;
        }
        try {
            PageStream opened = daemon.open(asked.query(), asked.output(), asked.partition());
            boolean late;
            synchronized (this) {
                late = over;
                pages = opened;
            }
            if (late) {
                opened.close();
                return;
            }
            take();
        } catch (SkepException e) {
            fail(e);
        }
    }

    @Override
    public void onReady() {
        take();
    }

    private void take() {
        PageStream open;
        synchronized (this) {
            open = pages;
            if (open == null || taking || over || !call.isReady()) {
                return;
            }
            taking = true;
        }
        // Elsewhere: whoever completes it is a task's executor or reads a file, and has better to do than to make
        // bytes.
        var _ = open.next()
                .whenCompleteAsync(
                        (rows, failure) -> {
                            if (failure == null) {
                                taken(rows);
                            } else {
                                fail(Endings.asSkepException(failure));
                            }
                        },
                        executor);
    }

    private void taken(Optional<Batch> rows) {
        if (rows.isEmpty()) {
            end(Status.OK, new Metadata());
            return;
        }
        byte[] page;
        try {
            page = codec.encode().apply(rows.get());
        } catch (RuntimeException e) {
            fail(Endings.asSkepException(e));
            return;
        }
        synchronized (this) {
            taking = false;
            if (over) {
                return;
            }
            call.sendMessage(page);
        }
        take();
    }

    /** A query that has ended here without its reader being told is lost to the reader, who may run it again. */
    private void fail(SkepException failure) {
        boolean ended = failure.code() == StandardErrorCode.OPERATION_CANCELED;
        SkepException told = ended
                ? new SkepException(StandardErrorCode.DAEMON_LOST, String.valueOf(failure.getMessage()), failure)
                : failure;
        end(Endings.FAILED, Endings.trailers(told));
    }

    private void end(Status status, Metadata trailers) {
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
            call.close(status, trailers);
        }
        letGo();
    }

    @Override
    public void onCancel() {
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
        }
        letGo();
    }

    private void letGo() {
        PageStream open;
        PageRequest asked;
        synchronized (this) {
            open = pages;
            asked = request;
        }
        if (open != null) {
            open.close();
        }
        if (asked != null) {
            arrivals.leave(asked.query());
        }
    }
}
