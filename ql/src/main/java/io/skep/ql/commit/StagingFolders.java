package io.skep.ql.commit;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.file.PrivateFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Folders that are deleted with the statement or session that created them: files written before a commit, and
 * temporary tables. They are located next to tables. Each is noted in the server's data folder before it is created, so
 * that the next start deletes the folders of a server that was killed. Only one server uses a data folder at a time,
 * and only that server knows these notes, so servers that share a warehouse never delete each other's folders. If a
 * folder cannot be deleted because its file system is unavailable or read-only, it is deleted together with the next
 * folder for which deletion works. An attempt may still write into the folder of a write that has failed. That folder
 * is deleted again, later or by the next start.
 */
public final class StagingFolders {
    /** Prefix of the names of folders that hold files before a commit. */
    public static final String PREFIX = ".skep-staging-";

    /** No path is longer than this. */
    private static final int MAX_NOTE_BYTES = 64 << 10;

    private static final Logger LOG = LoggerFactory.getLogger(StagingFolders.class);
    private static final String SUFFIX = ".folder";

    /** Above this number the oldest ones are forgotten. Each takes about 200 bytes. */
    private static final int MAX_WAITING = 100_000;

    /**
     * After this time, a process that was not notified of its query's end has stopped, because YARN has lost its master
     * or it has lost its peers.
     */
    private static final Duration STRAGGLERS = Duration.ofMinutes(15);

    private final Path notes;
    private final TableFiles files;
    private final InstantSource clock;
    private final Set<String> left = ConcurrentHashMap.newKeySet();

    /** Folders that are deleted again, since an attempt may still write into them; oldest first. */
    private final Queue<Again> again = new ConcurrentLinkedQueue<>();

    private final AtomicInteger waiting = new AtomicInteger();

    private record Again(String folder, Instant time) {}

    /**
     * @param notes a folder on the server's own disk
     * @param clock a clock that ignores steps of the wall clock
     */
    StagingFolders(Path notes, TableFiles files, InstantSource clock) {
        this.notes = notes;
        this.files = files;
        this.clock = clock;
    }

    /** @param folder an absolute path whose last name is unique; nothing may exist there yet */
    public void note(String folder) {
        try {
            PrivateFiles.createDirectories(notes);
            Files.writeString(PrivateFiles.create(noteOf(folder)), folder);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Deletes a folder with all its contents at once. If the file system refuses, the folder is deleted later. */
    public void delete(String folder) {
        if (tryDelete(folder)) {
            deleteOthers();
        } else {
            left.add(folder);
        }
    }

    /**
     * As above, for a folder that an attempt may still write into. Files that appear afterwards are deleted together
     * with a later folder, or by the next start.
     */
    public void abandon(String folder) {
        if (isEmptied(folder)) {
            deleteOthers();
        }
        later(folder);
    }

    /**
     * Deletes the folder of a committed write. An attempt that was not waited for may still write into it; such files
     * are deleted together with a later folder.
     */
    public void deleteCommitted(String folder) {
        delete(folder);
        later(folder);
    }

    private void later(String folder) {
        again.add(new Again(folder, clock.instant().plus(STRAGGLERS)));
        if (waiting.incrementAndGet() > MAX_WAITING && again.poll() != null) {
            waiting.decrementAndGet();
        }
    }

    private void deleteOthers() {
        left.removeIf(this::tryDelete);
        Instant now = clock.instant();
        for (Again next = again.peek(); next != null && !now.isBefore(next.time()); next = again.peek()) {
            if (again.remove(next)) {
                waiting.decrementAndGet();
                if (!tryDelete(next.folder())) {
                    left.add(next.folder());
                }
            }
        }
    }

    private boolean isEmptied(String folder) {
        try {
            files.delete(folder);
            return true;
        } catch (SkepException e) {
            LOG.warn("{} is deleted later: {}", folder, e.fullMessage());
            return false;
        }
    }

    private boolean tryDelete(String folder) {
        if (!isEmptied(folder)) {
            return false;
        }
        try {
            Files.deleteIfExists(noteOf(folder));
        } catch (IOException e) {
            throw failed(e);
        }
        return true;
    }

    /** Keeps the folder and its contents permanently. */
    void keep(String folder) {
        try {
            Files.deleteIfExists(noteOf(folder));
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Whether the folder has been noted and not been deleted. */
    public boolean has(String folder) {
        return Files.exists(noteOf(folder));
    }

    /**
     * Deletes all noted folders. Must be called before the first statement.
     *
     * @param wanted folders of commits that are not over, which stay
     */
    void clear(Set<String> wanted) {
        if (!Files.isDirectory(notes)) {
            return;
        }
        try (Stream<Path> found = Files.list(notes)) {
            List<Path> left =
                    found.filter(path -> path.toString().endsWith(SUFFIX)).toList();
            for (Path note : left) {
                String folder = read(note);
                // If the server was killed before it had written a note completely, it had not created the folder.
                // After a power failure a note may contain anything.
                boolean isWhole = isOf(folder, note);
                if (isWhole && wanted.contains(folder)) {
                    continue;
                }
                if (isWhole && !isEmptied(folder)) {
                    this.left.add(folder);
                } else {
                    Files.delete(note);
                }
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private static String read(Path note) throws IOException {
        try (InputStream bytes = Files.newInputStream(note)) {
            return new String(bytes.readNBytes(MAX_NOTE_BYTES), StandardCharsets.UTF_8);
        }
    }

    private Path noteOf(String folder) {
        return notes.resolve(nameOf(folder));
    }

    private static String nameOf(String folder) {
        return folder.substring(folder.lastIndexOf('/') + 1) + SUFFIX;
    }

    private static boolean isOf(String folder, Path note) {
        return String.valueOf(note.getFileName()).equals(nameOf(folder));
    }

    private static SkepException failed(IOException e) {
        return new SkepException(
                StandardErrorCode.FILE_SYSTEM_ERROR, "a folder cannot be noted to be transient: " + e.getMessage(), e);
    }
}
