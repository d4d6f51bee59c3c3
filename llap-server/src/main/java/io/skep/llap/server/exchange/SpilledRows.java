package io.skep.llap.server.exchange;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.engine.spill.SpillFile;
import io.skep.engine.spill.SpillSpace;
import org.jspecify.annotations.Nullable;

/**
 * The rows of an output that are on disk. One file contains the rows of all partitions, so that an output of many
 * partitions uses one descriptor; each partition keeps the positions of its own rows. The file is created with the
 * first rows. Guarded by itself. The lock is held over no I/O except the creation and deletion of the file.
 */
final class SpilledRows implements AutoCloseable {
    private final SpillSpace space;

    @GuardedBy("this")
    private @Nullable SpillFile file;

    @GuardedBy("this")
    private boolean closed;

    SpilledRows(SpillSpace space) {
        this.space = space;
    }

    /** Writes rows and returns their position. */
    long add(Batch batch) {
        return fileOrCreate().append(batch);
    }

    /** Reads rows. Call it on a thread that may wait for the disk. */
    Batch read(long position) {
        SpillFile open;
        synchronized (this) {
            open = file;
        }
        if (open == null) {
            throw gone();
        }
        return open.read(position);
    }

    private synchronized SpillFile fileOrCreate() {
        if (closed) {
            throw gone();
        }
        SpillFile open = file;
        if (open == null) {
            open = space.create("exchange");
            file = open;
        }
        return open;
    }

    private static SkepException gone() {
        return new SkepException(StandardErrorCode.OPERATION_CANCELED, "the query has ended; its rows are gone");
    }

    /** Deletes the file. Concurrent reads and writes fail with an error. */
    @Override
    public void close() {
        SpillFile open;
        synchronized (this) {
            closed = true;
            open = file;
            file = null;
        }
        if (open != null) {
            open.close();
        }
    }
}
