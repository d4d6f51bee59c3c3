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
 * Journals of commits on the server's own disk, one file each. Writing one also forces the deletions of all earlier ones: no journal
 * comes back over a later commit when the power fails. One that cannot be read is set aside under another name.
 */
public final class LocalJournals {
    private static final Logger LOG = LoggerFactory.getLogger(LocalJournals.class);
    private static final String SUFFIX = ".commit";
    private static final String PARTIAL = ".partial";
    private static final String UNREADABLE = ".unreadable";

    private final Path folder;

    /** Whether the folder itself outlasts a power cut; others may have made it. */
    private volatile boolean isFolderForced;

    public LocalJournals(Path folder) {
        this.folder = folder;
    }

    /**
     * A journal that was set aside.
     *
     * @param tables that it may have changed; empty when it does not tell
     */
    public record Unreadable(Path file, Set<String> tables) {
        public Unreadable {
            tables = Set.copyOf(tables);
        }
    }

    /** Forces a journal to the disk; one of the same name is replaced. */
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

    /** Forces what was written and deleted. */
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

    /** Makes sure that a journal whose writing has failed, as on a full disk, is not there and does not come back. */
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

    /** All that can be read, by name. Those that cannot be are set aside, those that were never whole are deleted. */
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

    /** Those that were set aside and are still there. */
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

    /** Names of commits whose journals are there. */
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
