package io.skep.llap.server.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.file.PrivateFiles;
import io.skep.llap.server.LlapConfig;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the files that plans need, by content hash. Each file is sent once, by the first process that names it,
 * however many queries use it. It is deleted some minutes after its last query, so that later statements of a session
 * find it, or earlier when other files need its room. Guarded by itself; no other code is called with the lock held.
 */
final class PlanFileStore {
    private static final Logger LOG = LoggerFactory.getLogger(PlanFileStore.class);
    private static final Duration KEPT_UNUSED = Duration.ofMinutes(10);

    /** A file that has arrived or is expected. */
    private static final class Kept {
        final CompletableFuture<Path> path = new CompletableFuture<>();
        int queries;
        long bytes;
        long unusedSince;
    }

    private final Path folder;
    private final long maxBytes;

    @GuardedBy("this")
    private final Map<String, Kept> files = new HashMap<>();

    /** Bytes of complete files, and of the received parts of other files. */
    @GuardedBy("this")
    private long bytes;

    @GuardedBy("this")
    private boolean closed;

    /**
     * @param folder folder that belongs to the store; files that an earlier incarnation has left in it are deleted
     * @param maxBytes limit for all files together
     */
    PlanFileStore(Path folder, long maxBytes) {
        this.folder = folder;
        this.maxBytes = maxBytes;
        try {
            empty();
        } catch (IOException e) {
            throw failed("empty", e);
        }
    }

    private void empty() throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (DirectoryStream<Path> left = Files.newDirectoryStream(folder)) {
            for (Path file : left) {
                Files.deleteIfExists(file);
            }
        }
    }

    private SkepException failed(String what, IOException e) {
        return new SkepException(
                StandardErrorCode.FILE_SYSTEM_ERROR, "cannot " + what + " the daemon's folder " + folder + ": " + e, e);
    }

    /**
     * Registers a query's use of a file. Completes when the file has arrived.
     *
     * @param ask requests the file, when it has neither arrived nor been requested
     */
    CompletableFuture<Path> use(String hash, Runnable ask) {
        Kept kept;
        boolean first;
        synchronized (this) {
            first = !files.containsKey(hash);
            kept = files.computeIfAbsent(hash, _ -> new Kept());
            kept.queries++;
        }
        if (first) {
            ask.run();
        }
        return kept.path;
    }

    /** Whether the file has not arrived and a query waits for it. */
    synchronized boolean expects(String hash) {
        Kept kept = files.get(hash);
        return kept != null && !kept.path.isDone();
    }

    /** Unregisters the use of a file by a query that has ended. */
    synchronized void leave(String hash) {
        Kept kept = files.get(hash);
        if (kept != null) {
            kept.queries--;
            kept.unusedSince = System.nanoTime();
        }
    }

    /** Creates the file that receives the pieces of an incoming file. */
    synchronized Path partial(String hash) {
        if (closed) {
            throw new SkepException(StandardErrorCode.DAEMON_LOST, "the daemon stops");
        }
        try {
            PrivateFiles.createDirectories(folder);
            return Files.createTempFile(folder, hash, ".partial");
        } catch (IOException e) {
            throw failed("write to", e);
        }
    }

    /**
     * Reserves room for more bytes of a file. Files that no query uses are deleted if room is needed.
     *
     * @throws SkepException DISK_FULL
     */
    synchronized void reserve(long more) {
        if (bytes + more > maxBytes) {
            expire(Duration.ZERO);
        }
        if (bytes + more > maxBytes) {
            throw new SkepException(
                            StandardErrorCode.DISK_FULL,
                            "the jars of functions that queries of the daemon use have more than " + maxBytes
                                    + " bytes together")
                    .withHint("use smaller jars, or raise " + LlapConfig.JARS.name() + " of the daemon");
        }
        bytes += more;
    }

    /** Releases the bytes that were reserved for a file that will not arrive. */
    synchronized void release(long given) {
        bytes -= given;
    }

    /**
     * Stores a completely received file.
     *
     * @param size bytes that were reserved for it
     */
    void arrived(String hash, Path partial, long size) {
        Path path = folder.resolve(hash + ".jar");
        try {
            Files.move(partial, path, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw failed("write to", e);
        }
        Kept kept;
        synchronized (this) {
            kept = files.computeIfAbsent(hash, _ -> new Kept());
            kept.unusedSince = System.nanoTime();
            // Another process may have sent it at the same time.
            bytes -= kept.bytes;
            kept.bytes = size;
        }
        kept.path.complete(path);
    }

    /** Fails a file that has not arrived. The queries that wait for it fail, and the next query requests it again. */
    void fail(String hash, SkepException reason) {
        Kept kept;
        synchronized (this) {
            kept = files.get(hash);
            if (kept == null || kept.path.isDone()) {
                return;
            }
            files.remove(hash);
        }
        kept.path.completeExceptionally(reason);
    }

    /** Deletes files that have been unused for some time. */
    void expire() {
        expire(KEPT_UNUSED);
    }

    /** Deletes unused files with the lock held, so that no caller finds a file that is being deleted. */
    private synchronized void expire(Duration unusedFor) {
        List<String> unused = new ArrayList<>();
        long now = System.nanoTime();
        files.forEach((hash, kept) -> {
            if (kept.queries == 0 && kept.path.isDone() && now - kept.unusedSince >= unusedFor.toNanos()) {
                unused.add(hash);
            }
        });
        unused.forEach(this::forget);
    }

    @GuardedBy("this")
    private void forget(String hash) {
        Kept kept = files.remove(hash);
        bytes -= kept == null ? 0 : kept.bytes;
        try {
            Files.deleteIfExists(folder.resolve(hash + ".jar"));
        } catch (IOException e) {
            LOG.warn("A file of {} that no query needs cannot be deleted: {}", folder, hash, e);
        }
        LOG.debug("{} is not needed any more: {}", hash, kept);
    }

    /** Deletes all files, including partial ones. Files that cannot be deleted are removed at the next start. */
    synchronized void close() {
        closed = true;
        List.copyOf(files.keySet()).forEach(this::forget);
        try {
            empty();
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            LOG.warn("The daemon's folder {} cannot be deleted: {}", folder, e.toString());
        }
    }
}
