package io.skep.ql.commit;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.file.ForcedFolders;
import io.skep.common.file.PrivateFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Journals of commits on the server's own disk, one file each. Writing one also forces the deletions of all earlier
 * ones, so that no old journal reappears after a later commit when the power fails. An unreadable journal is renamed
 * with an additional suffix.
 */
public final class LocalJournals {
    private static final Logger LOG = LoggerFactory.getLogger(LocalJournals.class);
    private static final String SUFFIX = ".commit";
    private static final String PARTIAL = ".partial";
    private static final String UNREADABLE = ".unreadable";

    private final Path folder;

    /** Whether the folder itself survives a power failure. It may have been created elsewhere. */
    private volatile boolean isFolderForced;

    public LocalJournals(Path folder) {
        this.folder = folder;
    }

    /**
     * A journal that was renamed because it cannot be read.
     *
     * @param tables tables that the commit may have changed; empty when the journal does not name them
     */
    public record Unreadable(Path file, Set<String> tables) {
        public Unreadable {
            tables = Set.copyOf(tables);
        }
    }

    /** Forces a journal to the disk. It replaces a journal of the same name. */
    void write(CommitJournal journal) {
        try {
            makeFolder();
            Path partial = folder.resolve(journal.name() + PARTIAL);
            Files.write(
                    PrivateFiles.create(partial),
                    CommitJournalCodec.encode(journal),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.DSYNC);
            Files.move(partial, folder.resolve(journal.name() + SUFFIX), StandardCopyOption.ATOMIC_MOVE);
            force();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private void makeFolder() throws IOException {
        PrivateFiles.createDirectories(folder);
        if (!isFolderForced) {
            ForcedFolders.forceAbove(folder);
            isFolderForced = true;
        }
    }

    /** Forces earlier writes and deletions to the disk. */
    void force() {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /**
     * Durably deletes a journal whose write has failed, for example on a full disk. Returns false when this fails, so
     * that the journal may exist or reappear.
     */
    boolean withdrawn(String name) {
        try {
            Files.deleteIfExists(folder.resolve(name + PARTIAL));
            Files.deleteIfExists(folder.resolve(name + SUFFIX));
            force();
            return true;
        } catch (IOException | SkepException e) {
            LOG.error("the journal of commit {} was not written and cannot be taken back: {}", name, e.getMessage());
            return false;
        }
    }

    boolean exists(String name) {
        return Files.exists(folder.resolve(name + SUFFIX));
    }

    void delete(String name) {
        try {
            Files.deleteIfExists(folder.resolve(name + SUFFIX));
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /**
     * Returns all readable journals, sorted by name. Unreadable journals are renamed; journals that were not completely
     * written are deleted.
     */
    List<CommitJournal> readAll() {
        deletePartial();
        List<CommitJournal> journals = new ArrayList<>();
        for (Path file : files(SUFFIX)) {
            try {
                CommitJournal journal = CommitJournalCodec.decode(Files.readAllBytes(file));
                if (!file.getFileName().toString().equals(journal.name() + SUFFIX)) {
                    throw new SkepException(StandardErrorCode.CORRUPT_FILE, "it names another commit");
                }
                journals.add(journal);
            } catch (SkepException e) {
                setAside(file, e);
            } catch (IOException e) {
                throw failed(e);
            }
        }
        return journals;
    }

    private void deletePartial() {
        try {
            for (Path file : files(PARTIAL)) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private void setAside(Path file, SkepException reason) {
        try {
            Path aside = file.resolveSibling(file.getFileName() + UNREADABLE);
            Files.move(file, aside, StandardCopyOption.REPLACE_EXISTING);
            force();
            LOG.error("{} is set aside, and the tables that it names are closed: {}", aside, reason.fullMessage());
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Returns the unreadable journals that still exist. */
    public List<Unreadable> unreadable() {
        List<Unreadable> found = new ArrayList<>();
        for (Path file : files(UNREADABLE)) {
            try {
                byte[] journal = Files.readAllBytes(file);
                Set<String> tables = CommitJournalCodec.tables(journal);
                found.add(new Unreadable(file, tables.isEmpty() ? LineJournal.tables(journal) : tables));
            } catch (IOException e) {
                throw failed(e);
            }
        }
        return found;
    }

    /** Returns the names of the commits that have a journal. */
    public List<String> names() {
        return files(SUFFIX).stream()
                .map(file -> file.getFileName().toString())
                .map(name -> name.substring(0, name.length() - SUFFIX.length()))
                .toList();
    }

    private List<Path> files(String suffix) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> found = Files.list(folder)) {
            return found.filter(path -> path.getFileName().toString().endsWith(suffix))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private static SkepException failed(IOException e) {
        return new SkepException(
                StandardErrorCode.FILE_SYSTEM_ERROR, "the commit journal failed: " + e.getMessage(), e);
    }
}
