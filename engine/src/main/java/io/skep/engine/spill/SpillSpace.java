package io.skep.engine.spill;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Temporary files of a part of a query, in a folder of its own and within a budget of bytes. The folder is made with the first
 * file and gone after {@link #close}, whatever files are still open. Thread-safe.
 */
public final class SpillSpace implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(SpillSpace.class.getName());

    private final Path folder;
    private final long maxBytes;
    private final AtomicLong usedBytes = new AtomicLong();
    private final AtomicLong writtenBytes = new AtomicLong();
    private final AtomicLong files = new AtomicLong();
    private final Set<SpillFile> live = ConcurrentHashMap.newKeySet();
    /** Held while a file is made, so that none is made beside {@link #close}. */
    private final ReentrantLock lock = new ReentrantLock();

    private boolean closed;

    /** @param parent folder that is shared: nobody may delete it while a space is open */
    public SpillSpace(Path parent, QueryId owner, String part, long maxBytes) {
        this.folder = parent.resolve(owner.value() + "-" + part);
        this.maxBytes = maxBytes;
    }

    /** A new file to write batches into. */
    public SpillFile create(String purpose) {
        SpillFile file = new SpillFile(this, folder.resolve(purpose + "-" + files.getAndIncrement() + ".spill"));
        lock.lock();
        try {
            if (closed) {
                throw new SkepException(
                        StandardErrorCode.OPERATION_CANCELED, "the query has ended; its spill space is gone");
            }
            Files.createDirectories(folder);
            file.open();
            live.add(file);
            return file;
        } catch (IOException e) {
            throw failure(file.path(), e);
        } finally {
            lock.unlock();
        }
    }

    /** Bytes on disk now. */
    public long usedBytes() {
        return usedBytes.get();
    }

    /** Bytes written since the beginning. */
    public long writtenBytes() {
        return writtenBytes.get();
    }

    void grow(SpillFile file, long bytes) {
        if (usedBytes.addAndGet(bytes) > maxBytes) {
            usedBytes.addAndGet(-bytes);
            throw new SkepException(
                            StandardErrorCode.DISK_FULL,
                            "spilling to " + file.path() + " would pass the limit of " + maxBytes + " bytes a task")
                    .withHint("raise skep.spill.max-bytes or make the query's intermediate results smaller");
        }
        writtenBytes.addAndGet(bytes);
    }

    void forget(SpillFile file, long bytes) {
        if (live.remove(file)) {
            usedBytes.addAndGet(-bytes);
        }
    }

    static SkepException failure(Path path, IOException cause) {
        String reason = String.valueOf(cause.getMessage());
        boolean full = reason.contains("No space left") || reason.contains("Disk quota exceeded");
        if (!full) {
            return new SkepException(
                    StandardErrorCode.FILE_SYSTEM_ERROR, "cannot spill to " + path + ": " + reason, cause);
        }
        return new SkepException(StandardErrorCode.DISK_FULL, "cannot spill to " + path + ": " + reason, cause)
                .withHint("intermediate results go to this folder" + room(path)
                        + "; make room there or more memory for queries, or make the query smaller");
    }

    /** How large the disk is and how much of it is free, if the file system tells. */
    private static String room(Path path) {
        try {
            Path folder = path;
            while (Files.notExists(folder) && folder.getParent() != null) {
                folder = folder.getParent();
            }
            FileStore disk = Files.getFileStore(folder);
            return ", whose disk has " + disk.getUsableSpace() + " of " + disk.getTotalSpace() + " bytes free";
        } catch (IOException unknown) {
            return "";
        }
    }

    /** Deletes all files and the folder. A disk that refuses it is logged: the next start deletes what is left. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            live.forEach(this::closeQuietly);
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "cannot delete the spill folder " + folder, e);
        } finally {
            lock.unlock();
        }
    }

    private void closeQuietly(SpillFile file) {
        try {
            file.close();
        } catch (SkepException e) {
            LOG.log(System.Logger.Level.WARNING, "cannot delete the spill file " + file.path(), e);
        }
    }
}
