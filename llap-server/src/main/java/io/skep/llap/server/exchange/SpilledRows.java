package io.skep.llap.server.exchange;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.engine.spill.SpillFile;
import io.skep.engine.spill.SpillSpace;
import org.jspecify.annotations.Nullable;

/**
 * The rows of an output that are on disk: one file for all of its partitions, which know the positions of theirs, so that an output
 * of many partitions takes one descriptor. The file is made with the first rows. Guarded by itself; not held over I/O but that of
 * making and deleting the file.
 */
final class SpilledRows implements AutoCloseable {
    private final SpillSpace space;
    private @Nullable SpillFile file;
    private boolean closed;

    SpilledRows(SpillSpace space) {
        this.space = space;
    }

    /** Writes rows and gives their position. */
    long add(Batch batch) {
        return made().append(batch);
    }

    /** On a thread that may wait for the disk. */
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

    private synchronized SpillFile made() {
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

    /** Deletes the file; who still writes or reads gets an error. */
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
