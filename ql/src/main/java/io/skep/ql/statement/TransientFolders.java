package io.skep.ql.statement;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Folders beside tables that go with the statement or session that wanted them: files that are written before a commit, and
 * temporary tables. Each is noted in the server's data folder before it comes to be, so that the next start deletes what a server
 * that was killed has left. A data folder has one server at a time, and only it knows these notes: servers that share a warehouse
 * never delete each other's folders. A folder that cannot be deleted, since its file system is away or takes no changes, goes with
 * the next one that can. Whoever wrote into the folder of a write that has failed may not know yet that it has: that one is deleted
 * again, later or by the next start.
 */
final class TransientFolders {
    private static final Logger LOG = LoggerFactory.getLogger(TransientFolders.class);
    private static final String SUFFIX = ".folder";

    /** A process that knows nothing of its query's end has ended by then: YARN has missed its master, or it its peers. */
    private static final Duration STRAGGLERS = Duration.ofMinutes(15);

    private final Path notes;
    private final TableFiles files;
    private final InstantSource clock;
    private final Set<String> left = ConcurrentHashMap.newKeySet();

    /** When those that were abandoned are deleted again. */
    private final Map<String, Instant> again = new ConcurrentHashMap<>();

    /** @param notes on the server's own disk */
    TransientFolders(Path notes, TableFiles files, InstantSource clock) {
        this.notes = notes;
        this.files = files;
        this.clock = clock;
    }

    /** @param folder absolute, its last name unlike any other's; nothing may be there yet */
    void note(String folder) {
        try {
            Files.createDirectories(notes);
            Files.writeString(noteOf(folder), folder);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Deletes a folder with all that is in it, now or, when the file system refuses, later. */
    void delete(String folder) {
        if (isDeleted(folder)) {
            deleteOthers();
        } else {
            left.add(folder);
        }
    }

    /** The same, for a folder that somebody may still write into: files that come yet are deleted with a later one, or by the next start. */
    void abandon(String folder) {
        again.put(folder, clock.instant().plus(STRAGGLERS));
        if (isEmptied(folder)) {
            deleteOthers();
        }
    }

    private void deleteOthers() {
        left.removeIf(this::isDeleted);
        Instant now = clock.instant();
        again.forEach((folder, time) -> {
            if (!now.isBefore(time) && isDeleted(folder)) {
                again.remove(folder);
            }
        });
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

    /** Whether the folder has been noted and not been deleted. */
    boolean has(String folder) {
        return Files.exists(noteOf(folder));
    }

    /** Deletes all folders that are noted; to be called before the first statement. */
    void clear() {
        if (!Files.isDirectory(notes)) {
            return;
        }
        try (Stream<Path> found = Files.list(notes)) {
            List<Path> left =
                    found.filter(path -> path.toString().endsWith(SUFFIX)).toList();
            for (Path note : left) {
                String folder = Files.readString(note);
                // A note that was being written when the server was killed is of a folder that was never made.
                if (noteOf(folder).equals(note)) {
                    files.delete(folder);
                }
                Files.delete(note);
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private Path noteOf(String folder) {
        return notes.resolve(folder.substring(folder.lastIndexOf('/') + 1) + SUFFIX);
    }

    private static SkepException failed(IOException e) {
        return new SkepException(
                StandardErrorCode.FILE_SYSTEM_ERROR, "a folder cannot be noted to be transient: " + e.getMessage(), e);
    }
}
