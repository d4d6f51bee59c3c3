package io.skep.llap.server.exchange;

import io.skep.common.error.SkepException;
import io.skep.common.vector.Batch;
import io.skep.engine.exchange.PageInput;
import io.skep.llap.client.PageStream;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A reader of a {@link PartitionLog}; its package-private fields are guarded by the log's lock. */
public final class LogReader implements PageInput, PageStream {
    private final PartitionLog log;
    private volatile boolean closed;
    long position;
    /** Whether the reader still uses the batch before the position. */
    boolean usesBatch;
    /** Bytes reserved for that batch, if it was in the file. */
    long reservedBytes;

    @Nullable
    CompletableFuture<Optional<Batch>> waiting;

    @Nullable
    SkepException failure;

    LogReader(PartitionLog log) {
        this.log = log;
    }

    void fail(SkepException reason) {
        failure = reason;
    }

    boolean closed() {
        return closed;
    }

    @Override
    public CompletableFuture<Optional<Batch>> next() {
        return log.next(this);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            log.readerClosed(this);
        }
    }
}
