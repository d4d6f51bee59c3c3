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

/**
 * A query's temporary files in one folder, within a budget of bytes. The folder is made with the first file and gone after
 * {@link #close}, whatever files are still open. Thread-safe.
 */
public final class SpillSpace implements AutoCloseable {
    private final Path folder;
    private final long maxBytes;
    private final AtomicLong usedBytes = new AtomicLong();
    private final AtomicLong writtenBytes = new AtomicLong();
    private final AtomicLong files = new AtomicLong();
    private final Set<SpillFile> live = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** @param parent folder that may be shared; the files go into a folder of the owner below it */
    public SpillSpace(Path parent, QueryId owner, String part, long maxBytes) {
        this.folder = parent.resolve(owner.value()).resolve(part);
        this.maxBytes = maxBytes;
    }

    /** A new file to write batches into. */
    public SpillFile create(String purpose) {
        SpillFile file = new SpillFile(this, folder.resolve(purpose + "-" + files.getAndIncrement() + ".spill"));
        live.add(file);
        try {
            if (closed) {
                throw new SkepException(
                        StandardErrorCode.OPERATION_CANCELED, "the query has ended; its spill space is gone");
            }
            Files.createDirectories(folder);
            file.open();
        } catch (IOException e) {
            live.remove(file);
            throw failure(file.path(), e);
        } catch (SkepException e) {
            live.remove(file);
            throw e;
        }
        return file;
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

    /** Deletes all files and the folder, and the owner's folder when nothing else is in it. */
    @Override
    public void close() {
        closed = true;
        live.forEach(SpillFile::close);
        deleteFolder(folder);
        Path owner = folder.getParent();
        if (owner != null) {
            deleteFolder(owner);
        }
    }

    private static void deleteFolder(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException inUse) {
            // Another task of the query still has files there, and removes the folder when it ends.
            if (Files.notExists(path)) {
                throw failure(path, inUse);
            }
        }
    }
}
