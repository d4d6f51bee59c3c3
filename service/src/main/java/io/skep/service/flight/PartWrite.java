package io.skep.service.flight;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.SqlType;
import io.skep.ql.external.ExternalWrites;
import io.skep.ql.external.OpenWrite;
import io.skep.storage.write.PageSink;
import io.skep.storage.write.PageSinkFactory;
import io.skep.storage.write.WrittenFile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.Schema;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A write that is under way: its parts that have arrived, and the streams of those that arrive. A part counts only when
 * all of its rows are in closed files. Thread-safe.
 */
final class PartWrite implements OpenWrite {
    private static final Logger LOG = LoggerFactory.getLogger(PartWrite.class);

    private static final int MAX_PARTS = 1_000_000;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final ExternalWrites.Target target;
    private final Schema schema;
    private final byte[] access;
    private final PageSinkFactory sinks;
    private final Runnable onEnd;

    @GuardedBy("this")
    private final Map<Long, List<WrittenFile>> parts = new HashMap<>();

    @GuardedBy("this")
    private final Set<PartStream> streams = new HashSet<>();

    @GuardedBy("this")
    private long last;

    @GuardedBy("this")
    private boolean ended;

    /** @param onEnd called when the write ends; may be called more than once */
    PartWrite(ExternalWrites.Target target, Schema schema, byte[] access, PageSinkFactory sinks, Runnable onEnd) {
        this.target = target;
        this.schema = schema;
        this.access = access;
        this.sinks = sinks;
        this.onEnd = onEnd;
    }

    @Override
    public byte[] access() {
        return access.clone();
    }

    @Override
    public String folder() {
        return target.folder();
    }

    Schema schema() {
        return schema;
    }

    List<SqlType> types() {
        return target.types();
    }

    /**
     * Adds a stream, and returns the number of its part.
     *
     * @throws SkepException OPERATION_CANCELED when the write has ended, TOO_MANY_RESULTS
     */
    synchronized long begin(PartStream stream) {
        if (ended) {
            throw over();
        }
        if (last == MAX_PARTS) {
            throw new SkepException(StandardErrorCode.TOO_MANY_RESULTS, "a write has at most " + MAX_PARTS + " parts")
                    .withHint("send longer parts");
        }
        streams.add(stream);
        last++;
        return last;
    }

    private static SkepException over() {
        return new SkepException(StandardErrorCode.OPERATION_CANCELED, "The write has ended with its session");
    }

    /** @param path the file's name below the folder */
    PageSink create(String path) {
        return sinks.create(target.table(), target.folder() + "/" + path);
    }

    /** Adds a part that has arrived as a whole. */
    synchronized void arrived(long part, List<WrittenFile> files) {
        if (ended) {
            throw over();
        }
        parts.put(part, List.copyOf(files));
    }

    /** Forgets a stream whose files are closed or gone. */
    synchronized void end(PartStream stream) {
        streams.remove(stream);
        notifyAll();
    }

    @Override
    public List<WrittenFile> finish(Collection<Long> wanted) {
        List<WrittenFile> files = new ArrayList<>();
        synchronized (this) {
            if (ended) {
                throw over();
            }
            for (Long part : new HashSet<>(wanted)) {
                List<WrittenFile> found = parts.get(part);
                if (found == null) {
                    throw new SkepException(
                            StandardErrorCode.INVALID_ARGUMENT, "part " + part + " has not arrived as a whole");
                }
                files.addAll(found);
            }
        }
        close();
        return files;
    }

    @Override
    public void close() {
        List<PartStream> open;
        synchronized (this) {
            ended = true;
            open = List.copyOf(streams);
        }
        onEnd.run();
        open.forEach(stream -> stream.fail(over()));
        try {
            awaitStreams();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Their files must be closed before the folder is deleted. */
    private synchronized void awaitStreams() throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!streams.isEmpty()) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                LOG.warn("{} streams still write into {}", streams.size(), target.folder());
                return;
            }
            wait(left);
        }
    }
}
