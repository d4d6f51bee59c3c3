package io.skep.llap.client.audit;

import com.google.common.util.concurrent.Uninterruptibles;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the audit log of a server or daemon. There is no thread of its own: a caller that finds nobody writing writes
 * its line and all that wait, in as few calls of the operating system as possible. The others wait for it. A lone
 * caller has no switch of threads.
 *
 * <p>Callers wait for a limited time, and lines that wait have a limited size. Interrupts end no wait, so that the
 * cancellation of a statement does not leave its line out.
 */
public final class AuditWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AuditWriter.class);

    /** Lines are written together up to this size. A longer line is written alone. */
    private static final int MAX_BATCH_BYTES = 64 << 10;

    private static final Duration WARNING_INTERVAL = Duration.ofSeconds(10);

    private final AuditConfig config;
    private final AuditTarget files;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final AtomicLong unwritten = new AtomicLong();
    private final AtomicLong warned = new AtomicLong(System.nanoTime() - WARNING_INTERVAL.toNanos());

    @GuardedBy("lock")
    private final Deque<Line> waiting = new ArrayDeque<>();

    @GuardedBy("lock")
    private long waitingBytes;

    /** Whether a caller is writing. The files belong to it. */
    @GuardedBy("lock")
    private boolean writing;

    @GuardedBy("lock")
    private boolean closed;

    /** A line and its outcome. Guarded by the lock, other than the bytes. */
    private static final class Line {
        private final byte[] bytes;
        private boolean done;
        private @Nullable IOException failure;

        Line(byte[] bytes) {
            this.bytes = bytes;
        }
    }

    /** @param files is closed with this log */
    AuditWriter(AuditConfig config, AuditTarget files) {
        this.config = config;
        this.files = files;
    }

    /**
     * Opens the log that the settings ask for, if they do.
     *
     * @throws SkepException INVALID_CONFIGURATION when the log cannot be written
     */
    public static Optional<AuditWriter> open(AuditConfig config) {
        if (!config.enabled()) {
            return Optional.empty();
        }
        try {
            AuditFiles files = AuditFiles.open(config.folder(), config.maxFileBytes(), config.maxFiles());
            return Optional.of(new AuditWriter(config, files));
        } catch (IOException e) {
            throw new SkepException(
                            StandardErrorCode.INVALID_CONFIGURATION,
                            config.folderSetting() + ": the audit log cannot be written to " + config.folder() + ": "
                                    + e,
                            e)
                    .withHint("make the folder writable for the server's user, or name another one");
        }
    }

    /** Returns the name of this process in its lines. */
    public static String process() {
        String process = ":" + ProcessHandle.current().pid();
        try {
            return InetAddress.getLocalHost().getHostName() + process;
        } catch (UnknownHostException e) {
            return "localhost" + process;
        }
    }

    /**
     * Appends a line, with its end. Returns when the operating system has it.
     *
     * @throws SkepException AUDIT_LOG_FAILED when it cannot be written, and what it is about must not begin therefore
     */
    public void append(byte[] line) {
        try {
            append(new Line(line));
        } catch (IOException e) {
            failed(e);
        }
    }

    private void failed(IOException failure) {
        long lines = unwritten.incrementAndGet();
        long last = warned.get();
        long now = System.nanoTime();
        if (now - last >= WARNING_INTERVAL.toNanos() && warned.compareAndSet(last, now)) {
            LOG.error("{} lines of the audit log in {} were not written", lines, config.folder(), failure);
        }
        if (config.refuses()) {
            throw new SkepException(
                            StandardErrorCode.AUDIT_LOG_FAILED,
                            "the audit log cannot be written: " + failure.getMessage(),
                            failure)
                    .withHint("the operator has to repair it; " + AuditConfig.ON_FAILURE.name()
                            + "=continue lets statements run without");
        }
    }

    /** Returns the number of lines that could not be written. */
    public long unwrittenLines() {
        return unwritten.get();
    }

    /** Returns the number of lines that wait for a caller that writes. */
    int waitingLines() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    private void append(Line line) throws IOException {
        long deadline = System.nanoTime() + config.patience().toNanos();
        lock.lock();
        try {
            awaitRoom(line, deadline);
            waiting.add(line);
            waitingBytes += line.bytes.length;
            awaitWritten(line, deadline);
        } finally {
            lock.unlock();
        }
        IOException failure = line.failure;
        if (failure != null) {
            throw failure;
        }
    }

    @GuardedBy("lock")
    private void awaitRoom(Line line, long deadline) throws IOException {
        while (writing && waitingBytes > 0 && waitingBytes + line.bytes.length > config.maxWaitingBytes()) {
            var _ = Uninterruptibles.awaitUninterruptibly(changed, left(deadline));
        }
    }

    @GuardedBy("lock")
    private void awaitWritten(Line line, long deadline) throws IOException {
        try {
            while (!line.done) {
                if (writing) {
                    var _ = Uninterruptibles.awaitUninterruptibly(changed, left(deadline));
                } else if (closed) {
                    throw new IOException("the server is stopping");
                } else {
                    writeAll();
                }
            }
        } finally {
            if (!line.done && waiting.remove(line)) {
                waitingBytes -= line.bytes.length;
            }
        }
    }

    /**
     * Returns the time until the deadline.
     *
     * @throws IOException when it has passed
     */
    private Duration left(long deadline) throws IOException {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
            throw new IOException("the disk has not taken a line within " + config.patience());
        }
        return Duration.ofNanos(left);
    }

    /** Writes all lines that wait. The lock is not held meanwhile. */
    @GuardedBy("lock")
    private void writeAll() {
        List<Line> lines = List.copyOf(waiting);
        waiting.clear();
        waitingBytes = 0;
        writing = true;
        List<Line> written = new ArrayList<>(lines.size());
        @Nullable IOException failure = null;
        lock.unlock();
        try {
            write(lines, written);
        } catch (IOException e) {
            failure = e;
        } finally {
            lock.lock();
            writing = false;
            for (Line line : lines.subList(written.size(), lines.size())) {
                line.failure = failure == null ? new IOException("the line was not written") : failure;
            }
            lines.forEach(line -> line.done = true);
            changed.signalAll();
        }
    }

    /** @param written gets the lines that were written, in their order */
    private void write(List<Line> lines, List<Line> written) throws IOException {
        ByteArrayOutputStream batch = new ByteArrayOutputStream();
        for (int i = 0; i < lines.size(); i++) {
            batch.writeBytes(lines.get(i).bytes);
            boolean last = i + 1 == lines.size();
            if (last || batch.size() + lines.get(i + 1).bytes.length > MAX_BATCH_BYTES) {
                files.append(batch.toByteArray());
                batch.reset();
                written.addAll(lines.subList(written.size(), i + 1));
            }
        }
    }

    /** Waits for the caller that writes, if there is one. */
    @Override
    public void close() {
        long deadline = System.nanoTime() + config.patience().toNanos();
        lock.lock();
        try {
            while (writing) {
                var _ = Uninterruptibles.awaitUninterruptibly(changed, left(deadline));
            }
            closed = true;
            files.close();
        } catch (IOException e) {
            LOG.warn("the audit log in {} was not closed: {}", config.folder(), e.toString());
        } finally {
            lock.unlock();
        }
    }
}
