package io.skep.storage.compaction;

import io.skep.common.memory.MemoryPool;
import io.skep.common.vector.Batch;
import io.skep.storage.write.PageSink;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A file that is created with its first row, and whose buffers are accounted for. Closing it without {@link #finish}
 * leaves no file. Owned by one thread.
 */
final class MergedFile implements AutoCloseable {
    private final MemoryPool memory;
    private final Supplier<PageSink> create;
    private @Nullable PageSink sink;
    private long reserved;

    MergedFile(MemoryPool memory, Supplier<PageSink> create) {
        this.memory = memory;
        this.create = create;
    }

    void append(Batch rows) {
        PageSink current = sink;
        if (current == null) {
            current = create.get();
            sink = current;
        }
        current.append(rows);
        long now = current.bufferedBytes();
        if (now > reserved) {
            memory.reserve(now - reserved);
        } else {
            memory.release(reserved - now);
        }
        reserved = now;
    }

    /** Ends the file. Returns whether there is one. */
    boolean finish() {
        PageSink current = sink;
        if (current == null) {
            return false;
        }
        // A sink that fails to finish leaves no file.
        sink = null;
        current.finish();
        return true;
    }

    @Override
    public void close() {
        PageSink current = sink;
        sink = null;
        memory.release(reserved);
        reserved = 0;
        if (current != null) {
            current.abort();
        }
    }
}
