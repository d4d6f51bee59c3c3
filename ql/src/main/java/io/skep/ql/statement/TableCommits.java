package io.skep.ql.statement;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Catalog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Makes written files visible, all or none. What is to be done is first written to a journal and forced to disk, then carried
 * out; after a crash the journal is carried out again at the next start, and each of its steps may have been done before.
 * Within a server nobody lists a table's files in between.
 */
public final class TableCommits {
    private static final String SUFFIX = ".commit";

    private final Path journalFolder;
    private final TableFiles files;
    private final TransientFolders folders;
    private final ReadWriteLock visibility = new ReentrantReadWriteLock(true);

    /** @param journalFolder on the server's own disk */
    public TableCommits(Path journalFolder, TableFiles files) {
        this.journalFolder = journalFolder;
        this.files = files;
        this.folders = new TransientFolders(journalFolder, files);
    }

    /** Where files are written before they are committed, and temporary tables. */
    TransientFolders folders() {
        return folders;
    }

    /** A file to be moved, a path to be deleted, or a place of which the catalog is told. */
    public sealed interface Step {
        record Move(String from, String to) implements Step {}

        record Delete(String path) implements Step {}

        /**
         * A table or partition whose files change.
         *
         * @param partition its name; empty for a table as a whole
         */
        record InCatalog(String database, String table, String partition, String location) implements Step {}
    }

    /** Carries out steps so that they are all done or, when this fails before the journal is on disk, none. */
    public void commit(String name, List<Step> steps, Runnable inCatalog) {
        commit(name, () -> steps, inCatalog);
    }

    /** The same with steps that depend on the files that are there when nobody else commits. */
    void commit(String name, Supplier<List<Step>> found, Runnable inCatalog) {
        visibility.writeLock().lock();
        try {
            List<Step> steps = found.get();
            Path journal = write(name, steps);
            steps.forEach(this::carryOut);
            inCatalogOf(journal, name, steps, inCatalog);
            delete(journal);
        } finally {
            visibility.writeLock().unlock();
        }
    }

    /** When the catalog fails, what is left for the next start is to repair it: the files are where they belong. */
    private void inCatalogOf(Path journal, String name, List<Step> steps, Runnable inCatalog) {
        try {
            inCatalog.run();
        } catch (RuntimeException e) {
            List<Step> left =
                    steps.stream().filter(Step.InCatalog.class::isInstance).toList();
            if (left.isEmpty()) {
                delete(journal);
            } else {
                write(name, left);
            }
            throw e;
        }
    }

    /** Whether a commit of this name was interrupted, so that its files are still wanted. */
    boolean isUnfinished(String name) {
        return Files.exists(journalFolder.resolve(name + SUFFIX));
    }

    /** Lists files at a moment when no commit is halfway. */
    public <T> T consistently(Supplier<T> listing) {
        visibility.readLock().lock();
        try {
            return listing.get();
        } finally {
            visibility.readLock().unlock();
        }
    }

    /** Ends what a crash interrupted and deletes what it left; to be called before the first statement. */
    public void recover(Catalog catalog) {
        finishCommits(new CatalogRepair(catalog));
        folders.clear();
    }

    private void finishCommits(CatalogRepair repair) {
        if (!Files.isDirectory(journalFolder)) {
            return;
        }
        try (Stream<Path> journals = Files.list(journalFolder)) {
            for (Path journal : journals.filter(path -> path.toString().endsWith(SUFFIX))
                    .sorted()
                    .toList()) {
                List<Step> steps = read(journal);
                for (Step step : steps) {
                    switch (step) {
                        case Step.Move move -> carryOut(new Step.Move(move.from(), free(move.to())));
                        case Step.Delete delete -> carryOut(delete);
                        case Step.InCatalog place -> repair.repair(place);
                    }
                }
                delete(journal);
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private void carryOut(Step step) {
        switch (step) {
            case Step.Move move -> {
                if (files.exists(move.from())) {
                    files.move(move.from(), move.to());
                }
            }
            case Step.Delete delete -> files.delete(delete.path());
            case Step.InCatalog _ -> {}
        }
    }

    /** A commit that could not go on is ended much later: another one's file may have the name by then. */
    private String free(String path) {
        String name = path;
        for (int copy = 1; files.exists(name); copy++) {
            name = path + "_copy_" + copy;
        }
        return name;
    }

    private Path write(String name, List<Step> steps) {
        List<String> lines = new ArrayList<>();
        for (Step step : steps) {
            lines.add(
                    switch (step) {
                        case Step.Move move -> "move\t" + move.from() + "\t" + move.to();
                        case Step.Delete delete -> "delete\t" + delete.path();
                        case Step.InCatalog r ->
                            String.join("\t", "record", r.database(), r.table(), r.location(), r.partition());
                    });
        }
        try {
            Files.createDirectories(journalFolder);
            Path partial = journalFolder.resolve(name + ".partial");
            byte[] content = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
            Files.write(
                    partial,
                    content,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.DSYNC);
            return Files.move(partial, journalFolder.resolve(name + SUFFIX), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private static List<Step> read(Path journal) throws IOException {
        List<Step> steps = new ArrayList<>();
        for (String line : Files.readAllLines(journal)) {
            String[] fields = line.split("\t", -1);
            steps.add(
                    switch (fields[0]) {
                        case "move" -> new Step.Move(fields[1], fields[2]);
                        case "delete" -> new Step.Delete(fields[1]);
                        case "record" -> new Step.InCatalog(fields[1], fields[2], fields[4], fields[3]);
                        default -> throw new IOException(journal + " has a line of no known kind: " + line);
                    });
        }
        return steps;
    }

    private static void delete(Path journal) {
        try {
            Files.deleteIfExists(journal);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private static SkepException failed(IOException e) {
        return new SkepException(
                StandardErrorCode.FILE_SYSTEM_ERROR, "the commit journal failed: " + e.getMessage(), e);
    }
}
