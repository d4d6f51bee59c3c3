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
 * Folders beside tables that go with the statement or session that wanted them: files that are written before a commit, and
 * temporary tables. Each is noted in the server's data folder before it comes to be, so that the next start deletes what a server
 * that was killed has left. A data folder has one server at a time, and only it knows these notes: servers that share a warehouse
 * never delete each other's folders. A folder that cannot be deleted, since its file system is away or takes no changes, goes with
 * the next one that can. An attempt may still write into the folder of a write that has failed: that folder is deleted again, later or
 * by the next start.
 */
public final class StagingFolders {
    /** What names of folders begin with that hold files before a commit. */
    public static final String PREFIX = ".skep-staging-";

    /** No path is longer. */
    private static final int MAX_NOTE_BYTES = 64 << 10;

    private static final Logger LOG = LoggerFactory.getLogger(StagingFolders.class);
    private static final String SUFFIX = ".folder";

    /** More than these are forgotten, the oldest first: some 200 bytes each. */
    private static final int MAX_WAITING = 100_000;

    /** A process that was not told of its query's end has ended by then: YARN has lost its master, or it has lost its peers. */
    private static final Duration STRAGGLERS = Duration.ofMinutes(15);

    private final Path notes;
    private final TableFiles files;
    private final InstantSource clock;
    private final Set<String> left = ConcurrentHashMap.newKeySet();

    /** Those that are deleted again, since an attempt may still write into them; the oldest first. */
    private final Queue<Again> again = new ConcurrentLinkedQueue<>();

    private final AtomicInteger waiting = new AtomicInteger();

    private record Again(String folder, Instant time) {}

    /**
     * @param notes on the server's own disk
     * @param clock that no step of the wall clock moves
     */
    StagingFolders(Path notes, TableFiles files, InstantSource clock) {
        this.notes = notes;
        this.files = files;
        this.clock = clock;
    }

    /** @param folder absolute, its last name unlike any other's; nothing may be there yet */
    public void note(String folder) {
        try {
            PrivateFiles.createDirectories(notes);
            Files.writeString(PrivateFiles.create(noteOf(folder)), folder);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Deletes a folder with all that is in it, now or, when the file system refuses, later. */
    public void delete(String folder) {
        if (isDeleted(folder)) {
            deleteOthers();
        } else {
            left.add(folder);
        }
    }

    /** The same, for a folder that an attempt may still write into: later files are deleted with a later one, or by the next start. */
    public void abandon(String folder) {
        if (isEmptied(folder)) {
            deleteOthers();
        }
        later(folder);
    }

    /**
     * Deletes the folder of a write that was committed. An attempt that was not waited for may still write into it: such files
     * are deleted with a later folder.
     */
    public void finished(String folder) {
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
        left.removeIf(this::isDeleted);
        Instant now = clock.instant();
        for (Again next = again.peek(); next != null && !now.isBefore(next.time()); next = again.peek()) {
            if (again.remove(next)) {
                waiting.decrementAndGet();
                if (!isDeleted(next.folder())) {
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

    private boolean isDeleted(String folder) {
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

    /** The folder stays for good, with what is in it. */
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
     * Deletes all folders that are noted; to be called before the first statement.
     *
     * @param wanted those of commits that are not over
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
                // The folder of a note that was not whole at a kill was never made. After a power cut a note may hold
                // anything.
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
