package io.skep.llap.server.rpc;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.file.PrivateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
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
 * goes some minutes after its last query, so that the statements of a session find it. Guarded by itself; nothing else is called
 * with the lock held.
 */
final class PlanFileStore {
    private static final Logger LOG = LoggerFactory.getLogger(PlanFileStore.class);
    private static final Duration KEPT_UNUSED = Duration.ofMinutes(10);

    /** A content that is here or is to come. */
    private static final class Kept {
        final CompletableFuture<Path> path = new CompletableFuture<>();
        int queries;
        long unusedSince;
    }

    private final Path folder;
    private final Map<String, Kept> files = new HashMap<>();

    /** @param folder the store's own; what an earlier life has left in it is deleted */
    PlanFileStore(Path folder) {
        this.folder = folder;
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (DirectoryStream<Path> left = Files.newDirectoryStream(folder)) {
            for (Path file : left) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw failed("empty", e);
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
    Path partial(String hash) {
        try {
            PrivateFiles.createDirectories(folder);
            return Files.createTempFile(folder, hash, ".partial");
        } catch (IOException e) {
            throw failed("write to", e);
        }
    }

    /** The whole file is there. */
    void arrived(String hash, Path partial) {
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
        List<String> unused = new ArrayList<>();
        synchronized (this) {
            long now = System.nanoTime();
            files.forEach((hash, kept) -> {
                if (kept.queries == 0 && kept.path.isDone() && now - kept.unusedSince > KEPT_UNUSED.toNanos()) {
                    unused.add(hash);
                }
            });
            // With the lock held, so that nobody finds it in between.
            unused.forEach(this::forget);
        }
    }

    private void forget(String hash) {
        Kept kept = files.remove(hash);
        try {
            Files.deleteIfExists(folder.resolve(hash + ".jar"));
        } catch (IOException e) {
            LOG.warn("A file of {} that no query needs cannot be deleted: {}", folder, hash, e);
        }
        LOG.debug("{} is not needed any more: {}", hash, kept);
    }

    /** Deletes all. */
    void close() {
        synchronized (this) {
            List.copyOf(files.keySet()).forEach(this::forget);
        }
        try {
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
