package io.skep.llap.server.rpc;

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
 * Files that plans need, by their content: each comes once, from the first process that names it, however many queries use it. It
 * goes some minutes after its last query, so that the statements of a session find it, or sooner when others need its room. Guarded
 * by itself; nothing else is called with the lock held.
 */
final class PlanFileStore {
    private static final Logger LOG = LoggerFactory.getLogger(PlanFileStore.class);
    private static final Duration KEPT_UNUSED = Duration.ofMinutes(10);

    /** A content that is here or is to come. */
    private static final class Kept {
        final CompletableFuture<Path> path = new CompletableFuture<>();
        int queries;
        long bytes;
        long unusedSince;
    }

    private final Path folder;
    private final long maxBytes;
    private final Map<String, Kept> files = new HashMap<>();

    /** Of the files that are here, and of what has come of others. */
    private long bytes;

    private boolean closed;

    /**
     * @param folder the store's own; what an earlier life has left in it is deleted
     * @param maxBytes of all files together
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
     * A query needs a file; done when it is here.
     *
     * @param ask has it sent, when it is neither here nor on its way
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

    /** Whether the file is to come and a query waits for it. */
    synchronized boolean expects(String hash) {
        Kept kept = files.get(hash);
        return kept != null && !kept.path.isDone();
    }

    /** A query that has needed the file has ended. */
    synchronized void leave(String hash) {
        Kept kept = files.get(hash);
        if (kept != null) {
            kept.queries--;
            kept.unusedSince = System.nanoTime();
        }
    }

    /** Where to put pieces of a file that come in. */
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
     * More of a file is about to be written. Files that no query uses make room.
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

    /** What was reserved for a file that does not come. */
    synchronized void release(long given) {
        bytes -= given;
    }

    /**
     * The whole file is there.
     *
     * @param size what was reserved for it
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

    /** The file does not come, if it has not come: those who need it now fail, and the next one asks again. */
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

    /** Deletes what has not been used for a while. */
    void expire() {
        expire(KEPT_UNUSED);
    }

    /** With the lock held, so that nobody finds in between what is deleted. */
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

    /** Deletes all, also what is coming in. What cannot be deleted goes at the next start. */
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
