package io.skep.engine.spill;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.file.PrivateFiles;
import io.skep.common.lifecycle.Closeables;
import io.skep.common.query.QueryId;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;

/**
 * Temporary files of a part of a query, in a separate folder and within a budget of bytes. The folder is created with
 * the first file. It is deleted by {@link #close}, even if files are still open. Thread-safe.
 */
public final class SpillSpace implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(SpillSpace.class.getName());

    private final Path folder;
    private final List<SpillBudget> budgets;

    @GuardedBy("account")
    private long usedBytes;

    private final AtomicLong writtenBytes = new AtomicLong();
    private final AtomicLong files = new AtomicLong();
    private final Set<SpillFile> live = ConcurrentHashMap.newKeySet();
    private final Set<SpillFolder> liveFolders = ConcurrentHashMap.newKeySet();
    /** Held while a file is created, so that no file is created concurrently with {@link #close}. */
    private final ReentrantLock lock = new ReentrantLock();
    /** Guards the used bytes. Never held during I/O. */
    private final Object account = new Object();

    @GuardedBy("lock")
    private boolean closed;

    /** @param parent a shared folder, which must not be deleted while a space is open */
    public SpillSpace(Path parent, QueryId owner, String part, long maxBytes) {
        this(parent, owner, part, List.of(new SpillBudget("a task", maxBytes, "skep.spill.max-bytes-per-task")));
    }

    /** @param budgets the budgets to which all of the space's files are charged */
    public SpillSpace(Path parent, QueryId owner, String part, List<SpillBudget> budgets) {
        this.folder = parent.resolve(owner.value() + "-" + part);
        this.budgets = List.copyOf(budgets);
    }

    /** Creates a new file for batches. */
    public SpillFile create(String purpose) {
        return create(purpose, bytes -> {});
    }

    /**
     * Creates a new file for batches.
     *
     * @param written is given the bytes of each batch that is written, by the thread that writes it
     */
    public SpillFile create(String purpose, LongConsumer written) {
        SpillFile file =
                new SpillFile(this, folder.resolve(purpose + "-" + files.getAndIncrement() + ".spill"), written);
        lock.lock();
        try {
            refuseWhenClosed();
            PrivateFiles.createDirectories(folder);
            file.open();
            live.add(file);
            return file;
        } catch (IOException e) {
            throw failure(file.path(), e);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void refuseWhenClosed() {
        if (closed) {
            throw new SkepException(
                    StandardErrorCode.OPERATION_CANCELED, "the query has ended; its spill space is gone");
        }
    }

    /** Creates a new, empty folder for files of other kinds. */
    public SpillFolder createFolder(String purpose) {
        SpillFolder made = new SpillFolder(this, folder.resolve(purpose + "-" + files.getAndIncrement()));
        lock.lock();
        try {
            refuseWhenClosed();
            PrivateFiles.createDirectories(made.path());
            liveFolders.add(made);
            return made;
        } catch (IOException e) {
            throw failure(made.path(), e);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the bytes that are on disk at present. */
    public long usedBytes() {
        synchronized (account) {
            return usedBytes;
        }
    }

    /** Returns the bytes written in total. */
    public long writtenBytes() {
        return writtenBytes.get();
    }

    /** Charges bytes to a file. They are released once, in {@link #forget}. */
    void grow(SpillFile file, long bytes) {
        synchronized (account) {
            if (!live.contains(file)) {
                throw file.isClosed();
            }
            charge(file.path(), bytes);
            file.chargedBytes += bytes;
        }
        writtenBytes.addAndGet(bytes);
        file.written.accept(bytes);
    }

    /** Charges bytes to a folder. They are released once, in {@link #forget}. */
    void grow(SpillFolder made, long bytes) {
        synchronized (account) {
            if (!liveFolders.contains(made)) {
                throw made.isClosed();
            }
            charge(made.path(), bytes);
            made.chargedBytes += bytes;
        }
    }

    @GuardedBy("account")
    private void charge(Path path, long bytes) {
        for (int i = 0; i < budgets.size(); i++) {
            if (!budgets.get(i).tryReserve(bytes)) {
                budgets.subList(0, i).forEach(budget -> budget.release(bytes));
                throw exceeded(path, budgets.get(i));
            }
        }
        usedBytes += bytes;
    }

    private static SkepException exceeded(Path path, SpillBudget budget) {
        return new SkepException(
                        StandardErrorCode.DISK_FULL,
                        "spilling to " + path + " would pass the limit of " + budget.maxBytes() + " bytes for "
                                + budget.whose())
                .withHint("raise " + budget.setting() + " or make the query's intermediate results smaller");
    }

    void forget(SpillFile file) {
        synchronized (account) {
            if (live.remove(file)) {
                usedBytes -= file.chargedBytes;
                budgets.forEach(budget -> budget.release(file.chargedBytes));
            }
        }
    }

    void forget(SpillFolder made) {
        synchronized (account) {
            if (liveFolders.remove(made)) {
                usedBytes -= made.chargedBytes;
                budgets.forEach(budget -> budget.release(made.chargedBytes));
            }
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

    /** Returns the size and the free space of the disk, if the file system reports them. */
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

    /**
     * Deletes all files and the folder. If the disk fails, the error is logged, and the next start deletes the
     * remaining files.
     */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            live.forEach(file -> closeQuietly(file, file.path()));
            liveFolders.forEach(made -> closeQuietly(made, made.path()));
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "cannot delete the spill folder " + folder, e);
        } finally {
            lock.unlock();
        }
    }

    private static void closeQuietly(AutoCloseable file, Path path) {
        try {
            Closeables.closeAll(List.of(file));
        } catch (SkepException e) {
            LOG.log(System.Logger.Level.WARNING, "cannot delete " + path, e);
        }
    }
}
