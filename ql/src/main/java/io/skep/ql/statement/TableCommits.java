package io.skep.ql.statement;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
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
    private final ReadWriteLock visibility = new ReentrantReadWriteLock(true);

    /** @param journalFolder on the server's own disk */
    public TableCommits(Path journalFolder, TableFiles files) {
        this.journalFolder = journalFolder;
        this.files = files;
    }

    /** A step: a file to be moved, or (without a target) a path to be deleted. */
    public sealed interface Step {
        record Move(String from, String to) implements Step {}

        record Delete(String path) implements Step {}
    }

    /** Carries out steps so that they are all done or, when this fails before the journal is on disk, none. */
    public void commit(String name, List<Step> steps, Runnable inCatalog) {
        visibility.writeLock().lock();
        try {
            Path journal = write(name, steps);
            steps.forEach(this::carryOut);
            inCatalog.run();
            delete(journal);
        } finally {
            visibility.writeLock().unlock();
        }
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

    /** Ends what a crash interrupted; to be called before the first statement. */
    public void recover() {
        if (!Files.isDirectory(journalFolder)) {
            return;
        }
        try (Stream<Path> journals = Files.list(journalFolder)) {
            for (Path journal : journals.filter(path -> path.toString().endsWith(SUFFIX))
                    .sorted()
                    .toList()) {
                read(journal).forEach(this::carryOut);
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
        }
    }

    private Path write(String name, List<Step> steps) {
        List<String> lines = new ArrayList<>();
        for (Step step : steps) {
            lines.add(
                    switch (step) {
                        case Step.Move move -> "move\t" + move.from() + "\t" + move.to();
                        case Step.Delete delete -> "delete\t" + delete.path();
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
            String[] fields = line.split("\t");
            steps.add(fields[0].equals("move") ? new Step.Move(fields[1], fields[2]) : new Step.Delete(fields[1]));
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
