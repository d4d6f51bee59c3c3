package io.skep.llap.server.exchange;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.engine.exchange.PageInput;
import io.skep.engine.spill.SpillFile;
import io.skep.llap.client.PageStream;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A reader of a {@link PartitionLog}; its package-private fields are guarded by the log's lock. */
public final class LogReader implements PageInput, PageStream {
    private final PartitionLog log;
    private SpillFile.@Nullable Reader file;
    private volatile boolean closed;
    long position;

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

    /** The next batch of the file, on a thread that may wait for the disk; one call at a time. */
    Batch readFile() {
        SpillFile.Reader open = file;
        if (open == null) {
            open = log.fileReader();
            file = open;
        }
        Batch batch = open.next();
        if (batch == null) {
            throw new SkepException(StandardErrorCode.CORRUPT_FILE, "an exchange file ends before its last batch");
        }
        return batch;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            log.readerClosed(this);
        }
    }
}
